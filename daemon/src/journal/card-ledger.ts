import { balanceOfRecords } from './balance-ledger.ts';
import { accountKey, type JournalRecord, paymentKey } from './records.ts';
import type { Rows, Run } from './rows.ts';

export type CardRecord = Extract<JournalRecord, { kind: `card_${string}` }>;

/**
 * Applies a card record. A sale is refused while another sale is open or unknown, or if it exceeds
 * the due amount. Thus a bug in other code cannot charge an invoice twice.
 * @returns the number of changed rows; if it is not 1, the record is refused
 */
export function applyCardRecord(record: CardRecord, seq: number, run: Run, rows: Rows): number {
	switch (record.kind) {
		case 'card_sale': {
			const payment_id = paymentKey(record.payment);
			const { received } = balanceOfRecords(payment_id, rows);
			return run(
				`INSERT INTO card_sales (attempt_id, payment_id, account, payment, amount, method, attempt, time, state, sent_seq)
				SELECT ?, ?, ?, ?, ?, ?, ?, ?, 'sent', ? WHERE NOT EXISTS (SELECT 1 FROM card_sales WHERE state = 'sent')
				AND NOT EXISTS (SELECT 1 FROM card_sales WHERE state = 'unknown') AND ? <= ?`,
				record.attempt_id,
				payment_id,
				accountKey(record.payment.account),
				JSON.stringify(record.payment),
				record.amount,
				record.method,
				record.attempt,
				record.time,
				seq,
				record.amount,
				record.payment.total - received,
			);
		}
		case 'card_qr_shown':
			return run(
				`UPDATE card_sales SET response = ? WHERE attempt_id = ? AND method = 'qris' AND state = 'sent'`,
				JSON.stringify(record.response),
				record.attempt_id,
			);
		case 'card_outcome':
			return run(
				`UPDATE card_sales SET state = ?, outcome_seq = ?, approved_seq = ?, response = coalesce(?, response), why = ''
				WHERE attempt_id = ? AND payment_id IS NOT NULL AND outcome_seq IS NULL AND (state = 'sent' OR (state = 'unknown' AND ?))`,
				record.outcome,
				seq,
				record.outcome === 'approved' ? seq : null,
				jsonOrNull(record.response),
				record.attempt_id,
				Number(record.late),
			);
		case 'card_unknown':
			// A sale reported as not begun may turn out to have begun.
			return run(
				`UPDATE card_sales SET state = 'unknown', why = ?, response = coalesce(?, response)
				WHERE attempt_id = ? AND state IN ('sent', 'not_begun')`,
				record.why,
				jsonOrNull(record.response),
				record.attempt_id,
			);
		case 'card_unexplained':
			return run(
				`INSERT INTO card_sales (attempt_id, amount, method, attempt, time, state, why, response, sent_seq, outcome_seq)
				VALUES (?, ?, 'card', 1, ?, 'unknown', 'the terminal told of a charge that the kiosk had not asked for', ?, ?, ?)`,
				record.attempt_id,
				record.response.amount ?? 0,
				record.time,
				JSON.stringify(record.response),
				seq,
				seq,
			);
		case 'card_evidence':
			return run(
				`UPDATE card_sales SET why = CASE why WHEN '' THEN ? ELSE why || '; ' || ? END,
				response = CASE WHEN state = 'approved' OR ? THEN coalesce(response, ?) ELSE ? END,
				state = CASE WHEN ? THEN 'unknown' ELSE state END WHERE attempt_id = ? AND state <> 'sent'`,
				record.what,
				record.what,
				// The sale keeps its earlier response, because a void needs the number of the charge in it.
				Number(record.response.type === 'void' || record.response.type === 'reprint'),
				JSON.stringify(record.response),
				JSON.stringify(record.response),
				Number(record.reopens),
				record.attempt_id,
			);
		case 'card_settled':
			return run(
				`UPDATE card_sales SET state = ?, approved_seq = CASE WHEN ? THEN coalesce(approved_seq, ?) ELSE approved_seq END,
				why = why || '; settled by ' || ? WHERE attempt_id = ? AND state = 'unknown'`,
				record.outcome === 'charged' ? 'approved' : 'not_charged',
				Number(record.outcome === 'charged'),
				seq,
				`${record.by}: ${record.why}`,
				record.attempt_id,
			);
		case 'card_approval_begun':
			return run(
				`UPDATE card_sales SET attempt_id = attempt_id WHERE attempt_id = ? AND approved_seq IS NOT NULL AND relayed_seq IS NULL`,
				record.attempt_id,
			);
		case 'card_approval_sent':
			return run(
				`UPDATE card_sales SET relayed_seq = ? WHERE attempt_id = ? AND approved_seq IS NOT NULL AND relayed_seq IS NULL`,
				seq,
				record.attempt_id,
			);
		case 'card_action':
			return run(
				`INSERT INTO card_actions (action_id, action, attempt_id, state) VALUES (?, ?, ?, 'asked')`,
				record.action_id,
				record.action,
				record.attempt_id,
			);
		case 'card_action_ended': {
			const changed = run(
				`UPDATE card_actions SET state = ?, ended_seq = ? WHERE action_id = ? AND state = 'asked'`,
				record.outcome,
				seq,
				record.action_id,
			);
			// After a void with unknown outcome, it is unknown whether the sale is still charged.
			const state = record.outcome === 'done' ? 'voided' : record.outcome === 'unknown' ? 'unknown' : null;
			if (state)
				run(
					`UPDATE card_sales SET state = ?, why = CASE ? WHEN '' THEN why ELSE ? END
					WHERE attempt_id = (SELECT attempt_id FROM card_actions WHERE action_id = ? AND action = 'void')`,
					state,
					record.why,
					record.why,
					record.action_id,
				);
			return changed;
		}
		default:
			return record satisfies never;
	}
}

const jsonOrNull = (response: object | null): string | null => (response === null ? null : JSON.stringify(response));
