import type { Id, TransactionPage } from '@kiosk/contract/back-office';
import type { OpenPayment } from '@kiosk/contract/open-payment';
import { overpaid, type Receipt, receiptOf } from '@kiosk/contract/receipt';
import { sameId } from '@kiosk/contract/same-id';
import dayjs from 'dayjs';
import zones from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { type InvoiceDesk, SHORT_LOOK_UP_MS } from '../back-office/invoice-desk.ts';
import type { CurrentInvoice } from '../back-office/known-invoices.ts';
import type { Clock } from '../base/clock.ts';
import { customerText } from '../base/customer-text.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { type Balance, isPaidState } from '../journal/balance.ts';
import { type Account, type Payment, type PaymentKey, paymentKey, sameAccount } from '../journal/records.ts';
import { type OwnSale, type PaidFacts, paidFacts } from './paid-facts.ts';
import type { PrintSubject, Validity } from './print-job.ts';

dayjs.extend(utc);
dayjs.extend(zones);

/** Number of rows of the staff list that are kept: ten pages. */
const MOST_ROWS = 100;

/**
 * `unknown_payment`: the daemon has not seen such an invoice or row, or knows only an outdated
 * total of it. `not_paid`: the invoice's present total is not covered, or the invoice is disputed.
 */
export type ReceiptRefusal = { code: 'unknown_payment' | 'not_paid'; reason: string };
/** A receipt, and the payment under which it is recorded. */
export type MadeReceipt = { of: PrintSubject; receipt: Receipt } & Validity;

/**
 * Makes receipts of paid invoices from the journal and from the back office's answers. The screen
 * sends only the id of a payment: no other data of the screen is printed.
 */
export interface Receipts {
	/** Call it when the balance of this invoice has changed. */
	onBalance(payment: Payment, balance: Balance): void;
	/** Call it when a page of the staff list was loaded. */
	rows(page: TransactionPage): void;
	/** Call it when the log-in ends or changes. */
	forget(): void;
	/**
	 * Looks the invoice up again if the last look-up is not fresh, because the payment may have been
	 * reversed or the total may have grown.
	 */
	freshen(id: Id): Promise<void>;
	/**
	 * The receipt of the last looked-up invoice. The invoice looked up before it has a receipt, too,
	 * if the same customer number found both, because a customer may have several invoices.
	 */
	ofInvoice(id: Id): Result<MadeReceipt, ReceiptRefusal>;
	/**
	 * The receipt of a row of the staff list. Looks the invoice up, because the list does not contain
	 * the cash amount. Two rows may have the same id, so the screen also sends the number; without
	 * it, only an id of a single row is accepted.
	 */
	ofRow(id: Id, noinvoice?: string): Promise<Result<MadeReceipt, ReceiptRefusal>>;
	/** @returns the key of a row of the staff list, or null */
	keyOfRow(id: Id, noinvoice?: string): PaymentKey | null;
}

/** A looked-up invoice and its observed changes. */
interface Watched {
	key: PaymentKey;
	invoice: CurrentInvoice;
	/** The QRIS code or virtual account that was open when the invoice was last unpaid. */
	open: OpenPayment | null;
	/** Whether the invoice was unpaid at the last check. */
	unpaid: boolean;
	/**
	 * When the kiosk saw the invoice become paid; null if the invoice is unpaid or was already paid
	 * at the first look-up.
	 */
	paidAt: Date | null;
}

type Row = { id: Id; key: PaymentKey; noinvoice: string; paid: boolean; metode: string; receipt: Receipt };

export function startReceipts(deps: {
	invoices: Pick<InvoiceDesk, 'current' | 'balanceOf' | 'isFresh' | 'lookUp' | 'refresh'>;
	/** The account that is logged in. */
	account: () => Account | null;
	/** Approved card sales of this kiosk. */
	cardsOf: (key: PaymentKey) => readonly OwnSale[];
	/** Whether the journal cannot be read. */
	isUnreadable: () => boolean;
	/** Loads a logo in advance for a probable receipt. */
	expectLogo: (address: string) => void;
	clock: Clock;
	/** e.g. "Asia/Jakarta" */
	timezone: string;
}): Receipts {
	const { invoices, clock, timezone } = deps;
	let watched: Watched | null = null;
	/** The invoice that was looked up before `watched`. */
	let earlier: Watched | null = null;
	/** Rows of the staff list by id and number, the newest last. */
	const rows = new Map<string, Row>();

	function rowOf(id: Id, noinvoice: string | undefined): Row | null {
		const found = [...rows.values()].filter((row) => sameId(row.id, id) && (noinvoice === undefined || row.noinvoice === noinvoice));
		return found.length === 1 ? (found[0] ?? null) : null;
	}
	const now = (): string => siteDate(timezone, clock.wall().toISOString()) ?? '';
	/**
	 * @param made the balance when the receipt was made. Its state may be unpaid, because a newer row
	 * of the staff list can report a payment that the kiosk does not know.
	 */
	function isStillTrue(key: PaymentKey, made: Balance, receipt: Receipt): boolean {
		// An unreadable journal looks empty, which proves nothing about the payment.
		if (deps.isUnreadable()) return true;
		const { state, total, received, excess } = invoices.balanceOf(key);
		// If the excess is now less than the change on the receipt, the invoice has grown, or staff
		// have given the change. With another total, the receipt names the wrong total and change.
		if (isPaidState(state)) return excess >= overpaid(receipt) && (total === made.total || !isPaidState(made.state));
		return state === made.state && total === made.total && received === made.received;
	}
	/** @param payment null if the kiosk has not looked it up */
	function validityOf(key: PaymentKey, payment: Payment | null, receipt: Receipt): Validity {
		const made = invoices.balanceOf(key);
		const outlet = deps.account();
		/** Whether another outlet has logged in meanwhile. Its customers must not get this printout. */
		function isOtherOutlet(): boolean {
			const now = deps.account();
			return now !== null && !sameAccount(now, outlet);
		}
		return {
			isTrue: () => !isOtherOutlet() && isStillTrue(key, made, receipt),
			freshen: async () => payment === null || (await freshenPayment(payment)),
		};
	}
	/** @returns the invoice with this id if the present customer may get its receipt, else null */
	function invoiceWith(id: Id): CurrentInvoice | null {
		const current = invoices.current();
		if (!current || sameId(current.payment.id, id)) return current;
		return earlier?.invoice.number === current.number && sameId(earlier.invoice.payment.id, id) ? earlier.invoice : null;
	}
	/** @returns false if the answer could not be used */
	async function freshenPayment(payment: Payment): Promise<boolean> {
		return invoices.isFresh(payment) || (await invoices.refresh(payment, SHORT_LOOK_UP_MS)) !== 'unreadable';
	}
	const factsOf = (key: PaymentKey, invoice: CurrentInvoice | null): PaidFacts =>
		paidFacts(invoices.balanceOf(key), invoice?.view.listed ?? [], deps.cardsOf(key));

	return {
		onBalance(payment, { state }) {
			const current = invoices.current();
			const key = paymentKey(payment);
			if (!current || paymentKey(current.payment) !== key) return;
			const before = watched?.key === key ? watched : null;
			if (watched && !before) earlier = watched;
			const { open } = current;
			const paid = isPaidState(state);
			watched = paid
				? {
						key,
						invoice: current,
						open: open ?? before?.open ?? null,
						unpaid: false,
						paidAt: before?.unpaid ? clock.wall() : (before?.paidAt ?? null),
					}
				: { key, invoice: current, open, unpaid: true, paidAt: null };
			deps.expectLogo(current.info.logo);
		},
		rows({ results }) {
			const account = deps.account();
			for (const row of results) {
				const { id, noinvoice, is_paid: paid, payment_type_display: metode, logo, ahass_name: ahass, tanggal_display: tanggal } = row;
				const named = JSON.stringify([String(id), noinvoice]);
				rows.delete(named);
				const receipt = receiptOf({ invoice: row, logo, ahass, tanggal, metode, received: null });
				rows.set(named, { id, key: paymentKey({ account, id, noinvoice }), noinvoice, paid, metode, receipt });
			}
			for (const oldest of rows.keys()) {
				if (rows.size <= MOST_ROWS) break;
				rows.delete(oldest);
			}
		},
		forget() {
			watched = null;
			earlier = null;
			rows.clear();
		},
		async freshen(id) {
			const invoice = invoiceWith(id);
			if (invoice) await freshenPayment(invoice.payment);
		},
		ofInvoice(id) {
			const current = invoiceWith(id);
			if (!current) return fail(UNKNOWN);
			const key = paymentKey(current.payment);
			const facts = factsOf(key, current);
			if (!facts.paid) return fail(NOT_PAID);
			const known = invoices.balanceOf(key);
			const { info } = current;
			// The receipt shows the lines and total of `info`, so `info` must not be outdated.
			if (known.total !== info.results.total) return fail(UNKNOWN);
			const seen = [watched, earlier].find((one) => one?.key === key) ?? null;
			const tanggal = siteDate(timezone, seen?.paidAt?.toISOString() ?? facts.last) ?? now();
			const receipt = receiptOf({
				invoice: { ...info.results, is_paid: true },
				logo: info.logo,
				ahass: info.ahass_name,
				tanggal,
				metode: info.results.payment_type_display || methodOf(facts, seen?.open ?? current.open),
				received: facts.cash,
			});
			const { payment } = current;
			return ok({ of: { id: payment.id, key }, receipt, ...validityOf(key, payment, receipt) });
		},
		async ofRow(id, noinvoice) {
			const row = rowOf(id, noinvoice);
			if (!row) return fail(UNKNOWN);
			const found = row.noinvoice === '' ? null : await invoices.lookUp(row.noinvoice, SHORT_LOOK_UP_MS);
			// The payments of another invoice must not make this row count as paid. If another
			// invoice now has this number, the row is out of date.
			const isSameId = found !== null && sameId(found.payment.id, row.id);
			const isSameNumber = found?.payment.noinvoice === row.noinvoice;
			if (isSameNumber && !isSameId) return fail(NOT_PAID);
			const current = isSameNumber && isSameId ? found : null;
			const invoice = current?.info.results ?? null;
			const key = current ? paymentKey(current.payment) : row.key;
			const facts = factsOf(key, current);
			const known = invoices.balanceOf(key);
			// The row may be older than the kiosk's last look-up, and the invoice may have grown in
			// between.
			const isOutdated = known.state === 'dispute' || known.total > row.receipt.total;
			if (!facts.paid && (invoice || !row.paid || isOutdated)) return fail(NOT_PAID);
			// Without a looked-up invoice, the receipt shows the lines and total of the row, but the
			// kiosk may know another total. A smaller total on the receipt would promise change that is
			// not owed; a larger one would show the difference as paid.
			if (!invoice && isOutdated) return fail(UNKNOWN);
			if (!invoice && !row.paid && known.total < row.receipt.total) return fail(NOT_PAID);
			// Without a look-up, this kiosk's cash may be only a part of the received amount. It is shown
			// only if it covers the total.
			const received = invoice || (facts.cash ?? 0) >= row.receipt.total ? facts.cash : null;
			const metode = row.metode || invoice?.payment_type_display || methodOf(facts, current?.open ?? null);
			const { logo, ahass } = row.receipt;
			const tanggal = row.receipt.tanggal || siteDate(timezone, facts.last) || now();
			const changed = invoice && invoice.total !== row.receipt.total;
			const lines = changed ? receiptOf({ invoice, logo, ahass, tanggal, metode, received }) : row.receipt;
			const receipt = { ...lines, is_paid: true, metode, received, tanggal };
			const payment = current?.payment ?? null;
			return ok({ of: { id: payment?.id ?? row.id, key }, receipt, ...validityOf(key, payment, receipt) });
		},
		keyOfRow: (id, noinvoice) => rowOf(id, noinvoice)?.key ?? null,
	};
}

const UNKNOWN: ReceiptRefusal = { code: 'unknown_payment', reason: 'this payment has not been looked up or listed since the log-in' };
const NOT_PAID: ReceiptRefusal = {
	code: 'not_paid',
	reason: 'neither the back office nor the journal says that its total is paid, or they contradict each other',
};

/** @returns the payment method, or all methods if there were several, as shown to customers */
function methodOf({ cash, card }: PaidFacts, open: OpenPayment | null): string {
	const { method } = customerText;
	const known = [...(cash === null ? [] : [method.cash]), ...(card === null ? [] : [card === 'qris' ? method.qris : method.card])];
	if (known.length > 0) return known.join(', ');
	if (open === null) return method.other;
	return open.kind === 'qris' ? method.qris : method.va(open.bank);
}

const OFFSET = /:.*(Z|[+-]\d{2}:?\d{2})$/;

/**
 * @param written date from the back office; without an offset it is in the site's time zone
 * @returns DD-MM-YYYY HH:mm in the site's time zone; null if it is not a date
 */
export function siteDate(timezone: string, written: string): string | null {
	const at = dayjs(written);
	if (written === '' || !at.isValid()) return null;
	return (OFFSET.test(written) ? at.tz(timezone) : at).format('DD-MM-YYYY HH:mm');
}
