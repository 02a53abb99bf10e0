import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { directory, journal, journalOfEachTest, openAgain, TIME, take } from './journal.fixture.ts';
import { ACCOUNT, keyOf, paidBy, paymentOf, saidPaid } from './payment.fixture.ts';
import type { JournalRecord } from './records.ts';

const TOTAL = rupiah(137_500);

journalOfEachTest();

const sent = (attempt_id: string, id = 7): JournalRecord => ({
	kind: 'card_sale',
	attempt_id,
	payment: paymentOf(id),
	amount: TOTAL,
	method: 'card',
	attempt: 1,
	time: TIME,
});
const outcome = (attempt_id: string, outcome: 'approved' | 'declined', late = false): JournalRecord => ({
	kind: 'card_outcome',
	attempt_id,
	outcome,
	response: null,
	late,
});
const unknown = (attempt_id: string): JournalRecord => ({ kind: 'card_unknown', attempt_id, why: 'silence', response: null });

function begin(id = 7): string {
	const attempt_id = randomUUID();
	journal.append(sent(attempt_id, id));
	return attempt_id;
}
const refused = (record: JournalRecord) => expect(() => journal.append(record)).toThrow();

test('the journal refuses a sale while another sale is open or unknown, and for an invoice with an approved sale', () => {
	const first = begin();
	refused(sent(randomUUID(), 8));
	journal.append(unknown(first));
	refused(sent(randomUUID(), 8));
	journal.append(outcome(first, 'approved', true));
	refused(sent(randomUUID(), 7));
	begin(8);
	expect(paidBy(journal, 7)).toBe('kiosk');
	expect(paidBy(journal, 8)).toBeNull();
});

test('the journal refuses a second outcome, an outcome without a sale, and an outcome not marked late for an unknown sale', () => {
	const attempt_id = begin();
	journal.append(unknown(attempt_id));
	refused(outcome(attempt_id, 'approved'));
	journal.append(outcome(attempt_id, 'declined', true));
	refused(outcome(attempt_id, 'approved', true));
	refused(outcome(randomUUID(), 'approved'));
	refused({ kind: 'card_approval_sent', attempt_id });
	refused({ kind: 'card_settled', settle_id: randomUUID(), attempt_id, outcome: 'charged', by: 'Sari', why: 'x' });
});

test('approvals are queued in the order of approval, and each can be marked as sent only once', () => {
	const ids = [7, 8].map((id) => {
		const attempt_id = begin(id);
		journal.append(outcome(attempt_id, 'approved'));
		return attempt_id;
	});
	for (const attempt_id of ids) {
		expect(journal.cards.nextApproval(ACCOUNT)?.attempt_id).toBe(attempt_id);
		journal.append({ kind: 'card_approval_sent', attempt_id });
		refused({ kind: 'card_approval_sent', attempt_id });
	}
	expect(journal.cards.nextApproval(ACCOUNT)).toBeNull();
});

test('if the back office says that an invoice is paid, a charge for this invoice is listed as charged twice until it is voided', () => {
	const attempt_id = begin();
	journal.append(unknown(attempt_id));
	journal.append(saidPaid(7));
	expect(journal.cards.chargedTwice()).toEqual([]);
	journal.append(outcome(attempt_id, 'approved', true));
	expect(journal.cards.chargedTwice()).toMatchObject([{ attempt_id }]);
	const action_id = randomUUID();
	journal.append({ kind: 'card_action', action_id, action: 'void', attempt_id, by: 'Sari', why: 'twice', time: '' });
	journal.append({ kind: 'card_action_ended', action_id, outcome: 'done', why: '', response: null });
	expect(journal.cards.chargedTwice()).toEqual([]);
	expect(paidBy(journal, 7)).toBe('back_office');
});

test('a sale is not listed as charged twice if the surplus is only the change of a note', () => {
	const payment = paymentOf(7, { total: rupiah(177_500) });
	journal.append(outcome(begin(), 'approved'));
	const own = { notes_confirmed: rupiah(0), cards_confirmed: rupiah(0), told: TOTAL, nameless: TOTAL };
	journal.append({ kind: 'invoice_seen', seen_id: randomUUID(), payment, is_paid: false, listed: [], own, source: 'look_up', time: TIME });
	take(50_000);
	expect(journal.money.attention()).toMatchObject([{ state: 'paid_twice', twice: 10_000 }]);
	expect(journal.cards.chargedTwice()).toEqual([]);
});

test('a sale is found by the beginning of its id', () => {
	const attempt_id = begin();
	expect(journal.cards.find(attempt_id.slice(0, 8))).toMatchObject([{ attempt_id, payment: { noinvoice: 'INV/7' } }]);
	expect(journal.cards.find('zzzz')).toEqual([]);
});

test('a journal from before the first version with card sales can be opened and accepts card sales', () => {
	const note_id = take(50_000);
	journal.close();
	const db = new DatabaseSync(join(directory, 'journal.sqlite'));
	db.exec('DROP TABLE card_sales; DROP TABLE card_actions');
	db.close();
	openAgain();
	expect(journal.trouble()).toBeNull();
	expect(journal.notesOf(keyOf(7))).toMatchObject([{ note_id, state: 'credited' }]);
	expect(journal.cards.sale(begin(8))?.state).toBe('sent');
});

test('if a journal of an earlier version has no sale counts and no balances, the first start computes them, and later records update the counts', () => {
	const first = begin();
	journal.append(outcome(first, 'approved'));
	journal.append(saidPaid(7));
	journal.append(outcome(begin(8), 'declined'));
	const counts = () => Object.fromEntries(journal.cards.countByState().map(({ state, count }) => [state, count]));
	const before = { counts: counts(), twice: journal.cards.chargedTwice() };
	expect(before).toMatchObject({ counts: { approved: 1, declined: 1 }, twice: [{ attempt_id: first }] });
	journal.close();
	const db = new DatabaseSync(join(directory, 'journal.sqlite'));
	const triggers = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).all();
	for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
	db.exec('DROP TABLE card_counts; CREATE TABLE paid_twice (payment_id TEXT PRIMARY KEY); PRAGMA user_version = 0');
	db.prepare('INSERT INTO paid_twice VALUES (?)').run(keyOf(7));
	db.exec('DELETE FROM balances');
	db.close();
	for (let starts = 0; starts < 2; starts += 1) {
		openAgain();
		expect(counts()).toEqual({ approved: 1, declined: 1 });
		expect(journal.cards.chargedTwice()).toEqual(before.twice);
		if (starts === 0) journal.close();
	}
	journal.append(outcome(begin(9), 'declined'));
	expect(counts()).toMatchObject({ approved: 1, declined: 2 });
});
