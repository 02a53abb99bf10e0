import { type Rupiah, rupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { type Account, accountKey, CardResponse, Payment, type PaymentKey, sameInvoice } from './records.ts';
import type { Rows } from './rows.ts';

/**
 * State of a sale. `not_charged`: staff settled it as not charged. `voided`: the terminal voided
 * the charge. Only `approved` is certainly paid; `sent` and `unknown` may be paid.
 */
export const SALE_STATES = ['sent', 'approved', 'declined', 'not_begun', 'unknown', 'not_charged', 'voided'] as const;

/** A sale in the ledger. */
const SaleRow = v.object({
	attempt_id: v.string(),
	/** null: a charge without a request of this kiosk. */
	payment: v.nullable(v.pipe(v.string(), v.parseJson(), Payment)),
	amount: RupiahSchema,
	method: v.picklist(['card', 'qris']),
	attempt: v.number(),
	time: v.string(),
	state: v.picklist(SALE_STATES),
	why: v.string(),
	/** The terminal's response about this sale; usually the newest. */
	response: v.nullable(v.pipe(v.string(), v.parseJson(), CardResponse)),
	/**
	 * Whether the journal contains an outcome of this sale (`not_begun` included), or the sale is an
	 * unrequested charge.
	 */
	answered: v.pipe(
		v.number(),
		v.transform((flag) => flag === 1),
	),
});
export type CardSale = v.InferOutput<typeof SaleRow>;

const SALE = 'attempt_id, payment, amount, method, attempt, time, state, why, response, outcome_seq IS NOT NULL AS answered';

/**
 * The newest sale of an invoice that was paid twice. Staff must return this charge or the other
 * payment. A sale larger than the surplus is not listed, because the surplus is then another
 * payment or change.
 */
const CHARGED_TWICE = `payment_id IN (SELECT payment_id FROM balances WHERE state = 'paid_twice') AND state = 'approved'
	AND amount <= (SELECT twice FROM balances WHERE balances.payment_id = sale.payment_id) AND NOT EXISTS (
	SELECT 1 FROM card_sales AS other WHERE other.state = 'approved' AND other.payment_id = sale.payment_id
		AND other.approved_seq > sale.approved_seq)`;

/** Sales whose void has no outcome. */
const VOIDED_NOW = `SELECT attempt_id FROM card_actions WHERE action = 'void' AND state = 'asked'`;
const LAST_SETTLEMENT = `(SELECT coalesce(max(ended_seq), 0) FROM card_actions WHERE action = 'settlement' AND state = 'done')`;

/** Card sales in the journal. Lists are oldest first. */
export interface CardBook {
	sale(attempt_id: string): CardSale | null;
	/** @param beginning the first characters of an attempt id, as staff type them */
	find(beginning: string): CardSale[];
	ofPayment(key: PaymentKey): CardSale[];
	/** The newest sale that the kiosk requested. */
	last(): CardSale | null;
	/**
	 * Sent sales without an outcome. At a start of the daemon: the sale during which the previous run
	 * ended.
	 */
	open(): CardSale[];
	/** Sales that staff have to settle. */
	unknown(): CardSale[];
	/**
	 * Whether a slip is due: since this sale no slip of its payment was requested, or every requested
	 * slip failed.
	 */
	slipDue(attempt_id: string): boolean;
	/** Charges of invoices paid twice. Staff must return the charge or the other payment. */
	chargedTwice(): CardSale[];
	/**
	 * Approved sales since the terminal's last settlement. A sale that staff confirmed as charged
	 * belongs to the batch in which it was sent.
	 */
	unsettled(): CardSale[];
	/**
	 * @returns the newest charge with the same terminal invoice number in a later batch; null if
	 * there is none
	 */
	numberedAgain(attempt_id: string): CardSale | null;
	/**
	 * The oldest approval of this account that is not reported yet. A sale is skipped while its void
	 * has no outcome, because the void may have reversed the charge.
	 */
	nextApproval(account: Account): (CardSale & { payment: Payment }) | null;
	waitingApprovals(): number;
	/** Unreported approvals of other accounts. */
	waitingForOthers(account: Account): { count: number; total: Rupiah };
	/** Time of the oldest waiting approval of any account, ISO 8601. */
	oldestApproval(): string | null;
	/** Whether the journal already has this charge. A terminal may report an old charge again. */
	knows(response: CardResponse): boolean;
	/** Whether a charge without an invoice has the numbers of this response. */
	isListedAlone(response: CardResponse): boolean;
	/** @returns the sale that this response voids; null if it voids none */
	voidedBy(response: CardResponse): CardSale | null;
	/** @returns the sale that staff wanted to void with this request; null for any other request */
	ofVoid(action_id: string): CardSale | null;
	/** Whether a card sale of this invoice is open, under this number or another one. */
	isPaying(payment: Payment): boolean;
	/** Whether a void of one of this payment's sales has no outcome yet. */
	isVoiding(key: PaymentKey): boolean;
	/** Voids and settlements without an outcome. */
	openActions(): { action_id: string; action: 'void' | 'settlement' }[];
	countByState(): { state: (typeof SALE_STATES)[number]; count: number }[];
}

/** An approved sale that is still to be reported. */
export const WAITING_APPROVALS = `approved_seq IS NOT NULL AND relayed_seq IS NULL AND state = 'approved' AND payment_id IS NOT NULL`;

export function cardBook(rows: Rows): CardBook {
	const sales = (where: string, ...parameters: string[]) =>
		rows(SaleRow, `SELECT ${SALE} FROM card_sales AS sale WHERE ${where}`, ...parameters);
	const open = () => sales(`state = 'sent'`);
	const Paid = v.object({ ...SaleRow.entries, payment: v.pipe(v.string(), v.parseJson(), Payment) });
	const Count = v.object({ count: v.number() });
	/** @param and a further condition */
	const hasCharge = ({ code, terminal_id, batch, invoice, rrn, approval, amount, date, time }: CardResponse, and = ''): boolean =>
		code === '00' &&
		rows(
			Count,
			`SELECT count(*) AS count FROM card_sales WHERE response ->> 'code' = '00'
			AND (response ->> 'type' IN ('sale', 'qris_inquiry') OR (response ->> 'type' = 'reprint' AND approved_seq IS NOT NULL)) AND response ->> 'terminal_id' = ? AND response ->> 'batch' = ?
			AND response ->> 'invoice' = ? AND response ->> 'rrn' = ? AND response ->> 'approval' = ?
			AND (? <> '' OR (coalesce(response ->> 'amount', -1) = ? AND response ->> 'date' = ? AND response ->> 'time' = ?)) ${and}`,
			terminal_id,
			batch,
			invoice,
			rrn,
			approval,
			// If the response has no numbers, amount and time identify the charge.
			invoice + rrn + approval,
			amount ?? -1,
			date,
			time,
		).some(({ count }) => count > 0);

	return {
		sale: (attempt_id) => sales('attempt_id = ?', attempt_id)[0] ?? null,
		find: (beginning) => sales(`attempt_id >= ? AND attempt_id < ? || 'g' ORDER BY sent_seq`, beginning, beginning),
		ofPayment: (key) => sales('payment_id = ? ORDER BY sent_seq', key),
		last: () => sales('payment_id IS NOT NULL ORDER BY sent_seq DESC LIMIT 1')[0] ?? null,
		open,
		isPaying: (payment) => open().some((sale) => sale.payment !== null && sameInvoice(sale.payment, payment)),
		unknown: () => sales(`state = 'unknown' ORDER BY sent_seq`),
		slipDue: (attempt_id) =>
			rows(
				Count,
				`SELECT count(*) AS count FROM card_sales AS sale WHERE attempt_id = ? AND sent_seq > (
					SELECT coalesce(max(seq), 0) FROM prints CROSS JOIN records ON kind = 'print_requested' AND subject = print_id
					WHERE prints.payment_id = sale.payment_id AND prints.state <> 'failed' AND body ->> 'purpose' = 'slip')`,
				attempt_id,
			).some(({ count }) => count > 0),
		chargedTwice: () => sales(`${CHARGED_TWICE} ORDER BY sent_seq`),
		unsettled: () =>
			sales(
				`state = 'approved' AND approved_seq > ${LAST_SETTLEMENT} AND (approved_seq = outcome_seq OR sent_seq > ${LAST_SETTLEMENT})
				ORDER BY approved_seq`,
			),
		numberedAgain: (attempt_id) =>
			sales(
				`EXISTS (SELECT 1 FROM card_sales AS older WHERE older.attempt_id = ? AND older.sent_seq < sale.sent_seq
					AND older.response ->> 'invoice' = sale.response ->> 'invoice' AND older.response ->> 'terminal_id' = sale.response ->> 'terminal_id'
					AND ((older.response ->> 'batch' <> '' AND sale.response ->> 'batch' <> '' AND older.response ->> 'batch' <> sale.response ->> 'batch')
						OR EXISTS (SELECT 1 FROM card_actions WHERE action = 'settlement' AND state = 'done' AND ended_seq > older.sent_seq
							AND ended_seq < sale.sent_seq)))
				AND response ->> 'invoice' = (SELECT response ->> 'invoice' FROM card_sales WHERE attempt_id = ?)
				AND response ->> 'code' = '00' AND state IN ('approved', 'unknown') ORDER BY sent_seq DESC LIMIT 1`,
				attempt_id,
				attempt_id,
			)[0] ?? null,
		nextApproval: (account) =>
			rows(
				Paid,
				`SELECT ${SALE} FROM card_sales WHERE ${WAITING_APPROVALS} AND account = ?
				AND attempt_id NOT IN (${VOIDED_NOW}) ORDER BY approved_seq LIMIT 1`,
				accountKey(account) ?? '',
			)[0] ?? null,
		waitingApprovals: () => rows(Count, `SELECT count(*) AS count FROM card_sales WHERE ${WAITING_APPROVALS}`)[0]?.count ?? 0,
		waitingForOthers: (account) =>
			rows(
				v.object({ count: v.number(), total: RupiahSchema }),
				`SELECT count(*) AS count, coalesce(sum(amount), 0) AS total FROM card_sales WHERE ${WAITING_APPROVALS} AND account <> ?`,
				accountKey(account) ?? '',
			)[0] ?? { count: 0, total: rupiah(0) },
		oldestApproval: () =>
			rows(v.object({ time: v.string() }), `SELECT time FROM card_sales WHERE ${WAITING_APPROVALS} ORDER BY approved_seq LIMIT 1`)[0]
				?.time ?? null,
		knows: (response) => hasCharge(response),
		isListedAlone: (response) => hasCharge(response, 'AND payment_id IS NULL'),
		voidedBy: ({ type, code, terminal_id, batch, invoice }) =>
			type === 'void' && code === '00' && /[1-9]/.test(invoice)
				? (sales(
						`response ->> 'code' = '00' AND response ->> 'terminal_id' = ? AND response ->> 'batch' = ? AND response ->> 'invoice' = ?
						ORDER BY sent_seq DESC LIMIT 1`,
						terminal_id,
						batch,
						invoice,
					)[0] ?? null)
				: null,
		ofVoid: (action_id) =>
			sales(`attempt_id = (SELECT attempt_id FROM card_actions WHERE action_id = ? AND action = 'void')`, action_id)[0] ?? null,
		isVoiding: (key) =>
			rows(v.object({}), `SELECT 1 FROM card_sales WHERE payment_id = ? AND attempt_id IN (${VOIDED_NOW})`, key).length > 0,
		openActions: () =>
			rows(
				v.object({ action_id: v.string(), action: v.picklist(['void', 'settlement']) }),
				`SELECT action_id, action FROM card_actions WHERE state = 'asked'`,
			),
		countByState: () => rows(v.object({ state: v.picklist(SALE_STATES), count: v.number() }), 'SELECT state, count FROM card_counts'),
	};
}
