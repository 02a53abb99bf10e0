import { type Rupiah, rupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import type { Balance } from './balance.ts';
import { keysOfNumbers, moneyBook } from './money-book.ts';
import { type JournalRecord, type PaymentKey, paymentKey } from './records.ts';
import type { Rows, Run } from './rows.ts';

/** @returns the balance from the records so far, and the rupiah of it that this kiosk holds */
export function balanceOfRecords(payment_id: string, rows: Rows): Balance & { own: Rupiah } {
	const money = moneyBook(rows);
	return { ...money.balanceOf(payment_id as PaymentKey), own: money.ownMoney(payment_id as PaymentKey) };
}

/** Keeps the list of invoices that need staff, in the transaction of the record that changes it. */
export function refreshBalances(record: JournalRecord, seq: number, run: Run, rows: Rows): void {
	for (const key of paymentsChangedBy(record, rows)) refreshBalance(key, seq, run, rows);
}

/** @param seq record since which this state holds */
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

/** Whether staff have settled the invoice and no money has come in since. */
const isSettled = (key: string, twice: Rupiah, rows: Rows): boolean =>
	rows(
		v.object({ settled: v.number() }),
		`SELECT coalesce((SELECT seq FROM settled WHERE payment_id = ?1 AND twice >= ?2), 0) > max(
			coalesce((SELECT max(coalesce(moved_seq, credited_seq)) FROM notes WHERE payment_id = ?1), 0),
			coalesce((SELECT max(approved_seq) FROM card_sales WHERE payment_id = ?1), 0)) AS settled`,
		key,
		twice,
	).some(({ settled }) => settled === 1);

function paymentsChangedBy(record: JournalRecord, rows: Rows): string[] {
	switch (record.kind) {
		case 'cash_credit':
		case 'cash_settled':
		case 'note_resent':
		case 'note_booked':
			return keys(rows, 'SELECT payment_id FROM notes WHERE note_id = ?', record.note_id);
		case 'note_moved':
			return [...keysOfNumbers(rows, paymentKey(record.payment)), ...keysOfNumbers(rows, record.from), ...inDispute(rows)];
		case 'card_outcome':
		case 'card_unknown':
		case 'card_evidence':
		case 'card_settled':
			return anyNumber(rows, 'SELECT payment_id FROM card_sales WHERE attempt_id = ?', record.attempt_id);
		case 'card_action_ended':
			return anyNumber(
				rows,
				'SELECT payment_id FROM card_sales WHERE attempt_id = (SELECT attempt_id FROM card_actions WHERE action_id = ?)',
				record.action_id,
			);
		case 'money_given_back':
			// The back office may count this money under another number of the invoice.
			return [...keysOfNumbers(rows, record.payment_id), ...inDispute(rows)];
		case 'partial_settled':
		case 'invoice_reviewed':
			return [record.payment_id];
		case 'invoice_seen':
			return [paymentKey(record.payment)];
		default:
			return [];
	}
}

/** The list of another invoice may name the note whose money has gone. */
const inDispute = (rows: Rows): string[] => keys(rows, `SELECT payment_id FROM balances WHERE state = 'dispute'`);

/** The back office may list a card sale under another number of the invoice. */
const anyNumber = (rows: Rows, sql: string, ...parameters: string[]): string[] =>
	keys(rows, sql, ...parameters).flatMap((key) => keysOfNumbers(rows, key));

const keys = (rows: Rows, sql: string, ...parameters: string[]): string[] =>
	rows(v.object({ payment_id: v.nullable(v.string()) }), sql, ...parameters).flatMap(({ payment_id }) => payment_id ?? []);
