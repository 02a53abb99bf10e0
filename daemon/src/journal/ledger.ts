import type { SQLInputValue } from 'node:sqlite';
import { applyBoxRecord } from './box-ledger.ts';
import { applyCardRecord } from './card-ledger.ts';
import type { JournalRecord } from './records.ts';

/** Runs one statement; @returns the number of changed rows */
export type Run = (sql: string, ...parameters: SQLInputValue[]) => number;

/**
 * What one record changes in what is true now. Each rule names the state it may start from, so a second credit, an upload
 * of a note that was never credited or an outcome for an unknown note is refused together with its record.
 */
export function applyToLedger(record: JournalRecord, seq: number, run: Run): void {
	const exactlyOne = (changes: number): void => {
		if (changes !== 1) throw new Error(`the ledger refuses ${record.kind} at record ${seq}: ${JSON.stringify(record)}`);
	};
	switch (record.kind) {
		case 'cash_intent': {
			const { payment } = record;
			return exactlyOne(
				run(
					`INSERT INTO notes (note_id, payment_id, id, odoo_id, noinvoice, nominal, time, state)
					VALUES (?, ?, ?, ?, ?, ?, ?, 'intended')`,
					record.note_id,
					String(payment.id),
					JSON.stringify(payment.id),
					JSON.stringify(payment.odoo_id),
					payment.noinvoice,
					record.nominal,
					record.time,
				),
			);
		}
		case 'cash_credit':
			exactlyOne(
				run(
					`UPDATE notes SET state = 'credited', credited_seq = ?
					WHERE note_id = ? AND payment_id IS NOT NULL AND (state = 'intended' OR (state = 'in_doubt' AND ?))`,
					seq,
					record.note_id,
					Number(record.late),
				),
			);
			return mayBePartial(record.note_id, run);
		case 'cash_returned':
			return exactlyOne(run(`UPDATE notes SET state = 'returned' WHERE note_id = ? AND state IN ('intended', 'in_doubt')`, record.note_id));
		case 'cash_in_doubt':
			return exactlyOne(
				run(`UPDATE notes SET state = 'in_doubt', why = ? WHERE note_id = ? AND state = 'intended'`, record.why, record.note_id),
			);
		case 'cash_unexplained':
			return exactlyOne(
				run(
					`INSERT INTO notes (note_id, noinvoice, nominal, time, state, why) VALUES (?, '', ?, ?, 'in_doubt', ?)`,
					record.note_id,
					record.nominal,
					record.time,
					'the acceptor stacked a note that nobody had accepted',
				),
			);
		case 'cash_evidence':
			return exactlyOne(
				run(`UPDATE notes SET why = why || '; ' || ? WHERE note_id = ? AND state = 'in_doubt'`, record.what, record.note_id),
			);
		case 'cash_settled': {
			const by = `settled by ${record.by}: ${record.why}`;
			if (record.outcome !== 'in_box')
				return exactlyOne(
					run(`UPDATE notes SET state = 'returned', why = why || '; ' || ? WHERE note_id = ? AND state = 'in_doubt'`, by, record.note_id),
				);
			// From here on it is a credited note like any other; one without an invoice counts for the cashbox alone.
			exactlyOne(
				run(
					`UPDATE notes SET state = 'credited', credited_seq = ?, nominal = ?, why = why || '; ' || ?
					WHERE note_id = ? AND state = 'in_doubt' AND coalesce(nominal, ?) = ?`,
					seq,
					record.nominal,
					by,
					record.note_id,
					record.nominal,
					record.nominal,
				),
			);
			return mayBePartial(record.note_id, run);
		}
		case 'journal_restarted':
		case 'acceptor_rush':
			// It is looked up among the records; nothing else changes by it.
			return;
		case 'cashbox_collected':
		case 'cashbox_removed':
		case 'cashbox_returned':
			return applyBoxRecord(record, seq, run, exactlyOne);
		case 'partial_settled':
			return exactlyOne(run('DELETE FROM partial WHERE payment_id = ?', record.payment_id));
		case 'note_uploaded':
			return exactlyOne(
				run(
					`UPDATE notes SET uploaded_seq = ? WHERE note_id = ? AND state = 'credited' AND payment_id IS NOT NULL AND uploaded_seq IS NULL`,
					seq,
					record.note_id,
				),
			);
		case 'invoice_paid': {
			const payment_id = String(record.payment.id);
			run('DELETE FROM partial WHERE payment_id = ?', payment_id);
			return exactlyOne(run('INSERT INTO paid (payment_id, by) VALUES (?, ?)', payment_id, record.by));
		}
		case 'acceptor_lock':
			return exactlyOne(
				run(
					'INSERT INTO acceptor_lock (one, locked, why) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET locked = excluded.locked, why = excluded.why',
					Number(record.locked),
					record.why,
				),
			);
		case 'print_requested':
			return exactlyOne(
				run(`INSERT INTO prints (print_id, payment_id, state) VALUES (?, ?, 'requested')`, record.print_id, record.payment_id),
			);
		case 'print_ended':
			return exactlyOne(run(`UPDATE prints SET state = ? WHERE print_id = ? AND state = 'requested'`, record.state, record.print_id));
		default:
			return exactlyOne(applyCardRecord(record, seq, run));
	}
}

function mayBePartial(note_id: string, run: Run): void {
	run(
		`INSERT INTO partial SELECT payment_id FROM notes WHERE note_id = ? AND payment_id IS NOT NULL
		AND payment_id NOT IN (SELECT payment_id FROM paid) AND payment_id NOT IN (SELECT payment_id FROM partial)`,
		note_id,
	);
}
