/** Money given back in cash for a card sale that turns out not to be charged. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { directory, journal, journalOfEachTest, openAgain, TIME, take } from './journal.fixture.ts';
import { DECLINED, keyOf, paymentOf, saidPaid } from './payment.fixture.ts';
import { type JournalRecord, paymentKey } from './records.ts';

const TOTAL = rupiah(137_500);
const KEY = keyOf(7);
const BY = { by: 'Sari', why: 'compared' };

journalOfEachTest();

const settle = (attempt_id: string, outcome: 'charged' | 'not_charged') =>
	journal.append({ kind: 'card_settled', settle_id: randomUUID(), attempt_id, outcome, ...BY });
const giveBack = (amount: number = TOTAL) =>
	journal.append({ kind: 'money_given_back', give_id: randomUUID(), payment_id: KEY, amount: rupiah(amount), ...BY, time: TIME });
const review = () => journal.append({ kind: 'invoice_reviewed', review_id: randomUUID(), payment_id: KEY, ...BY });
const payInCash = () => [100_000, 20_000, 10_000, 5_000, 2_000, 500].forEach((nominal) => void take(nominal));
function sell(amount: number = TOTAL): string {
	const attempt_id = randomUUID();
	journal.append({ kind: 'card_sale', attempt_id, payment: paymentOf(7), amount: rupiah(amount), method: 'card', attempt: 1, time: TIME });
	return attempt_id;
}

/** A sale that staff settled as charged, and whose money they gave back in cash. @returns its id */
function giveBackForCard(): string {
	journal.append({ ...saidPaid(7), is_paid: false } as JournalRecord);
	const attempt_id = sell();
	journal.append({ kind: 'card_unknown', attempt_id, why: 'silence', response: null });
	settle(attempt_id, 'charged');
	giveBack();
	return attempt_id;
}

/**
 * Records that the terminal declined the sale late, and that staff settled the sale as not charged.
 */
function findNotCharged(attempt_id: string): void {
	journal.append({ kind: 'card_evidence', evidence_id: randomUUID(), attempt_id, what: 'declined', response: DECLINED, reopens: true });
	settle(attempt_id, 'not_charged');
}

test('the shortage is listed until a person reviews it', () => {
	const attempt_id = giveBackForCard();
	expect(journal.money.attention()).toEqual([]);
	findNotCharged(attempt_id);
	expect(journal.money.attention()).toMatchObject([{ state: 'dispute', why: 'Rp 137500 more was given back than this kiosk received' }]);
	expect(journal.money.afterReview(KEY)).toMatchObject({ state: 'open', due: TOTAL });
	review();
	expect(journal.money.attention()).toEqual([]);
	expect(journal.money.balanceOf(KEY)).toMatchObject({ state: 'open', due: TOTAL });
});

test('after the review, the customer pays the invoice only once, in cash', () => {
	findNotCharged(giveBackForCard());
	review();
	payInCash();
	expect(journal.money.balanceOf(KEY)).toMatchObject({ state: 'paid', received: TOTAL, due: 0 });
	expect(journal.money.ownMoney(KEY)).toBe(TOTAL);
	expect(journal.money.attention()).toEqual([]);
});

test('after the review, the customer pays the invoice only once, by card', () => {
	findNotCharged(giveBackForCard());
	review();
	const attempt_id = sell();
	journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
	expect(journal.money.balanceOf(KEY)).toMatchObject({ state: 'paid', received: TOTAL, due: 0 });
	expect(() => sell()).toThrow();
});

test('the shortage is not listed again when staff give change after the review', () => {
	findNotCharged(giveBackForCard());
	review();
	[100_000, 50_000].forEach((nominal) => void take(nominal));
	giveBack(12_500);
	expect(journal.money.balanceOf(KEY)).toMatchObject({ state: 'paid', received: TOTAL, excess: 0 });
	expect(journal.money.attention()).toEqual([]);
});

test('a second shortage is listed without the amount of the first, which a person has reviewed', () => {
	findNotCharged(giveBackForCard());
	review();
	findNotCharged(giveBackForCard());
	expect(journal.money.attention()).toMatchObject([{ state: 'dispute', why: 'Rp 137500 more was given back than this kiosk received' }]);
	review();
	expect(journal.money.attention()).toEqual([]);
});

test('money that the customer has paid since the give-back does not hide the shortage', () => {
	const attempt_id = giveBackForCard();
	payInCash();
	findNotCharged(attempt_id);
	expect(journal.money.attention()).toMatchObject([{ state: 'dispute', why: 'Rp 137500 more was given back than this kiosk received' }]);
	review();
	expect(journal.money.balanceOf(KEY)).toMatchObject({ state: 'paid', received: TOTAL });
});

test('money that the customer has paid since the give-back counts as received while the sale is unknown again', () => {
	const attempt_id = giveBackForCard();
	take(100_000);
	const counts = () => {
		expect(journal.money.balanceOf(KEY)).toMatchObject({ received: 100_000, due: 37_500, entries: [{ nominal: 100_000 }] });
		expect(journal.money.ownMoney(KEY)).toBe(100_000);
	};
	counts();
	journal.append({ kind: 'card_evidence', evidence_id: randomUUID(), attempt_id, what: 'declined', response: DECLINED, reopens: true });
	expect(journal.money.balanceOf(KEY).state).toBe('partial');
	counts();
	settle(attempt_id, 'charged');
	counts();
});

test('if the cashier removed the returned money from the list, a later note still counts in full while the sale is unknown again', () => {
	const seen = (cards_confirmed: number, notes_confirmed: number, ...listed: number[]) => {
		const own = { notes_confirmed, cards_confirmed, told: notes_confirmed + cards_confirmed };
		const entries = listed.map((nominal) => ({ nominal, note_id: null, time: TIME }));
		journal.append({ ...saidPaid(7), is_paid: false, own, listed: entries } as JournalRecord);
	};
	const attempt_id = sell(100_000);
	journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
	journal.append({ kind: 'card_approval_sent', attempt_id });
	seen(100_000, 0, 100_000);
	giveBack(80_000);
	seen(100_000, 0, 20_000);
	journal.append({ kind: 'note_uploaded', note_id: take(100_000) });
	seen(100_000, 100_000, 20_000, 100_000);
	const action_id = randomUUID();
	journal.append({ kind: 'card_action', action_id, action: 'void', attempt_id, ...BY, time: TIME });
	journal.append({ kind: 'card_action_ended', action_id, outcome: 'unknown', why: 'silence', response: null });
	expect(journal.money.balanceOf(KEY)).toMatchObject({ state: 'partial', received: 100_000 });
});

test('a note that staff move to another invoice after change was given back does not cause a shortage', () => {
	journal.append({ ...saidPaid(7), is_paid: false } as JournalRecord);
	const note_id = take(100_000);
	giveBack(50_000);
	take(100_000);
	journal.append({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'refused' });
	journal.append({ kind: 'note_moved', move_id: randomUUID(), note_id, from: KEY, payment: paymentOf(8), ...BY });
	expect(journal.money.ownMoney(KEY)).toBe(50_000);
	expect(journal.money.balanceOf(KEY)).toMatchObject({ received: 50_000, entries: [{ nominal: 50_000 }] });
	expect(journal.money.attention().map(({ state }) => state)).toEqual(['partial', 'partial']);
});

test('a note that staff moved to another invoice before the sale was found not charged no longer counts for the first invoice', () => {
	journal.append({ ...saidPaid(7), is_paid: false } as JournalRecord);
	const note_id = take(50_000);
	const attempt_id = sell(87_500);
	journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
	giveBack(87_500);
	journal.append({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'refused' });
	journal.append({ kind: 'note_moved', move_id: randomUUID(), note_id, from: KEY, payment: paymentOf(8), ...BY });
	findNotCharged(attempt_id);
	expect(journal.money.balanceOf(KEY)).toMatchObject({ state: 'dispute', short: 87_500 });
	review();
	take(50_000);
	expect(journal.money.balanceOf(KEY).received).toBe(50_000);
});

test('moving notes back and forth after the give-back does not reduce the shortage', () => {
	journal.append({ ...saidPaid(8), is_paid: false } as JournalRecord);
	const move = (note_id: string, from: number, to: number) => {
		journal.append({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'refused' });
		journal.append({ kind: 'note_moved', move_id: randomUUID(), note_id, from: keyOf(from), payment: paymentOf(to), ...BY });
	};
	const note_id = take(100_000, 8);
	findNotCharged(giveBackForCard());
	move(note_id, 8, 7);
	move(note_id, 7, 8);
	move(note_id, 8, 7);
	expect(journal.money.balanceOf(KEY).short).toBe(TOTAL);
	move(note_id, 7, 8);
	expect(journal.money.balanceOf(KEY).short).toBe(TOTAL);
});

test.each(['open', 'partial'])('a shortage of an invoice that was %s for an earlier version is listed after the update', (state) => {
	findNotCharged(giveBackForCard());
	if (state === 'partial') take(100_000);
	journal.close();
	const db = new DatabaseSync(join(directory, 'journal.sqlite'));
	db.exec(state === 'open' ? 'DELETE FROM balances' : `UPDATE balances SET state = 'partial', why = ''`);
	db.exec('PRAGMA user_version = 2');
	db.close();
	openAgain();
	expect(journal.money.attention()).toMatchObject([{ state: 'dispute' }]);
});

test('a note taken after a give-back does not pay another invoice whose list names the note', () => {
	giveBackForCard();
	const note_id = take(100_000);
	const listed = [{ nominal: rupiah(100_000), note_id, time: TIME }];
	journal.append({ ...saidPaid(8), listed, is_paid: false } as JournalRecord);
	expect(journal.money.balanceOf(keyOf(8)).why).toBe('the back office lists a note of Rp 100000 that was taken for INV/7');
	giveBack(100_000);
	expect(journal.money.balanceOf(keyOf(8)).why).toBe('');
});

test('if the invoice gets a new number, money paid after the review still counts as received', () => {
	const attempt_id = giveBackForCard();
	journal.append({ kind: 'card_approval_sent', attempt_id });
	findNotCharged(attempt_id);
	review();
	payInCash();
	const own = { notes_confirmed: TOTAL, cards_confirmed: rupiah(0), told: TOTAL };
	const listed = [{ nominal: TOTAL, note_id: null, time: TIME }];
	journal.append({ ...saidPaid(7), own, listed } as JournalRecord);
	expect(journal.money.balanceOf(KEY)).toMatchObject({ state: 'paid' });
	const payment = paymentOf(7, { noinvoice: 'INV/8' });
	journal.append({ ...saidPaid(7), payment, listed } as JournalRecord);
	expect(journal.money.balanceOf(paymentKey(payment))).toMatchObject({ state: 'paid', received: TOTAL });
});

test('if the invoice gets a new number, only the change given back after the review is deducted', () => {
	findNotCharged(giveBackForCard());
	review();
	[100_000, 50_000].forEach((nominal) => void take(nominal));
	giveBack(12_500);
	const received = rupiah(150_000);
	const own = { notes_confirmed: received, cards_confirmed: rupiah(0), told: received };
	const listed = [{ nominal: received, note_id: null, time: TIME }];
	journal.append({ ...saidPaid(7), own, listed } as JournalRecord);
	const payment = paymentOf(7, { noinvoice: 'INV/8' });
	journal.append({ ...saidPaid(7), payment, listed } as JournalRecord);
	expect(journal.money.balanceOf(paymentKey(payment))).toMatchObject({ state: 'paid', received: TOTAL });
});

test('if the invoice gets a new number whose list names a note taken after the review, the note counts as received', () => {
	findNotCharged(giveBackForCard());
	review();
	const note_id = take(100_000);
	const payment = paymentOf(7, { noinvoice: 'INV/8' });
	const listed = [{ nominal: rupiah(100_000), note_id, time: TIME }];
	journal.append({ ...saidPaid(7), payment, listed, is_paid: false } as JournalRecord);
	expect(journal.money.balanceOf(paymentKey(payment))).toMatchObject({ received: 100_000, due: 37_500 });
});

test('if the list of another invoice names a note taken after the review, that invoice is in dispute', () => {
	findNotCharged(giveBackForCard());
	review();
	const note_id = take(100_000);
	const listed = [{ nominal: rupiah(100_000), note_id, time: TIME }];
	journal.append({ ...saidPaid(8), listed, is_paid: false } as JournalRecord);
	expect(journal.money.balanceOf(keyOf(8))).toMatchObject({
		state: 'dispute',
		why: 'the back office lists a note of Rp 100000 that was taken for INV/7',
	});
});
