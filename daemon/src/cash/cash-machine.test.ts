import { randomUUID } from 'node:crypto';
import { paidText } from '@kiosk/contract/live';
import { type Rupiah, rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AcceptorReport } from '../acceptor/driver.ts';
import { Desk, INVOICE, KEY, OTHER_KEY, POLICY } from './cash-machine.fixture.ts';
import type { CashEvent } from './cash-state.ts';

describe('a payment', () => {
	test('of two notes: each note causes, in this order, the record of its intent, ACCEPT, the record of its credit and a message; the back office’s confirmation makes the invoice paid', () => {
		const desk = new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').stack('0x45');
		expect(desk.records()).toEqual(['cash_intent', 'cash_credit', 'cash_intent', 'cash_credit']);
		const order = desk.happened.flatMap((effect) =>
			effect.kind === 'written'
				? [effect.record.kind]
				: effect.kind === 'acceptor'
					? [effect.command]
					: effect.kind === 'tell' && effect.text.type === 'payment_cash_notification'
						? ['told']
						: [],
		);
		expect(order).toEqual([
			'enable',
			'cash_intent',
			'accept',
			'cash_credit',
			'told',
			'cash_intent',
			'accept',
			'cash_credit',
			'inhibit',
			'told',
		]);
		desk.do({ kind: 'paid_by_back_office', key: KEY });
		expect(desk.told().at(-1)).toEqual(paidText(INVOICE));
		expect(desk.records().at(-1)).toBe('invoice_paid');
	});

	test('of an invoice of 0 rupiah takes no notes', () => {
		const desk = new Desk().do({ kind: 'open', payment: { ...INVOICE, total: rupiah(0) }, entries: [], paid: null, paid_id: randomUUID() });
		expect(desk.commands()).toEqual([]);
		expect(desk.told().at(-1)).toMatchObject({ is_ready: false });
	});

	test('is declared paid by the kiosk if it is covered and the back office is unreachable or silent', () => {
		for (const event of [{ kind: 'back_office_unreachable' } as const, { kind: 'paid_wait_over', key: KEY } as const]) {
			const desk = new Desk().open().escrow('0x46').stack('0x46');
			desk.do(event);
			expect(desk.records()).not.toContain('invoice_paid');
			desk.escrow('0x45').stack('0x45').do(event);
			expect(desk.happened).toContainEqual({
				kind: 'written',
				record: { kind: 'invoice_paid', payment: INVOICE, by: 'kiosk', paid_id: expect.any(String) },
			});
		}
	});

	test.each([
		[150_000, 'covered'],
		[150_001, 'no'],
	])('of 150.000 rupiah for an invoice of %i rupiah has the paid state %s', (total, expected) => {
		const desk = new Desk().do({
			kind: 'open',
			payment: { ...INVOICE, total: rupiah(total) },
			entries: [],
			paid: null,
			paid_id: randomUUID(),
		});
		desk.escrow('0x46').stack('0x46').escrow('0x45').stack('0x45').do({ kind: 'paid_wait_over', key: OTHER_KEY });
		expect(desk.state.session?.paid).toBe(expected);
		expect(desk.state.enabled).toBe(expected === 'no');
	});

	test('does not count as paid after a "paid" message for another invoice', () => {
		const desk = new Desk().open().do({ kind: 'paid_by_back_office', key: OTHER_KEY });
		expect(desk.records()).toEqual([]);
	});

	test('takes no further note once it is covered', () => {
		const desk = new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').stack('0x45').escrow('0x46');
		expect(desk.returned()).toEqual(['closing']);
	});
});

describe('a note is returned with its reason', () => {
	test('without a session', () => expect(new Desk().escrow('0x46').returned()).toEqual(['no_session']));
	test('when its type is not in the note map', () => expect(new Desk().open().escrow('0x49').returned()).toEqual(['unmapped_note']));
	test('when its value is switched off', () => expect(new Desk().open().escrow('0x40').returned()).toEqual(['note_switched_off']));
	test('when the overpayment would exceed the limit', () => {
		const desk = new Desk({ ...POLICY, overpayLimit: rupiah(0) }).open().escrow('0x46').stack('0x46').escrow('0x45');
		expect(desk.returned()).toEqual(['too_large']);
	});
	test('while the journal cannot be written', () => {
		const desk = new Desk().open().do({ kind: 'journal', trouble: 'disk_full' }).escrow('0x46');
		expect(desk.returned()).toEqual(['disk_full']);
		expect(desk.commands()).toEqual(['enable', 'inhibit', 'reject']);
	});
	test('when its intent cannot be written', () => {
		const desk = new Desk().open();
		desk.failWrites = true;
		desk.escrow('0x46');
		expect(desk.commands()).not.toContain('accept');
		expect(desk.returned()).toEqual(['disk_full']);
	});
	test('when the acceptor returns it after ACCEPT', () => {
		const desk = new Desk().open().escrow('0x46').hear({ kind: 'returned', accepted: true });
		expect(desk.records()).toEqual(['cash_intent', 'cash_returned']);
		expect(desk.returned()).toEqual(['rejected_by_machine']);
	});
});

describe('a note in doubt', () => {
	test('is reported, and the session takes no further note', () => {
		const desk = new Desk().open().escrow('0x45').hear({ kind: 'outcome_missing', why: 'silence', other: false }).escrow('0x46');
		expect(desk.told()).toContainEqual(expect.objectContaining({ type: 'kiosk_note_in_doubt', nominal: 50_000 }));
		expect(desk.returned()).toEqual(['closing']);
		expect(desk.state.shown).toBe('note_in_doubt');
	});

	test('is credited once by a late STACKED of the same run', () => {
		const desk = new Desk()
			.open()
			.escrow('0x45')
			.hear({ kind: 'outcome_missing', why: 'silence', other: false })
			.stack('0x45', true)
			.stack('0x45', true);
		expect(desk.records()).toEqual(['cash_intent', 'cash_in_doubt', 'cash_credit', 'cash_unexplained']);
		expect(desk.state.shown).toBe('ready');
	});

	test('an unexplained STACKED credits no payment', () => {
		const desk = new Desk().open().hear({ kind: 'stacked', accepted: false, late: false, code: '0x46' });
		expect(desk.records()).toEqual(['cash_unexplained']);
		expect(desk.state.session?.entries).toEqual([]);
	});

	test('STACKED right after a restart is evidence about the note of the earlier run', () => {
		const note = randomUUID();
		const desk = new Desk(POLICY, note).hear({ kind: 'stacked', accepted: false, late: false, code: null });
		expect(desk.records()).toEqual(['cash_evidence']);
	});

	test('is shown instead of a credit if the credit cannot be written', () => {
		const desk = new Desk().open().escrow('0x45');
		desk.failWrites = true;
		desk.stack('0x45');
		expect(desk.told().map((text) => text.type)).not.toContain('payment_cash_notification');
		expect(desk.told()).toContainEqual(expect.objectContaining({ type: 'kiosk_note_in_doubt' }));
		expect(desk.state.enabled).toBe(false);
	});
});

describe('leaving', () => {
	test('waits for the note in flight and credits it to its invoice', () => {
		const desk = new Desk().open().escrow('0x45').do({ kind: 'close' });
		expect(desk.closed()).toBe(0);
		desk.stack('0x45');
		expect(desk.closed()).toBe(1);
		expect(desk.records()).toEqual(['cash_intent', 'cash_credit']);
	});

	test('without a note in flight inhibits the acceptor at once', () => {
		const desk = new Desk().open().do({ kind: 'close' });
		expect(desk.commands()).toEqual(['enable', 'inhibit']);
		expect(desk.closed()).toBe(1);
	});
});

const reports: fc.Arbitrary<AcceptorReport> = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('0x40', '0x44', '0x45', '0x46', '0x49').map((code) => ({ kind: 'escrow', code }) as const) },
	{
		weight: 6,
		arbitrary: fc
			.record({ accepted: fc.boolean(), late: fc.boolean(), code: fc.constantFrom('0x44', null) })
			.map((stacked) => ({ kind: 'stacked', ...stacked }) as const),
	},
	{ weight: 2, arbitrary: fc.boolean().map((accepted) => ({ kind: 'returned', accepted }) as const) },
	{ weight: 1, arbitrary: fc.constant({ kind: 'outcome_missing', why: 'x', other: false } as const) },
	{ weight: 1, arbitrary: fc.constantFrom('ready', 'bill_jam', 'disconnected').map((state) => ({ kind: 'state', state }) as const) },
);

describe('a note in doubt settled by staff', () => {
	const inDoubt = () => {
		const desk = new Desk().open().escrow('0x45').hear({ kind: 'outcome_missing', why: 'silence', other: false });
		const { doubtful } = desk.state;
		if (!doubtful) throw new Error('no note is in doubt');
		return { desk, note: doubtful };
	};
	const settled = (note: { note_id: string; nominal: Rupiah; time: string }, inBox: boolean): CashEvent => ({
		kind: 'settled',
		note_id: note.note_id,
		payment_id: KEY,
		nominal: note.nominal,
		entry: inBox ? { note_id: note.note_id, nominal: note.nominal, time: note.time } : null,
	});

	test('as found in the cashbox counts once for the waiting customer and reopens the acceptor, and a late STACKED adds nothing', () => {
		const { desk, note } = inDoubt();
		desk.do(settled(note, true));
		expect(desk.state.session).toMatchObject({ inDoubt: [], entries: [{ nominal: 50_000 }] });
		expect(desk.told().filter((text) => text.type === 'payment_cash_notification')).toHaveLength(1);
		expect(desk.state.enabled).toBe(true);
		const before = desk.records();
		desk.stack(null, true);
		expect(desk.records()).toEqual(before);
		expect(desk.state.session?.entries).toHaveLength(1);
		expect(desk.escrow('0x46').stack('0x46').state.session?.entries).toHaveLength(2);
	});

	test('as returned reopens the acceptor, and a late STACKED is an unexplained note', () => {
		const { desk, note } = inDoubt();
		desk.do(settled(note, false));
		expect(desk.state).toMatchObject({ enabled: true, session: { inDoubt: [], entries: [] } });
		desk.stack('0x45', true);
		expect(desk.records().at(-1)).toBe('cash_unexplained');
		expect(desk.state.session?.entries).toEqual([]);
	});

	test('does not change the open session of another invoice', () => {
		const { desk, note } = inDoubt();
		const other = { ...INVOICE, id: 8 };
		desk.do({ kind: 'close' }).do({ kind: 'open', payment: other, entries: [], paid: null, paid_id: randomUUID() }).do(settled(note, true));
		expect(desk.state.session).toMatchObject({ payment: { id: 8 }, entries: [] });
		expect(desk.stack(null, true).records()).not.toContain('cash_credit');
	});
});

test('for any events, each accept follows its intent, and each reported note and each entry has a credit', () => {
	const actions = fc.oneof(
		{ weight: 8, arbitrary: reports },
		{ weight: 3, arbitrary: fc.constantFrom('open', 'close', 'fail', 'heal', 'paid', 'unreachable') },
	);
	fc.assert(
		fc.property(fc.array(actions, { maxLength: 60 }), (script) => {
			const desk = new Desk();
			for (const action of script) {
				if (typeof action === 'object') desk.hear(action);
				else if (action === 'open')
					desk.do({ kind: 'open', payment: INVOICE, entries: desk.state.session?.entries ?? [], paid: null, paid_id: randomUUID() });
				else if (action === 'close') desk.do({ kind: 'close' });
				else if (action === 'paid') desk.do({ kind: 'paid_by_back_office', key: KEY });
				else if (action === 'unreachable') desk.do({ kind: 'back_office_unreachable' });
				else if (action === 'fail') desk.failWrites = true;
				else desk.heal();
				if (desk.state.enabled) expect(desk.state.session?.paid).toBe('no');
			}
			const credits = new Set<string>();
			const open = new Set<string>();
			let intents = 0;
			for (const effect of desk.happened) {
				if (effect.kind === 'written' && effect.record.kind === 'cash_intent') {
					intents += 1;
					open.add(effect.record.note_id);
				} else if (effect.kind === 'written' && effect.record.kind === 'cash_credit') {
					expect(open.has(effect.record.note_id)).toBe(true);
					expect(credits.has(effect.record.note_id)).toBe(false);
					credits.add(effect.record.note_id);
				} else if (effect.kind === 'acceptor' && effect.command === 'accept') intents -= 1;
				else if (effect.kind === 'tell' && effect.text.type === 'payment_cash_notification')
					expect(credits.has(effect.text.note_id)).toBe(true);
				expect(intents).toBeGreaterThanOrEqual(0);
			}
			for (const entry of desk.state.session?.entries ?? []) expect(credits.has(String(entry.note_id))).toBe(true);
		}),
		{ numRuns: 500 },
	);
});
