import { randomUUID } from 'node:crypto';
/** A note in doubt is settled by a late outcome from the acceptor or by a staff decision. */
import { describe, expect, test } from 'vitest';
import type { AcceptorReport } from '../acceptor/driver.ts';
import { Desk, DOUBT, INVOICE, OTHER_KEY, POLICY, READY, settle, shownAs, TIME } from './cash-machine.fixture.ts';

const { noinvoice: invoice } = INVOICE;

describe('a note in doubt', () => {
	const inDoubt = () => new Desk().open().escrow('0x45').hear(DOUBT);

	test('is reported with its value and reason, and a late STACKED credits it', () => {
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

	test('is settled when the acceptor reports a late return', () => {
		const desk = inDoubt().hear({ kind: 'returned', accepted: true });
		expect(desk.records().at(-1)).toBe('cash_returned');
		expect(desk.state).toMatchObject({ doubtful: null, session: { inDoubt: [], entries: [] } });
	});

	test('stays with its invoice when this invoice or another is opened', () => {
		expect(inDoubt().open().state.session?.inDoubt).toMatchObject([{ nominal: 50_000 }]);
		const other = inDoubt().do({ kind: 'open', payment: { ...INVOICE, id: 8 }, entries: [], paid: null, paid_id: randomUUID() });
		expect(other.state.session?.inDoubt).toEqual([]);
		other.stack('0x45', true);
		expect(other.told()).toContainEqual(expect.objectContaining({ type: 'payment_cash_notification', id: 7 }));
		expect(other.state.session?.entries).toEqual([]);
	});

	test('stays in doubt when staff settle an older note of the same invoice', () => {
		const desk = new Desk().open().escrow('0x46').hear(DOUBT).do(settle('an older note', true));
		expect(desk.state).toMatchObject({ enabled: false, doubtful: { nominal: 100_000 }, session: { inDoubt: [{ nominal: 100_000 }] } });
		desk.do(settle('another older note', false, 20_000));
		expect(desk.state).toMatchObject({ enabled: false, doubtful: { nominal: 100_000 }, session: { inDoubt: [{ nominal: 100_000 }] } });
	});

	test('that staff settle is reported to the waiting customer, and a credit triggers an upload', () => {
		const back = inDoubt();
		back.do(settle(back.noteId(), false));
		expect(back.told().slice(-2)).toEqual([{ type: 'kiosk_note_returned', nominal: 50_000, reason: 'rejected_by_machine' }, READY]);
		expect(back.count('upload')).toBe(0);
		const found = inDoubt();
		found.do(settle(found.noteId(), true));
		expect(found.told()).toContainEqual(expect.objectContaining({ type: 'payment_cash_notification', id: 7, nominal: 50_000, time: TIME }));
		expect(found.count('upload')).toBe(1);
	});

	test.each([OTHER_KEY, null])(
		'that staff settle while its payment has no open session triggers an upload if the note is in the cashbox, and nothing else (payment of the note: %s)',
		(payment_id) => {
			for (const desk of [new Desk(), new Desk().open()]) {
				desk.do(settle('a note', true, 50_000, payment_id));
				expect(desk.count('upload')).toBe(1);
				desk.do(settle('another note', false, 50_000, payment_id));
				expect([desk.count('upload'), desk.told().filter(({ type }) => type !== 'machine_ready')]).toEqual([1, []]);
				expect(desk.state.session?.entries ?? []).toEqual([]);
			}
		},
	);
});

describe('an unexplained STACKED', () => {
	const stray = (code: string | null, late = false): AcceptorReport => ({ kind: 'stacked', accepted: false, late, code });

	test.each([
		['0x46', 100_000],
		['0x49', null],
		[null, null],
	])('with note code %s is listed for staff with the value %s', (code, nominal) => {
		const desk = new Desk().open().hear(stray(code));
		const record = desk.written().at(-1);
		expect(record).toMatchObject({ kind: 'cash_unexplained', code, nominal, time: TIME });
		expect(desk.logged().at(-1)).toMatchObject([
			'cash.note_unexplained',
			{ note_id: record && 'note_id' in record && record.note_id, nominal },
		]);
	});

	test('is recorded once as evidence about the newest note in doubt, with the time of the report', () => {
		const desk = new Desk(POLICY, 'the note of the earlier run').hear(stray(null)).hear(stray(null));
		expect(desk.records()).toEqual(['cash_evidence', 'cash_unexplained']);
		expect(desk.happened).toContainEqual({
			kind: 'written',
			record: {
				kind: 'cash_evidence',
				note_id: 'the note of the earlier run',
				what: `the acceptor later said "stacked" for a note, at ${TIME}`,
			},
		});
	});

	test('is no evidence after the time limit or after another note in escrow', () => {
		const suspected = () => new Desk(POLICY, 'a');
		expect(suspected().do({ kind: 'suspect_over', note_id: 'b' }).hear(stray(null)).records()).toEqual(['cash_evidence']);
		expect(suspected().do({ kind: 'suspect_over', note_id: 'a' }).hear(stray(null)).records()).toEqual(['cash_unexplained']);
		expect(suspected().escrow('0x46').hear(stray(null)).records()).toEqual(['cash_unexplained']);
	});

	test('about a note that staff found in the cashbox changes nothing, but the next STACKED is listed for staff', () => {
		const desk = new Desk(POLICY, 'a').do(settle('a', true)).hear(stray(null));
		expect(desk.records()).toEqual([]);
		expect(desk.logged().at(-1)).toMatchObject(['cash.found_again', { note_id: 'a' }]);
		expect(desk.hear(stray(null)).records()).toEqual(['cash_unexplained']);
	});

	test('is a separate note if another note was in escrow after staff found the note in doubt', () => {
		const desk = new Desk(POLICY, 'a').do(settle('a', true)).open().escrow('0x49').hear(stray('0x49'));
		expect(desk.records()).toEqual(['cash_unexplained']);
	});

	test('is evidence about the newest note in doubt even if staff settled an older note, but not if they settled the newest note as returned', () => {
		for (const [note_id, inBox, record] of [
			['old', false, 'cash_evidence'],
			['old', true, 'cash_evidence'],
			['new', false, 'cash_unexplained'],
		] as const) {
			const desk = new Desk(POLICY, 'new').do(settle(note_id, inBox)).hear(stray(null));
			expect(desk.records()).toEqual([record]);
		}
	});
});
