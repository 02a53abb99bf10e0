import { balanceOfRecords, refreshBalances } from './balance-ledger.ts';
import { applyBoxRecord } from './box-ledger.ts';
import { applyCardRecord } from './card-ledger.ts';
import { accountKey, type JournalRecord, paymentKey } from './records.ts';
import type { Rows, Run } from './rows.ts';

/**
 * Merges a newer "paid" of the back office into an earlier "paid". The amount paid elsewhere does
 * not shrink because the kiosk has reported own money since the earlier "paid". A smaller total
 * reduces the amount paid elsewhere by at most the difference.
 */
const NEWER_CLAIM = `CASE WHEN claim IS NULL OR excluded.claim IS NULL THEN coalesce(excluded.claim, claim) ELSE json_object(
	'total', excluded.claim ->> 'total', 'elsewhere', max(excluded.claim ->> 'elsewhere',
	(claim ->> 'elsewhere') - max(0, (claim ->> 'total') - (excluded.claim ->> 'total')))) END`;

/**
 * Applies a record to the ledger and updates the list of invoices that need staff. Throws if the
 * record contradicts the present state, for example a second credit, an upload of a note that was
 * not credited, or an outcome of an unknown note.
 */
export function applyToLedger(record: JournalRecord, seq: number, run: Run, rows: Rows): void {
	applyRecord(record, seq, run, rows);
	refreshBalances(record, seq, run, rows);
}

function applyRecord(record: JournalRecord, seq: number, run: Run, rows: Rows): void {
	const exactlyOne = (changes: number): void => {
		if (changes !== 1) throw new Error(`the ledger refuses ${record.kind} at record ${seq}: ${JSON.stringify(record)}`);
	};
	switch (record.kind) {
		case 'cash_intent': {
			const { payment } = record;
			return exactlyOne(
				run(
					`INSERT INTO notes (note_id, payment_id, account, id, odoo_id, noinvoice, nominal, time, state)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'intended')`,
					record.note_id,
					paymentKey(payment),
					accountKey(payment.account),
					JSON.stringify(payment.id),
					JSON.stringify(payment.odoo_id),
					payment.noinvoice,
					record.nominal,
					record.time,
				),
			);
		}
		case 'cash_credit':
			return exactlyOne(
				run(
					`UPDATE notes SET state = 'credited', credited_seq = ?
					WHERE note_id = ? AND payment_id IS NOT NULL AND (state = 'intended' OR (state = 'in_doubt' AND ?))`,
					seq,
					record.note_id,
					Number(record.late),
				),
			);
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
					'the acceptor stacked a note without being told to accept it',
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
			// The note is now an ordinary credited note. Without an invoice, it counts for the cashbox
			// only.
			return exactlyOne(
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
		}
		case 'journal_restarted':
		case 'journal_resealed':
		case 'acceptor_rush':
		case 'staff_names_changed':
			// These records change no table. Queries read the records themselves.
			return;
		case 'cashbox_collected':
		case 'cashbox_removed':
		case 'cashbox_returned':
			return applyBoxRecord(record, seq, run, exactlyOne);
		case 'partial_settled':
			return exactlyOne(
				run(
					`INSERT INTO settled (payment_id, seq, twice)
					SELECT payment_id, ?, twice FROM balances WHERE payment_id = ? AND state IN ('partial', 'paid_twice')
					ON CONFLICT DO UPDATE SET seq = excluded.seq, twice = excluded.twice`,
					seq,
					record.payment_id,
				),
			);
		case 'money_given_back': {
			const { own } = balanceOfRecords(record.payment_id, rows);
			return exactlyOne(
				run(
					'INSERT INTO given_back (give_id, payment_id, amount, seq) SELECT ?, ?, ?, ? WHERE ? > 0 AND ? <= ?',
					record.give_id,
					record.payment_id,
					record.amount,
					seq,
					record.amount,
					record.amount,
					own,
				),
			);
		}
		case 'invoice_seen': {
			const { payment, is_paid, own } = record;
			const { total } = payment;
			const claim = is_paid ? JSON.stringify({ total, elsewhere: Math.max(0, total - own.told) }) : null;
			return exactlyOne(
				run(
					`INSERT INTO invoices (payment_id, payment, claim, seen_seq) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
					payment = excluded.payment, claim = ${NEWER_CLAIM}, seen_seq = excluded.seen_seq`,
					paymentKey(payment),
					JSON.stringify(payment),
					claim,
					seq,
				),
			);
		}
		case 'invoice_reviewed':
			return exactlyOne(run('UPDATE invoices SET claim = NULL WHERE payment_id = ?', record.payment_id));
		case 'note_uploaded':
			return exactlyOne(
				run(
					`UPDATE notes SET uploaded_seq = ? WHERE note_id = ? AND state = 'credited' AND payment_id IS NOT NULL AND uploaded_seq IS NULL`,
					seq,
					record.note_id,
				),
			);
		case 'note_parked':
			return exactlyOne(
				run(
					`UPDATE notes SET parked = ? WHERE note_id = ? AND state = 'credited' AND uploaded_seq IS NULL AND parked IS NULL`,
					record.reason,
					record.note_id,
				),
			);
		case 'note_resent':
			return exactlyOne(
				run('UPDATE notes SET parked = NULL WHERE note_id = ? AND parked IS NOT NULL AND uploaded_seq IS NULL', record.note_id),
			);
		case 'note_booked':
			return exactlyOne(
				run(
					`UPDATE notes SET uploaded_seq = ?, parked = NULL WHERE note_id = ? AND parked IS NOT NULL AND uploaded_seq IS NULL`,
					seq,
					record.note_id,
				),
			);
		case 'note_moved': {
			const { payment } = record;
			run(
				`INSERT OR IGNORE INTO invoices (payment_id, payment, seen_seq) VALUES (?, ?, ?)`,
				paymentKey(payment),
				JSON.stringify(payment),
				seq,
			);
			return exactlyOne(
				run(
					`UPDATE notes SET payment_id = ?, account = ?, id = ?, odoo_id = ?, noinvoice = ?, moved_seq = ?, parked = NULL
					WHERE note_id = ? AND payment_id = ? AND state = 'credited' AND uploaded_seq IS NULL
					AND (parked IS NOT NULL OR account IS NULL)`,
					paymentKey(payment),
					accountKey(payment.account),
					JSON.stringify(payment.id),
					JSON.stringify(payment.odoo_id),
					payment.noinvoice,
					seq,
					record.note_id,
					record.from,
				),
			);
		}
		case 'invoice_paid':
			return exactlyOne(
				run(
					'INSERT INTO paid (payment_id, by) VALUES (?, ?) ON CONFLICT DO UPDATE SET by = excluded.by',
					paymentKey(record.payment),
					record.by,
				),
			);
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
			return exactlyOne(applyCardRecord(record, seq, run, rows));
	}
}
