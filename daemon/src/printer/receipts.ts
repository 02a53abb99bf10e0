import dayjs from 'dayjs';
import zones from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { type Id, type InvoiceInfo, sameId, type TransactionPage } from '../../contract/back-office.ts';
import { type OpenPayment, openPaymentOf } from '../../contract/open-payment.ts';
import { type Receipt, receiptOf } from '../../contract/receipt.ts';
import type { Clock } from '../clock.ts';
import { fail, ok, type Result } from '../result.ts';
import { customerText } from '../screen/customer-text.ts';
import { type OwnPayments, type PaidFacts, paidFacts } from './paid-facts.ts';

dayjs.extend(utc);
dayjs.extend(zones);

/** Rows of the staff's list that stay known: ten pages of it. */
const MOST_ROWS = 100;
/** Staff wait for the paper; what the row and the journal say is enough where the back office does not answer. */
const LOOK_UP_MS = 3_000;

/** `unknown_payment`: no such invoice or row has passed the daemon. `not_paid`: nothing known covers its present total. */
export type ReceiptRefusal = { code: 'unknown_payment' | 'not_paid'; reason: string };
/** A receipt, and the payment whose prints it counts among. */
export type MadeReceipt = { id: Id; receipt: Receipt };

/**
 * Makes receipts of paid invoices, from what has passed the daemon and from the journal. A page only names which one it wants:
 * nothing else that it sends reaches the paper.
 */
export interface Receipts {
	/** A look-up is passed on. @returns a mark for its answer */
	asked(): number;
	/** The invoice that the back office answered to the screen. */
	invoice(info: InvoiceInfo, asked: number): void;
	/** A page of the staff's list. */
	rows(page: TransactionPage): void;
	/** The back office says that this payment is settled, however it was paid. */
	toldPaid(id: Id): void;
	/** The log-in has ended or changed. */
	forget(): void;
	/** The receipt of the invoice that was looked up last. */
	ofInvoice(id: Id): Result<MadeReceipt, ReceiptRefusal>;
	/** The receipt of a row of the staff's list. The invoice is looked up: the list does not say what was taken in cash. */
	ofRow(id: Id): Promise<Result<MadeReceipt, ReceiptRefusal>>;
}

interface Seen {
	info: InvoiceInfo;
	/** What could be paid from elsewhere when it was last unpaid. */
	open: OpenPayment | null;
	/** When it turned paid before this kiosk's eyes; null when it was found paid. */
	paidAt: Date | null;
	toldPaid: boolean;
}

type Row = { id: Id; noinvoice: string; paid: boolean; metode: string; receipt: Receipt };

export function startReceipts(parts: {
	own: (id: Id) => OwnPayments;
	lookUp: (noinvoice: string, limitMs: number) => Promise<InvoiceInfo | null>;
	/** A receipt with the logo at this address may be asked for soon. */
	expectLogo: (address: string) => void;
	clock: Clock;
	/** e.g. "Asia/Jakarta" */
	timezone: string;
}): Receipts {
	const { own, clock, timezone } = parts;
	let seen: Seen | null = null;
	/** By id, the newest last. */
	const rows = new Map<string, Row>();
	let asked = 0;
	/** The look-up asked for last when the back office told that the invoice is paid. */
	let toldAt = 0;

	function remember({ results }: InvoiceInfo, before: Seen | null, told: boolean): Omit<Seen, 'info'> {
		const known = before && sameId(before.info.results.id, results.id) ? before : null;
		if (!results.is_paid && !told) return { open: openPaymentOf(results), paidAt: null, toldPaid: false };
		return {
			open: openPaymentOf(results) ?? known?.open ?? null,
			paidAt: known && (known.paidAt ?? (known.info.results.is_paid ? null : clock.wall())),
			toldPaid: told,
		};
	}

	return {
		asked: () => ++asked,
		invoice(info, mark) {
			const same = seen !== null && sameId(seen.info.results.id, info.results.id);
			// An answer that was asked for before the message does not contradict it.
			const told = same && seen?.toldPaid === true && mark <= toldAt;
			seen = { info, ...remember(info, seen, told) };
			parts.expectLogo(info.logo);
		},
		rows({ results }) {
			for (const row of results) {
				const { id, noinvoice, is_paid: paid, payment_type_display: metode, logo, ahass_name: ahass, tanggal_display: tanggal } = row;
				rows.delete(String(id));
				rows.set(String(id), {
					id,
					noinvoice,
					paid,
					metode,
					receipt: receiptOf({ invoice: row, logo, ahass, tanggal, metode, received: null }),
				});
			}
			for (const oldest of rows.keys()) {
				if (rows.size <= MOST_ROWS) break;
				rows.delete(oldest);
			}
		},
		toldPaid(id) {
			if (!seen || !sameId(seen.info.results.id, id)) return;
			toldAt = asked;
			seen = { ...seen, toldPaid: true, paidAt: seen.paidAt ?? clock.wall() };
		},
		forget() {
			seen = null;
			rows.clear();
		},
		ofInvoice(id) {
			if (!seen || !sameId(seen.info.results.id, id)) return fail(UNKNOWN);
			const { info, open, paidAt, toldPaid } = seen;
			const facts = paidFacts(info.results, own(id));
			if (!facts.paid && !toldPaid) return fail(NOT_PAID);
			const written = siteDate(timezone, facts.last);
			return ok({
				id: info.results.id,
				receipt: receiptOf({
					invoice: { ...info.results, is_paid: true },
					logo: info.logo,
					ahass: info.ahass_name,
					tanggal: (paidAt ? null : written) ?? siteDate(timezone, (paidAt ?? clock.wall()).toISOString()) ?? '',
					metode: info.results.payment_type_display || methodOf(facts, open),
					received: facts.cash,
				}),
			});
		},
		async ofRow(id) {
			const row = rows.get(String(id));
			if (!row) return fail(UNKNOWN);
			const answer = row.noinvoice === '' ? null : await parts.lookUp(row.noinvoice, LOOK_UP_MS);
			const invoice = answer?.results.noinvoice === row.noinvoice ? answer.results : null;
			const { total } = invoice ?? row.receipt;
			const facts = paidFacts(invoice ?? { total, is_paid: row.paid, list_pembayaran: [] }, own(invoice?.id ?? id));
			if (!facts.paid) return fail(NOT_PAID);
			const metode = row.metode || invoice?.payment_type_display || methodOf(facts, invoice && openPaymentOf(invoice));
			// Notes of this kiosk alone may be a part of what was received.
			const received = invoice || (facts.cash ?? 0) >= total ? facts.cash : null;
			const { logo, ahass, tanggal } = row.receipt;
			const changed = invoice && invoice.total !== row.receipt.total;
			const receipt = changed ? receiptOf({ invoice, logo, ahass, tanggal, metode, received }) : row.receipt;
			return ok({
				id: invoice?.id ?? row.id,
				receipt: {
					...receipt,
					is_paid: true,
					metode,
					received,
					tanggal: tanggal || siteDate(timezone, facts.last) || (siteDate(timezone, clock.wall().toISOString()) ?? ''),
				},
			});
		},
	};
}

const UNKNOWN: ReceiptRefusal = { code: 'unknown_payment', reason: 'this payment has not been looked up or listed since the log-in' };
const NOT_PAID: ReceiptRefusal = { code: 'not_paid', reason: 'neither the back office nor the journal says that its total is paid' };

/** @returns how the money came in, in the customer's words; both where it came in two ways */
function methodOf({ cash, card }: PaidFacts, open: OpenPayment | null): string {
	const { method } = customerText;
	const known = [...(cash === null ? [] : [method.cash]), ...(card === null ? [] : [card === 'qris' ? method.qris : method.card])];
	if (known.length > 0) return known.join(', ');
	if (open === null) return method.other;
	return open.kind === 'qris' ? method.qris : method.va(open.bank);
}

const OFFSET = /:.*(Z|[+-]\d{2}:?\d{2})$/;

/** @returns a written time as DD-MM-YYYY HH:mm of the site; without an offset its figures are the site's already. null when it is no date */
function siteDate(timezone: string, written: string): string | null {
	const at = dayjs(written);
	if (written === '' || !at.isValid()) return null;
	return (OFFSET.test(written) ? at.tz(timezone) : at).format('DD-MM-YYYY HH:mm');
}
