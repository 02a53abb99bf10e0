/** What the customer, the back office and the technician's log hear of a session, word for word. */
import { describe, expect, test } from 'vitest';
import { rupiah } from '../../contract/money.ts';
import type { JournalRecord } from '../journal/records.ts';
import type { CashEvent } from './cash-state.ts';
import type { AcceptorReport } from './driver.ts';
import { Desk, INVOICE, POLICY } from './test-bench.ts';

const { noinvoice: invoice, total } = INVOICE;
const TIME = '2026-11-21T14:31:08+07:00';
const DOUBT: AcceptorReport = { kind: 'outcome_missing', why: 'silence', other: false };
const ready = { type: 'machine_ready', is_ready: true, state: 'ready', ict_text: 'Ready' };
const shown = (state: string) => ({ type: 'machine_ready', is_ready: false, state, ict_text: state });

const idOf = (desk: Desk, index = 0): string => {
	const intents = desk.happened.flatMap((effect) =>
		effect.kind === 'written' && effect.record.kind === 'cash_intent' ? [effect.record.note_id] : [],
	);
	return intents[index] ?? '';
};
const lastRecord = (desk: Desk): JournalRecord | undefined =>
	desk.happened.flatMap((effect) => (effect.kind === 'written' ? [effect.record] : [])).at(-1);
const settle = (note_id: string, nominal: number, inBox: boolean, payment_id: string | null = '7'): CashEvent => ({
	kind: 'settled',
	note_id,
	payment_id,
	nominal: rupiah(nominal),
	entry: inBox ? { note_id, nominal: rupiah(nominal), time: TIME } : null,
});

test('a payment from its beginning to its end', () => {
	const desk = new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').stack('0x45');
	desk.do({ kind: 'paid_by_back_office', id: 7 }).do({ kind: 'paid_by_back_office', id: 7 }).do({ kind: 'close' });
	const [first, second] = [idOf(desk), idOf(desk, 1)];
	const received = { type: 'payment_cash_notification', id: 7, odoo_id: 'SO7', time: TIME };
	expect(desk.told()).toEqual([
		ready,
		{ type: 'kiosk_note_moving', id: 7, nominal: 100_000 },
		{ ...received, note_id: first, nominal: 100_000 },
		{ type: 'kiosk_note_moving', id: 7, nominal: 50_000 },
		{ ...received, note_id: second, nominal: 50_000 },
		shown('inhibited'),
		{ type: 'payment_notification', id: 7, is_paid: true },
	]);
	expect(desk.logged()).toMatchObject([
		['cash.opened', { invoice, payment_id: 7, total }],
		['cash.note_accepted', { note_id: first, nominal: 100_000, invoice, payment_id: 7 }],
		['cash.note_credited', { note_id: first, nominal: 100_000, invoice, payment_id: 7, late: false }],
		['cash.note_accepted', { note_id: second, nominal: 50_000, invoice, payment_id: 7 }],
		['cash.note_credited', { note_id: second, nominal: 50_000, invoice, payment_id: 7, late: false }],
		['cash.paid', { invoice, payment_id: 7, by: 'back_office', received: 150_000, total }],
		['cash.closed', { invoice, payment_id: 7, received: 150_000, paid: true }],
	]);
	expect([desk.count('upload'), desk.count('wait_for_paid')]).toEqual([2, 1]);
	expect(desk.happened).toContainEqual({ kind: 'wait_for_paid', id: 7 });
	expect(lastRecord(desk)).toEqual({ kind: 'invoice_paid', payment: INVOICE, by: 'back_office' });
});

test('leaving with less than the total is told as such', () => {
	const desk = new Desk().open().escrow('0x45').stack('0x45').do({ kind: 'close' });
	expect(desk.logged().at(-1)).toMatchObject(['cash.closed', { invoice, payment_id: 7, received: 50_000, paid: false }]);
	expect(desk.do({ kind: 'close' }).do({ kind: 'paid_wait_over', id: 7 }).closed()).toBe(1);
});

describe('a note that goes back', () => {
	test.each([
		['0x40', 1_000, 'note_switched_off'],
		['0x49', null, 'unmapped_note'],
	])('%s, by the kiosk: its value and the reason', (code, nominal, reason) => {
		const desk = new Desk().open().escrow(code);
		expect(desk.told().at(-1)).toEqual({ type: 'kiosk_note_returned', nominal, reason });
		expect(desk.logged().at(-1)).toMatchObject(['cash.note_returned', { code, nominal, reason }]);
	});

	test('by the machine, before anybody decided', () => {
		const desk = new Desk().open().hear({ kind: 'refused', reason: 'unreadable' });
		expect(desk.told().at(-1)).toEqual({ type: 'kiosk_note_returned', nominal: null, reason: 'unreadable' });
		expect(desk.logged().at(-1)).toMatchObject(['cash.note_returned', { reason: 'unreadable' }]);
		expect(desk.records()).toEqual([]);
	});

	test('by the machine, although it was accepted', () => {
		const desk = new Desk().open().escrow('0x45').hear({ kind: 'returned', accepted: true });
		const reason = 'rejected_by_machine';
		expect(desk.told().at(-1)).toEqual({ type: 'kiosk_note_returned', nominal: 50_000, reason });
		expect(desk.logged().at(-1)).toMatchObject([
			'cash.note_returned',
			{ note_id: idOf(desk), nominal: 50_000, invoice, payment_id: 7, reason },
		]);
	});

	test('only what is above the owner’s limit: change up to it may be owed', () => {
		const desk = new Desk({ ...POLICY, overpayLimit: rupiah(12_500) }).open().escrow('0x46').stack('0x46').escrow('0x45');
		expect(desk.returned()).toEqual([]);
		const less = new Desk({ ...POLICY, overpayLimit: rupiah(12_499) }).open().escrow('0x46').stack('0x46').escrow('0x45');
		expect(less.returned()).toEqual(['too_large']);
	});
});

describe('doubt', () => {
	const inDoubt = () => new Desk().open().escrow('0x45').hear(DOUBT);

	test('is told with the note, its value and why; a late stacked byte ends it', () => {
		const desk = inDoubt();
		const note_id = idOf(desk);
		expect(desk.told().slice(-2)).toEqual([{ type: 'kiosk_note_in_doubt', id: 7, note_id, nominal: 50_000 }, shown('note_in_doubt')]);
		expect(desk.logged().at(-1)).toMatchObject([
			'cash.note_in_doubt',
			{ note_id, nominal: 50_000, invoice, payment_id: 7, why: 'silence' },
		]);
		desk.stack('0x45', true);
		expect(desk.logged().at(-1)).toMatchObject(['cash.note_credited', { note_id, nominal: 50_000, invoice, payment_id: 7, late: true }]);
		expect(desk.told().at(-1)).toEqual(ready);
	});

	test('ends when the note comes back after all', () => {
		const desk = inDoubt().hear({ kind: 'returned', accepted: true });
		expect(desk.records().at(-1)).toBe('cash_returned');
		expect(desk.state).toMatchObject({ doubtful: null, session: { inDoubt: [], entries: [] } });
	});

	test('stays with an invoice that is opened again, and does not follow to another', () => {
		expect(inDoubt().open().state.session?.inDoubt).toMatchObject([{ nominal: 50_000 }]);
		const other = inDoubt().do({ kind: 'open', payment: { ...INVOICE, id: 8 }, entries: [], paid: null });
		expect(other.state.session?.inDoubt).toEqual([]);
		other.stack('0x45', true);
		expect(other.told()).toContainEqual(expect.objectContaining({ type: 'payment_cash_notification', id: 7 }));
		expect(other.state.session?.entries).toEqual([]);
	});

	test('about a newer note stays when a person settles an older one of the invoice', () => {
		const desk = new Desk()
			.open()
			.escrow('0x46')
			.hear(DOUBT)
			.do(settle('an older note', 50_000, true));
		expect(desk.state).toMatchObject({ enabled: false, doubtful: { nominal: 100_000 }, session: { inDoubt: [{ nominal: 100_000 }] } });
		desk.do(settle('another older note', 20_000, false));
		expect(desk.state).toMatchObject({ enabled: false, doubtful: { nominal: 100_000 }, session: { inDoubt: [{ nominal: 100_000 }] } });
	});

	test('settled: the customer who waits hears what became of it, and the outbox of what is new', () => {
		const back = inDoubt();
		back.do(settle(idOf(back), 50_000, false));
		expect(back.told().slice(-2)).toEqual([{ type: 'kiosk_note_returned', nominal: 50_000, reason: 'rejected_by_machine' }, ready]);
		expect(back.count('upload')).toBe(0);
		const found = inDoubt();
		found.do(settle(idOf(found), 50_000, true));
		expect(found.told()).toContainEqual(expect.objectContaining({ type: 'payment_cash_notification', id: 7, nominal: 50_000, time: TIME }));
		expect(found.count('upload')).toBe(1);
	});

	test.each(['8', null])('settled for %s while nobody, or somebody else, pays: only the outbox hears of it', (payment_id) => {
		for (const desk of [new Desk(), new Desk().open()]) {
			desk.do(settle('a note', 50_000, true, payment_id));
			expect(desk.count('upload')).toBe(1);
			desk.do(settle('another note', 50_000, false, payment_id));
			expect([desk.count('upload'), desk.told().filter(({ type }) => type !== 'machine_ready')]).toEqual([1, []]);
			expect(desk.state.session?.entries ?? []).toEqual([]);
		}
	});
});

describe('a stacked byte that no accepted note explains', () => {
	const stray = (code: string | null, late = false): AcceptorReport => ({ kind: 'stacked', accepted: false, late, code });

	test.each([
		['0x46', 100_000],
		['0x49', null],
		[null, null],
	])('of type %s is listed with what is known of it', (code, nominal) => {
		const desk = new Desk().open().hear(stray(code));
		const record = lastRecord(desk);
		expect(record).toMatchObject({ kind: 'cash_unexplained', code, nominal, time: TIME });
		expect(desk.logged().at(-1)).toMatchObject([
			'cash.note_unexplained',
			{ note_id: record && 'note_id' in record && record.note_id, nominal },
		]);
	});

	test('is evidence about the newest note in doubt, once, and with its time', () => {
		const desk = new Desk(POLICY, 'the note of the earlier run').hear(stray(null)).hear(stray(null));
		expect(desk.records()).toEqual(['cash_evidence', 'cash_unexplained']);
		expect(desk.happened).toContainEqual({
			kind: 'written',
			record: {
				kind: 'cash_evidence',
				note_id: 'the note of the earlier run',
				what: `the acceptor said "stacked" after a restart, at ${TIME}`,
			},
		});
	});

	test('is evidence until the time for it is over, and no longer after a new note came', () => {
		const suspected = () => new Desk(POLICY, 'a');
		expect(suspected().do({ kind: 'suspect_over', note_id: 'b' }).hear(stray(null)).records()).toEqual(['cash_evidence']);
		expect(suspected().do({ kind: 'suspect_over', note_id: 'a' }).hear(stray(null)).records()).toEqual(['cash_unexplained']);
		expect(suspected().escrow('0x46').hear(stray(null)).records()).toEqual(['cash_unexplained']);
	});

	test('says nothing new about a note that a person has found in the box', () => {
		const desk = new Desk(POLICY, 'a').do(settle('a', 50_000, true)).hear(stray(null));
		expect(desk.records()).toEqual([]);
		expect(desk.logged().at(-1)).toMatchObject(['cash.found_again', { note_id: 'a' }]);
		expect(desk.hear(stray(null)).records()).toEqual(['cash_unexplained']);
	});

	test('is a note of its own when another one came after the one that was found', () => {
		const desk = new Desk(POLICY, 'a')
			.do(settle('a', 50_000, true))
			.open()
			.escrow('0x49')
			.hear(stray('0x49'));
		expect(desk.records()).toEqual(['cash_unexplained']);
	});

	test('is still evidence about the newest doubt when an older note was settled, and not about one that is back', () => {
		expect(
			new Desk(POLICY, 'new')
				.do(settle('old', 50_000, false))
				.hear(stray(null))
				.records(),
		).toEqual(['cash_evidence']);
		expect(
			new Desk(POLICY, 'new')
				.do(settle('old', 50_000, true))
				.hear(stray(null))
				.records(),
		).toEqual(['cash_evidence']);
		expect(
			new Desk(POLICY, 'new')
				.do(settle('new', 50_000, false))
				.hear(stray(null))
				.records(),
		).toEqual(['cash_unexplained']);
	});
});

describe('what the machine says of itself', () => {
	test('is logged and shown; what is missing in the settings comes first', () => {
		const desk = new Desk().open().hear({ kind: 'state', state: 'bill_jam' });
		expect(desk.told().at(-1)).toEqual(shown('bill_jam'));
		expect(desk.logged().at(-1)).toMatchObject(['acceptor.state', { state: 'bill_jam' }]);
		const unmapped = new Desk({ ...POLICY, notes: new Map() }).open();
		expect(unmapped.told()).toEqual([shown('note_map_missing')]);
		expect(unmapped.commands()).toEqual([]);
	});

	test('ready without a customer is shown as inhibited', () => {
		expect(new Desk().hear({ kind: 'state', state: 'ready' }).told()).toEqual([shown('inhibited')]);
	});

	test('somebody pulled at a note: locked on disk, once, and unlocked by a person', () => {
		const desk = new Desk().hear({ kind: 'state', state: 'bill_jam' });
		expect(desk.records()).toEqual([]);
		desk.hear({ kind: 'state', state: 'bill_fish' }).hear({ kind: 'state', state: 'bill_fish' });
		const why = 'the acceptor reported that a note was pulled back';
		expect(desk.records()).toEqual(['acceptor_lock']);
		expect(lastRecord(desk)).toMatchObject({ locked: true, why });
		expect(desk.logged()).toContainEqual(['acceptor.locked', expect.objectContaining({ why })]);
		desk.do({ kind: 'written', record: { kind: 'acceptor_lock', lock_id: 'x', locked: false, why: 'Sari looked' } });
		expect(desk.logged().at(-1)).toMatchObject(['acceptor.unlocked', { why: 'Sari looked' }]);
	});
});

describe('a disk that refuses', () => {
	const refused = (desk: Desk) => {
		desk.failWrites = true;
		return desk;
	};

	test.each<[string, AcceptorReport]>([
		['credit', { kind: 'stacked', accepted: true, late: false, code: '0x45' }],
		['return', { kind: 'returned', accepted: true }],
		['doubt', DOUBT],
	])('the %s: the note is in doubt, and the log says whose record is missing', (_what, report) => {
		const desk = refused(new Desk().open().escrow('0x45')).hear(report);
		const note_id = idOf(desk);
		expect(desk.logged().slice(-2)).toMatchObject([
			['cash.credit_not_recorded', { note_id }],
			['cash.note_in_doubt', { note_id, nominal: 50_000, invoice, payment_id: 7, why: 'no space' }],
		]);
		expect(desk.state).toMatchObject({
			note: null,
			doubtful: { note_id },
			trouble: 'disk_full',
			session: { inDoubt: [{ nominal: 50_000 }] },
		});
	});

	test('the word that all is paid: the customer hears it all the same', () => {
		const desk = refused(new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').stack('0x45')).do({
			kind: 'paid_by_back_office',
			id: 7,
		});
		expect(desk.told()).toContainEqual({ type: 'payment_notification', id: 7, is_paid: true });
		expect(desk.told().at(-1)).toEqual(shown('disk_full'));
	});

	test('and is well again without anything in doubt: nothing happens', () => {
		const desk = new Desk().open().do({ kind: 'journal', trouble: 'disk_full', kept: false });
		const before = desk.records();
		expect(desk.do({ kind: 'journal', trouble: null, kept: false }).records()).toEqual(before);
		expect(desk.told().at(-1)).toEqual(ready);
	});
});

test('an invoice that was covered is still covered when it is opened again, and another one is not', () => {
	const covered = () => new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').stack('0x45');
	expect(covered().open().state).toMatchObject({ enabled: false, session: { paid: 'covered' } });
	const other = covered().do({ kind: 'open', payment: { ...INVOICE, id: 8 }, entries: [], paid: null });
	expect(other.state).toMatchObject({ enabled: true, session: { paid: 'no' } });
});

test('nothing in is not enough, not even for an invoice of nothing', () => {
	const desk = new Desk().do({ kind: 'open', payment: { ...INVOICE, total: rupiah(0) }, entries: [], paid: null });
	expect([desk.count('wait_for_paid'), desk.state.session?.paid]).toEqual([0, 'no']);
});

test('words about a session that is not there change nothing', () => {
	const desk = new Desk().do({ kind: 'paid_wait_over', id: 7 }).do({ kind: 'back_office_unreachable' }).do({ kind: 'close' }).hear(DOUBT);
	expect([desk.records(), desk.closed()]).toEqual([[], 0]);
});

describe('a picture that is dead', () => {
	const picture = (frozen: boolean) => ({ kind: 'picture', frozen }) as const;

	test('closes the machine, says why once, and opens it again for the same session with what is in', () => {
		const desk = new Desk().open().escrow('0x45').stack('0x45').do(picture(true)).do(picture(true));
		expect(desk.commands().slice(-1)).toEqual(['inhibit']);
		expect(desk.told().at(-1)).toEqual(shown('screen_frozen'));
		const about = { invoice, payment_id: 7, received: 50_000 };
		expect(desk.logged().filter(([id]) => id === 'cash.screen_frozen')).toEqual([['cash.screen_frozen', about]]);
		desk.escrow('0x45');
		expect([desk.commands().at(-1), desk.returned()]).toEqual(['reject', ['screen_frozen']]);
		desk.do(picture(false));
		expect(desk.logged().at(-1)).toEqual(['cash.screen_drawn', about]);
		expect([desk.commands().at(-1), desk.told().at(-1)]).toEqual(['enable', ready]);
		expect(desk.escrow('0x45').stack('0x45').state.session?.entries).toHaveLength(2);
	});

	test('does not hide what else is wrong, nor open the machine while that stands', () => {
		const jammed = new Desk().open().do(picture(true)).hear({ kind: 'state', state: 'bill_jam' });
		expect(jammed.told().at(-1)).toEqual(shown('bill_jam'));
		const full = new Desk().open().do(picture(true)).do({ kind: 'journal', trouble: 'disk_full', kept: false }).do(picture(false));
		expect([full.told().at(-1), full.state.enabled]).toEqual([shown('disk_full'), false]);
		const doubtful = new Desk().open().escrow('0x45').do(picture(true)).hear(DOUBT).do(picture(false));
		expect([doubtful.told().at(-1), doubtful.state.enabled]).toEqual([shown('note_in_doubt'), false]);
		const covered = new Desk().open().escrow('0x46').stack('0x46').escrow('0x45').do(picture(true)).stack('0x45');
		expect([covered.told().at(-1), covered.do(picture(false)).state.enabled]).toEqual([shown('inhibited'), false]);
	});

	test('is not forgotten by a session that reads its books again, and means nothing without one', () => {
		expect(new Desk().open().do(picture(true)).open().state.enabled).toBe(false);
		const none = new Desk().do(picture(true));
		expect([none.logged(), none.open().state.enabled]).toEqual([[], true]);
	});
});
