import { type Rupiah, rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import type { Balance } from './balance.ts';
import { moneyBook } from './money-book.ts';
import { keysOfNumbers } from './payment-book.ts';
import { type JournalRecord, type PaymentKey, paymentKey } from './records.ts';
import type { Rows, Run } from './rows.ts';

/** @returns the balance from the records so far; `own`: the rupiah that this kiosk holds */
export function balanceOfRecords(payment_id: string, rows: Rows): Balance & { own: Rupiah } {
	const money = moneyBook(rows);
	return { ...money.balanceOf(payment_id as PaymentKey), own: money.ownMoney(payment_id as PaymentKey) };
}

/** Updates the list of invoices that need staff, in the same transaction as the record. */
export function refreshBalances(record: JournalRecord, seq: number, run: Run, rows: Rows): void {
	const numbers = paymentsChangedBy(record, rows).flatMap((key) => keysOfNumbers(rows, key));
	for (const key of new Set([...numbers, ...othersChangedBy(record, rows)])) refreshBalance(key, seq, run, rows);
}

/**
 * Computes the balance of a payment and updates its entry in the list of invoices that need staff.
 * @param seq number of the record after which the balance is computed
 */
export function refreshBalance(key: string, seq: number, run: Run, rows: Rows): void {
	run('DELETE FROM balances WHERE payment_id = ?', key);
	const { state, total, received, twice, why } = moneyBook(rows).balanceOf(key as PaymentKey);
	if (state === 'open' || state === 'paid') return;
	if (state !== 'dispute' && isSettled(key, state === 'paid_twice' ? twice : rupiah(0), rows)) return;
	run(
		'INSERT INTO balances (payment_id, state, total, received, twice, why, seq) VALUES (?, ?, ?, ?, ?, ?, ?)',
		key,
		state,
		total,
		received,
		twice,
		why,
		seq,
	);
}

/**
 * Whether staff have settled the invoice with a surplus of at least `twice`, and this kiosk has
 * received no money for the invoice since.
 */
const isSettled = (key: string, twice: Rupiah, rows: Rows): boolean =>
	rows(
		v.object({ settled: v.number() }),
		`SELECT coalesce((SELECT seq FROM settled WHERE payment_id = ?1 AND twice >= ?2), 0) > max(
			coalesce((SELECT max(coalesce(moved_seq, credited_seq)) FROM notes WHERE payment_id = ?1), 0),
			coalesce((SELECT max(approved_seq) FROM card_sales WHERE payment_id = ?1), 0)) AS settled`,
		key,
		twice,
	).some(({ settled }) => settled === 1);

/**
 * @returns keys of the payments that the record changes. The caller adds the keys of the invoice's
 * other numbers, because the back office may count the money under any number.
 */
function paymentsChangedBy(record: JournalRecord, rows: Rows): string[] {
	switch (record.kind) {
		case 'cash_credit':
		case 'cash_settled':
		case 'note_parked':
		case 'note_resent':
		case 'note_booked':
			return keys(rows, 'SELECT payment_id FROM notes WHERE note_id = ?', record.note_id);
		case 'note_moved':
			return [paymentKey(record.payment), record.from];
		case 'card_outcome':
		case 'card_unknown':
		case 'card_evidence':
		case 'card_settled':
			return keys(rows, 'SELECT payment_id FROM card_sales WHERE attempt_id = ?', record.attempt_id);
		case 'card_action_ended':
			return keys(
				rows,
				'SELECT payment_id FROM card_sales WHERE attempt_id = (SELECT attempt_id FROM card_actions WHERE action_id = ?)',
				record.action_id,
			);
		case 'money_given_back':
		case 'partial_settled':
		case 'invoice_reviewed':
			return [record.payment_id];
		case 'invoice_seen':
			return [paymentKey(record.payment)];
		default:
			return [];
	}
}

/**
 * Payments whose newest list from the back office names the note. The query needs no index, because
 * staff seldom move a note.
 */
const LISTING = `SELECT invoices.payment_id FROM invoices JOIN records ON records.seq = seen_seq JOIN notes ON notes.note_id = ?1
	WHERE seen_seq > credited_seq AND instr(body, ?1) > 0`;

/**
 * Payments whose newest list names a note of this payment; none if no money of this payment was
 * given back. If this payment loses a card charge, another part of its notes counts as given back.
 */
const LISTING_ANY = `SELECT DISTINCT invoices.payment_id FROM (SELECT 1 FROM given_back WHERE payment_id = ?1 LIMIT 1)
	CROSS JOIN invoices JOIN records ON records.seq = seen_seq JOIN json_each(body, '$.listed') AS entry
	WHERE seen_seq > (SELECT min(credited_seq) FROM notes WHERE payment_id = ?1)
		AND entry.value ->> 'note_id' IN (SELECT note_id FROM notes WHERE payment_id = ?1)`;

/**
 * @returns keys of other invoices. The newest list of each may name a note of a payment that the
 * record changes
 */
function othersChangedBy(record: JournalRecord, rows: Rows): string[] {
	switch (record.kind) {
		case 'note_moved':
			return keys(rows, LISTING, record.note_id);
		case 'money_given_back':
			return keys(rows, `SELECT payment_id FROM balances WHERE state = 'dispute'`);
		case 'card_evidence':
		case 'card_settled':
		case 'card_action_ended':
			return paymentsChangedBy(record, rows).flatMap((key) => keys(rows, LISTING_ANY, key));
		case 'card_outcome':
			return record.late ? paymentsChangedBy(record, rows).flatMap((key) => keys(rows, LISTING_ANY, key)) : [];
		default:
			return [];
	}
}

const keys = (rows: Rows, sql: string, ...parameters: string[]): string[] =>
	rows(v.object({ payment_id: v.nullable(v.string()) }), sql, ...parameters).flatMap(({ payment_id }) => payment_id ?? []);
