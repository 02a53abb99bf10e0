import { ACCEPTOR_STATES, RETURN_REASONS } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { type CashSituation, type NextStep, nextStep } from './next-step.ts';

const calm: CashSituation = {
	state: 'ready',
	is_ready: true,
	opening: false,
	closing: false,
	moving: false,
	returned: null,
	doubts: [],
	covered: false,
	asked: false,
};
const at = (more: Partial<CashSituation>) => nextStep({ ...calm, ...more });
const DOUBT = { note_id: '7f3a9c2e-1111', nominal: rupiah(50_000) };

const BOTH = [false, true];
const STATES = [...ACCEPTOR_STATES, null];
const RETURNS = [null, ...RETURN_REASONS.map((reason) => ({ nominal: null, reason }))];

/** Yields every combination of states, even those that the daemon should never cause. */
function* situations(): Generator<CashSituation> {
	for (const state of STATES)
		for (const is_ready of BOTH)
			for (const returned of RETURNS)
				for (const doubts of [[], [DOUBT]])
					for (const moving of BOTH)
						for (const covered of BOTH)
							for (const opening of BOTH)
								for (const closing of BOTH)
									for (const asked of BOTH) yield { state, is_ready, returned, doubts, moving, covered, opening, closing, asked };
}

const wordsOf = ({ status, title, body }: NextStep) => `${status}. ${title} ${body}`;

/**
 * @returns whether the instruction asks for a note now. Asking for a note "after Ready" does not
 * count.
 */
const invites = (step: NextStep) => step.status === 'Ready' || /Silakan masukkan/.test(step.body);

/** Rules that must hold in every situation. */
const RULES: Record<string, (step: NextStep, of: CashSituation) => boolean> = {
	'the text asks for a note only if the acceptor is ready, no note moves or is in doubt, money is still due, the session is not closing and no question is open':
		(step, of) =>
			!invites(step) ||
			(of.state === 'ready' && of.is_ready && !of.moving && !of.covered && !of.closing && !of.asked && of.doubts.length === 0),
	'if a note is in doubt, the task is "stop" and the instruction names the note': (step, of) =>
		of.doubts.length === 0 || (step.task === 'stop' && step.doubt === DOUBT && /hubungi staf/i.test(wordsOf(step))),
	'the task is "insert" exactly when Ready is shown, unless a returned note must be taken first': (step) =>
		step.task === 'insert' ? step.status === 'Ready' : step.status !== 'Ready' || step.task === 'take_note',
	'the texts "take the note" and "do not pull" never appear together': (step) =>
		!(/ambil uang/i.test(wordsOf(step)) && /jangan menarik/i.test(wordsOf(step))),
	'the text asks the customer to take a note only if one was returned and none is inside': (step, of) =>
		/ambil uang/i.test(wordsOf(step)) === (step.task === 'take_note') &&
		(step.task !== 'take_note' || (of.returned !== null && !of.moving && of.doubts.length === 0)),
	'no text asks for a note and forbids one at the same time': (step) =>
		!(invites(step) && /jangan (masukkan|menambah)/i.test(wordsOf(step))),
	'the tone agrees with the text: "good" invites money, "stop" calls staff': (step) =>
		(step.statusTone === 'good') === (step.status === 'Ready') &&
		(step.tone !== 'good' || step.task === 'insert') &&
		(step.task !== 'stop' || step.tone === 'stop'),
	'if the tone is "stop", the text names staff or cashier': (step) => step.tone !== 'stop' || /staf|kasir/i.test(wordsOf(step)),
	'the highlighted step agrees with the text': (step) =>
		(step.task === 'insert') <= (step.step === 1) &&
		(step.step !== 0 || step.status !== 'Ready') &&
		(step.tone === 'stop') === (step.step === null),
};

test.each(Object.entries(RULES))('in every situation: %s', (_, holds) => {
	let count = 0;
	for (const of of situations()) {
		count += 1;
		const step = nextStep(of);
		if (!holds(step, of)) expect.fail(`${JSON.stringify(of)} gives ${JSON.stringify(step)}`);
	}
	expect(count).toBe(STATES.length * RETURNS.length * 2 ** 7);
});

test('[spec 2.6.1] if the acceptor is ready, "Ready" is shown; without the ready flag it is shown in no state', () => {
	expect(at({})).toMatchObject({ task: 'insert', status: 'Ready', title: 'Masukkan uang', tone: 'good', step: 1 });
	for (const state of STATES) expect(at({ state, is_ready: false }).status).not.toBe('Ready');
});

test('there are separate instructions for a moving note, a covered invoice and a closing session', () => {
	expect(at({ moving: true })).toMatchObject({ task: 'process', title: 'Memproses…' });
	expect(at({ state: 'inhibited', is_ready: false, covered: true })).toMatchObject({ task: 'wait', status: 'Uang sudah cukup', step: 2 });
	expect(at({ covered: true })).toMatchObject({ task: 'wait', status: 'Uang sudah cukup' });
	expect(at({ closing: true })).toMatchObject({ task: 'wait', status: 'Pembayaran sedang ditutup' });
	expect(at({ state: 'inhibited', is_ready: false, opening: true }).status).toBe('Mesin uang sedang disiapkan');
});

test('if the acceptor jams after an unreadable note, the only instruction is to leave the note and call staff', () => {
	const step = at({ state: 'bill_jam', is_ready: false, returned: { nominal: null, reason: 'unreadable' } });
	expect(step).toMatchObject({ task: 'stop', title: 'Uang tersangkut di mesin', tone: 'stop' });
	expect(wordsOf(step)).not.toContain('ambil uang');
});

test('a returned note must be taken first; after that, only a ready acceptor invites further notes', () => {
	const returned = { nominal: null, reason: 'unreadable' } as const;
	expect(at({ returned })).toMatchObject({ task: 'take_note', status: 'Ready', tone: 'wait' });
	expect(at({ returned, state: 'cashbox_open', is_ready: false })).toMatchObject({ task: 'take_note', tone: 'stop' });
	expect(at({ returned, state: 'cashbox_open', is_ready: false }).body).toContain('Jangan masukkan uang dulu');
	expect(at({ returned: { nominal: null, reason: 'journal_unhealthy' } }).body).toBe('Masukkan lagi setelah tulisan Ready.');
});
