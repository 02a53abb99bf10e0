import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStore, type Store } from './store.ts';

/** Open items of a retired journal, for staff to compare with cashbox, slips and back office. */
export interface LeftOpen {
	/** In doubt, or credited and not confirmed by the back office. */
	notes: Record<string, unknown>[];
	/** With unknown outcome, or approved and not reported to the back office. */
	card_sales: Record<string, unknown>[];
	/** Invoices that need a decision of staff. */
	partial: Record<string, unknown>[];
	/** Notes credited since the cashbox was last counted, rupiah. */
	in_cashbox: number;
}

const NOTES = `SELECT note_id, noinvoice, nominal, time, state, why FROM notes WHERE state IN ('intended', 'in_doubt')
	OR (credited_seq IS NOT NULL AND uploaded_seq IS NULL AND payment_id IS NOT NULL) ORDER BY time`;
const SALES = `SELECT attempt_id, payment ->> 'noinvoice' AS noinvoice, amount, time, state, why FROM card_sales
	WHERE state IN ('sent', 'unknown') OR (approved_seq IS NOT NULL AND relayed_seq IS NULL) ORDER BY sent_seq`;
const PARTIAL = `SELECT noinvoice, balances.state, received, total, balances.why, min(time) AS since FROM balances JOIN notes USING (payment_id)
	WHERE notes.state = 'credited' GROUP BY payment_id ORDER BY since`;
const IN_CASHBOX = `SELECT coalesce(sum(nominal), 0) AS total FROM notes
	WHERE credited_seq > (SELECT coalesce(max(coalesce((SELECT removed.seq FROM records AS removed
		WHERE removed.kind = 'cashbox_removed' AND removed.subject = counted.body ->> 'removal'), counted.seq)), 0)
		FROM records AS counted WHERE counted.kind = 'cashbox_collected')`;

/**
 * Reads the open items as far as possible and saves them beside the old journal as `open.json`.
 * @param folder of the retired journal
 * @returns null if nothing can be read
 */
export function readLeftOpen(folder: string): LeftOpen | null {
	const opened = readStore(folder);
	if (!opened.ok) return null;
	try {
		const found = openIn(opened.value);
		writeFileSync(join(folder, 'open.json'), `${JSON.stringify(found, null, '\t')}\n`, { mode: 0o600 });
		return found;
	} catch {
		return null;
	} finally {
		opened.value.close();
	}
}

const openIn = (store: Pick<Store, 'rows'>): LeftOpen => ({
	notes: store.rows(NOTES),
	card_sales: store.rows(SALES),
	partial: store.rows(PARTIAL),
	in_cashbox: Number(store.rows(IN_CASHBOX)[0]?.total),
});
