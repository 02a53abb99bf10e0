import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFileForGood } from '../base/replace-file.ts';
import { moneyBook } from './money-book.ts';
import { owedChange } from './owed-change.ts';
import { PAYMENT_OF } from './payment-book.ts';
import type { PaymentKey } from './records.ts';
import type { Rows } from './rows.ts';
import { readStore, type Store } from './store.ts';

/**
 * Open items of a retired journal, for staff to compare with cashbox, slips and back office. null:
 * this part of the file cannot be read.
 */
export interface LeftOpen {
	/** Notes in doubt, and credited notes that the back office has not confirmed. */
	notes: Record<string, unknown>[] | null;
	/**
	 * Card sales with unknown outcome or an unfinished void, and approved sales that were not
	 * reported to the back office.
	 */
	card_sales: Record<string, unknown>[] | null;
	/** Invoices that need a staff decision: paid in part or twice, or in dispute. */
	invoices: Record<string, unknown>[] | null;
	/**
	 * Change that no record shows as given to the customer, for the newest cash payments; newest
	 * first.
	 */
	change: Record<string, unknown>[] | null;
	/**
	 * Notes since the cashbox was last counted, rupiah; includes notes in a removed box that is not
	 * counted.
	 */
	in_cashbox: number | null;
	/** Removed cashboxes that are not counted yet. */
	uncounted_boxes: number | null;
	/** Number of the newest record in the file. */
	newest: number | null;
}

const NOTES = `SELECT note_id, noinvoice, nominal, time, state, why FROM notes WHERE state IN ('intended', 'in_doubt')
	OR (credited_seq IS NOT NULL AND uploaded_seq IS NULL AND payment_id IS NOT NULL) ORDER BY time`;
const SALES = `SELECT attempt_id, payment ->> 'noinvoice' AS noinvoice, amount, time, state, why FROM card_sales
	WHERE state IN ('sent', 'unknown') OR (approved_seq IS NOT NULL AND relayed_seq IS NULL)
	OR attempt_id IN (SELECT attempt_id FROM card_actions WHERE action = 'void' AND state = 'asked') ORDER BY sent_seq`;
const INVOICES = `SELECT ${PAYMENT_OF('payment_id')} ->> 'noinvoice' AS noinvoice, state, received, total, why FROM balances ORDER BY seq`;
/**
 * Sum of the notes since the last count. A settled note belongs to the box into which it fell,
 * regardless of when it was settled.
 */
const IN_CASHBOX = `SELECT coalesce(sum(nominal), 0) AS total FROM notes WHERE state = 'credited' AND coalesce(
	(SELECT begun.seq FROM records AS settled JOIN records AS begun ON begun.subject = settled.subject AND begun.kind IN ('cash_intent', 'cash_unexplained')
		WHERE settled.seq = credited_seq AND settled.kind = 'cash_settled'), credited_seq) > (SELECT coalesce(max(coalesce((SELECT removed.seq FROM records AS removed
		WHERE removed.kind = 'cashbox_removed' AND removed.subject = counted.body ->> 'removal'), counted.seq)), 0)
		FROM records AS counted WHERE counted.kind = 'cashbox_collected')`;
const UNCOUNTED = 'SELECT count(*) AS boxes FROM box_removals WHERE collected_seq IS NULL';
/**
 * Number of newest cash payments that are examined; they cover some months. Examining one payment
 * takes about a millisecond.
 */
const JUDGED_PAYMENTS = 2_000;
const CASH_PAYMENTS = `SELECT payment_id, noinvoice, max(time) AS time FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL
	GROUP BY payment_id ORDER BY max(credited_seq) DESC LIMIT ${JUDGED_PAYMENTS}`;
const NEWEST = 'SELECT coalesce(max(seq), 0) AS seq FROM records';

/** An event that no journal contains, because the journal could not be written when it happened. */
export type Unwritten = Readonly<Record<string, unknown>>;
const Saved = v.object({ unwritten: v.array(v.record(v.string(), v.unknown())) });

/**
 * Reads the open items as far as possible and saves them beside the old journal as `open.json`.
 * @param folder the retired journal's folder
 * @param unwritten events to save with the open items
 * @returns null if nothing can be read
 */
export function readLeftOpen(folder: string, unwritten: readonly Unwritten[]): LeftOpen | null {
	const found = readOpen(folder);
	const file = leftOpenFile(folder);
	keep(file, { ...found, unwritten: [...savedUnwritten(file), ...unwritten] });
	return found;
}

/** @param folder the retired journal's folder */
export const leftOpenFile = (folder: string): string => join(folder, 'open.json');

/** Saves the open items if the kiosk stopped between beginning the new journal and saving them. */
export function saveLeftOpen(folder: string): void {
	if (!existsSync(leftOpenFile(folder))) readLeftOpen(folder, []);
}

function readOpen(folder: string): LeftOpen | null {
	const opened = readStore(folder);
	if (!opened.ok) return null;
	try {
		const found = openIn(opened.value);
		return Object.values(found).every((part) => part === null) ? null : found;
	} finally {
		opened.value.close();
	}
}

/**
 * @returns the unwritten events that an earlier attempt saved. If a full disk refuses the new head,
 * the restart is repeated for the same folder, but only the first attempt knew these events
 */
function savedUnwritten(file: string): Unwritten[] {
	try {
		return v.parse(Saved, JSON.parse(readFileSync(file, 'utf8'))).unwritten;
	} catch {
		return [];
	}
}

/**
 * Saves the whole file or nothing. If a full disk or a power cut prevents this, the next start
 * tries again.
 */
function keep(file: string, found: object): void {
	try {
		replaceFileForGood(file, `${JSON.stringify(found, null, '\t')}\n`);
	} catch {
		// If the disk is full, staff still have the output of the command that restarts the journal.
	}
}

const MOVING = `SELECT time FROM notes WHERE state IN ('intended', 'in_doubt') AND payment_id IS NOT NULL ORDER BY time`;

/**
 * @param directory folder of an unusable journal
 * @returns the times at which the notes without a certain outcome were in escrow, ISO 8601. After
 * the clock was set back, the newest note may not have the latest time, so all times are needed.
 */
export function openNoteTimes(directory: string): string[] {
	const opened = readStore(directory);
	if (!opened.ok) return [];
	try {
		return opened.value.rows(MOVING).map(({ time }) => String(time));
	} catch {
		return [];
	} finally {
		opened.value.close();
	}
}

const openIn = (store: Pick<Store, 'rows'>): LeftOpen => ({
	notes: readable(() => store.rows(NOTES)),
	card_sales: readable(() => store.rows(SALES)),
	invoices: readable(() => store.rows(INVOICES)),
	change: readable(() => changeIn(store)),
	in_cashbox: readable(() => Number(store.rows(IN_CASHBOX)[0]?.total)),
	uncounted_boxes: readable(() => Number(store.rows(UNCOUNTED)[0]?.boxes)),
	newest: readable(() => Number(store.rows(NEWEST)[0]?.seq)),
});

/**
 * @returns one of the lists, or null if it cannot be read: one damaged page makes only some of the
 * lists unreadable
 */
function readable<T>(read: () => T): T | null {
	try {
		return read();
	} catch {
		return null;
	}
}

function changeIn(store: Pick<Store, 'rows'>): NonNullable<LeftOpen['change']> {
	const rows: Rows = (schema, sql, ...parameters) => store.rows(sql, ...parameters).map((row) => v.parse(schema, row));
	const money = moneyBook(rows);
	return store.rows(CASH_PAYMENTS).flatMap(({ payment_id, noinvoice, time }): NonNullable<LeftOpen['change']> => {
		try {
			const change = owedChange(money, String(payment_id) as PaymentKey);
			return change > 0 ? [{ noinvoice, change, time }] : [];
		} catch {
			return [{ noinvoice, time, why: 'its records are damaged, so its change is unknown' }];
		}
	});
}
