import { randomUUID } from 'node:crypto';
/** What is heard of a note whose end is not known, until a byte or a person tells it. */
import { describe, expect, test } from 'vitest';
import { rupiah } from '../../contract/money.ts';
import type { CashEvent } from './cash-state.ts';
import type { AcceptorReport } from './driver.ts';
import { Desk, DOUBT, INVOICE, KEY, OTHER_KEY, POLICY, READY, shownAs, TIME } from './test-bench.ts';

const { noinvoice: invoice } = INVOICE;
const settle = (note_id: string, nominal: number, inBox: boolean, payment_id: string | null = KEY): CashEvent => ({
	kind: 'settled',
	note_id,
	payment_id,
	nominal: rupiah(nominal),
	entry: inBox ? { note_id, nominal: rupiah(nominal), time: TIME } : null,
});

describe('doubt', () => {
	const inDoubt = () => new Desk().open().escrow('0x45').hear(DOUBT);

	test('is told with the note, its value and why; a late stacked byte ends it', () => {
		const desk = inDoubt();
		const note_id = desk.noteId();
		expect(desk.told().slice(-2)).toEqual([{ type: 'kiosk_note_in_doubt', id: 7, note_id, nominal: 50_000 }, shownAs('note_in_doubt')]);
		expect(desk.logged().at(-1)).toMatchObject([
			'cash.note_in_doubt',
			{ note_id, nominal: 50_000, invoice, payment_id: 7, why: 'silence' },
		]);
		desk.stack('0x45', true);
		expect(desk.logged().at(-1)).toMatchObject(['cash.note_credited', { note_id, nominal: 50_000, invoice, payment_id: 7, late: true }]);
		expect(desk.told().at(-1)).toEqual(READY);
	});

	test('ends when the note comes back after all', () => {
		const desk = inDoubt().hear({ kind: 'returned', accepted: true });
		expect(desk.records().at(-1)).toBe('cash_returned');
		expect(desk.state).toMatchObject({ doubtful: null, session: { inDoubt: [], entries: [] } });
	});

	test('stays with an invoice that is opened again, and does not follow to another', () => {
		expect(inDoubt().open().state.session?.inDoubt).toMatchObject([{ nominal: 50_000 }]);
		const other = inDoubt().do({ kind: 'open', payment: { ...INVOICE, id: 8 }, entries: [], paid: null, paid_id: randomUUID() });
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
		back.do(settle(back.noteId(), 50_000, false));
		expect(back.told().slice(-2)).toEqual([{ type: 'kiosk_note_returned', nominal: 50_000, reason: 'rejected_by_machine' }, READY]);
		expect(back.count('upload')).toBe(0);
		const found = inDoubt();
		found.do(settle(found.noteId(), 50_000, true));
		expect(found.told()).toContainEqual(expect.objectContaining({ type: 'payment_cash_notification', id: 7, nominal: 50_000, time: TIME }));
		expect(found.count('upload')).toBe(1);
	});

	test.each([OTHER_KEY, null])('settled for %s while no payment or another one is open: only the outbox hears of it', (payment_id) => {
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
		const record = desk.written().at(-1);
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
