/**
 * Queries that the daemon makes when it starts: the newest note in doubt and the known accounts.
 */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, expect, test } from 'vitest';
import { journal, journalOfEachTest, openAgain } from './journal.fixture.ts';
import { ACCOUNT } from './payment.fixture.ts';
import type { JournalRecord } from './records.ts';

const TIME = '2026-11-21T14:31:08+07:00';
/** Wall clock, ms. */
let now: number;

journalOfEachTest(() => new Date(now));
beforeEach(() => {
	now = 1_000_000;
});

const write = (record: JournalRecord) => expect(journal.append(record)).toMatchObject({ ok: true });
function begin(outlet = ACCOUNT.outlet): string {
	const note_id = randomUUID();
	const payment = { account: { ...ACCOUNT, outlet }, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(137_500) };
	write({ kind: 'cash_intent', note_id, payment, nominal: rupiah(50_000), code: '0x45', time: TIME });
	return note_id;
}
function lose(): string {
	const note_id = begin();
	write({ kind: 'cash_in_doubt', note_id, why: 'silence' });
	return note_id;
}

test('the time of the newest doubt is null if no note was in doubt', () => {
	expect(journal.unheardDoubt()).toBeNull();
	write({ kind: 'cash_credit', note_id: begin(), late: false });
	expect(journal.unheardDoubt()).toBeNull();
});

test('the time of the newest doubt is the time of its record', () => {
	lose();
	now += 30_000;
	lose();
	now += 5_000;
	begin();
	expect(journal.unheardDoubt()).toBe(1_030_000);
});

test('a note in flight when the kiosk stopped is in doubt from the start of the next run', () => {
	begin();
	journal.close();
	now += 4_000;
	openAgain();
	expect(journal.unheardDoubt()).toBe(1_004_000);
});

test.each<[string, (note_id: string) => JournalRecord]>([
	['in the box', (note_id) => ({ kind: 'cash_credit', note_id, late: true })],
	['returned', (note_id) => ({ kind: 'cash_returned', note_id })],
	['perhaps in the box', (note_id) => ({ kind: 'cash_evidence', note_id, what: 'stacked' })],
])('after the acceptor reported the note as %s, no report is due', (_what, word) => {
	write(word(lose()));
	expect(journal.unheardDoubt()).toBeNull();
});

test.each(['in_box', 'returned'] as const)('the acceptor may still report a note that staff settled as %s', (outcome) => {
	const nominal = outcome === 'in_box' ? rupiah(50_000) : null;
	write({ kind: 'cash_settled', note_id: lose(), outcome, nominal, by: 'Sari', why: 'looked' });
	expect(journal.unheardDoubt()).toBe(1_000_000);
});

test('a doubt that is not among the newest 256 records is not found', () => {
	lose();
	for (let more = 0; more < 255; more += 1) write({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'again' });
	expect(journal.unheardDoubt()).toBe(1_000_000);
	write({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'again' });
	expect(journal.unheardDoubt()).toBeNull();
});

test('each account with a note in doubt, a waiting, parked or confirmed note, or a card sale is listed', () => {
	write({ kind: 'cash_in_doubt', note_id: begin('doubt'), why: 'silence' });
	for (const outlet of ['waiting', 'parked', 'confirmed', 'confirmed']) {
		const note_id = begin(outlet);
		write({ kind: 'cash_credit', note_id, late: false });
		if (outlet === 'confirmed') write({ kind: 'note_uploaded', note_id });
		if (outlet === 'parked') write({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: '404' });
	}
	const payment = { account: { ...ACCOUNT, outlet: 'card' }, id: 8, odoo_id: null, noinvoice: 'INV/8', total: rupiah(5_000) };
	write({ kind: 'card_sale', attempt_id: randomUUID(), payment, amount: rupiah(5_000), method: 'card', attempt: 1, time: TIME });
	const outlets = journal.accounts().map(({ outlet }) => outlet);
	expect(outlets.toSorted()).toEqual(['card', 'confirmed', 'doubt', 'parked', 'waiting']);
});
