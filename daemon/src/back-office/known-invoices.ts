import type { Id, InvoiceInfo } from '@kiosk/contract/back-office';
import type { OpenPayment } from '@kiosk/contract/open-payment';
import { sameId } from '@kiosk/contract/same-id';
import type { Clock } from '../base/clock.ts';
import type { Balance } from '../journal/balance.ts';
import type { Journal } from '../journal/journal.ts';
import type { InvoiceView } from '../journal/money-facts.ts';
import { type Payment, type PaymentKey, paymentKey, sameAccount, samePayment } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import { remember } from './recent.ts';
import type { RecentStatements } from './recent-statements.ts';
import type { OutletToken } from './token.ts';

const FRESH_MS = 5_000;

/** The last looked-up invoice. */
export interface CurrentInvoice {
	/** The phone or invoice number that was looked up. */
	number: string;
	/** Without the data of a code or virtual account, which may be very large; `open` has them. */
	info: InvoiceInfo;
	open: OpenPayment | null;
	payment: Payment;
	view: InvoiceView;
	/** When the look-up was sent, monotonic ms. */
	askedAt: number;
}

/**
 * The current invoice, and the facts about all other invoices from the journal and from this run.
 * This class sends no requests and writes nothing to disk.
 */
export class KnownInvoices {
	readonly recent: RecentStatements;
	/** null after log-out and before the first look-up. */
	current: CurrentInvoice | null = null;
	readonly #journal: Journal;
	readonly #token: OutletToken;
	readonly #clock: Clock;
	readonly #isAnnounced: (key: PaymentKey, total: number) => boolean;
	/** The reasons of the disputes found since the start. */
	readonly #disputes = new Map<PaymentKey, string>();

	/** @param deps.isAnnounced whether only a message has reported the payment as paid */
	constructor(deps: {
		journal: Journal;
		token: OutletToken;
		clock: Clock;
		recent: RecentStatements;
		isAnnounced: (key: PaymentKey, total: number) => boolean;
	}) {
		this.recent = deps.recent;
		this.#journal = deps.journal;
		this.#token = deps.token;
		this.#clock = deps.clock;
		this.#isAnnounced = deps.isAnnounced;
		deps.token.onChange(() => {
			this.current = null;
		});
	}

	/** @returns the logged-in outlet's account; null after log-out */
	account(): Payment['account'] {
		return this.#token.current()?.account ?? null;
	}

	isOfThisOutlet(payment: Payment): boolean {
		return sameAccount(payment.account, this.account());
	}

	/**
	 * Whether the journal is unreadable. An unreadable journal looks empty, so all listed payments
	 * would count as paid elsewhere.
	 */
	isUnreadable(): boolean {
		return isClosed(this.#journal.trouble());
	}

	/** @returns the current invoice if it has this key */
	currentOf(key: PaymentKey): CurrentInvoice | null {
		return this.current && paymentKey(this.current.payment) === key ? this.current : null;
	}

	isFresh(payment: Payment): boolean {
		const current = this.currentOf(paymentKey(payment));
		return current !== null && this.#clock.now() - current.askedAt < FRESH_MS;
	}

	/**
	 * @returns when the look-up with the newest answer about this payment was sent, monotonic ms;
	 * null if there is none
	 */
	askedAt(key: PaymentKey): number | null {
		return this.currentOf(key)?.askedAt ?? this.recent.newest(key)?.askedAt ?? null;
	}

	/**
	 * @returns the statement about the invoice with this key: that of the current invoice, else that
	 * in the journal
	 */
	viewOf(key: PaymentKey): InvoiceView | null {
		return this.currentOf(key)?.view ?? this.#journal.money.viewOf(key);
	}

	/**
	 * Replaces the statement about this payment by a newer one. Looks for a dispute at once, because
	 * the statement is written next, and a failed write closes the journal.
	 */
	adopt(key: PaymentKey, view: InvoiceView): void {
		this.recent.adopt(key, view);
		if (this.current && this.currentOf(key)) this.current = { ...this.current, view };
		this.balanceFor(key, view);
	}

	balanceOf(key: PaymentKey): Balance {
		const current = this.currentOf(key);
		if (current) return this.balanceFor(key, current.view);
		// The journal's statement may be older. The journal stores no statement about an invoice for
		// which `keepsAnswersOn` is false, and none while the disk is full.
		return this.balanceFor(key, this.isUnreadable() ? undefined : this.recent.newest(key)?.view);
	}

	/**
	 * Remembers whether the invoice is a dispute. While the journal is unreadable, an invoice that
	 * was a dispute before stays one, because the empty books would hide the contradiction.
	 * @returns the balance, computed with this view
	 */
	balanceFor(key: PaymentKey, view: InvoiceView | undefined): Balance {
		const balance = this.#journal.money.balanceOf(key, view);
		if (this.isUnreadable()) {
			const why = this.#disputes.get(key);
			return why === undefined ? this.#announced(key, balance) : { ...balance, state: 'dispute', why };
		}
		if (balance.state === 'dispute') remember(this.#disputes, key, balance.why);
		else this.#disputes.delete(key);
		return this.#announced(key, balance);
	}

	/** Whether the invoice was a dispute when the journal was last readable. */
	wasDispute(key: PaymentKey): boolean {
		return this.#disputes.has(key);
	}

	/**
	 * The journal stores no message about an invoice for which `keepsAnswersOn` is false, so a
	 * payment reported only by a message is made a dispute here.
	 */
	#announced(key: PaymentKey, balance: Balance): Balance {
		if (balance.state !== 'open' || !this.#isAnnounced(key, balance.total)) return balance;
		return { ...balance, state: 'dispute', why: `the back office announced that Rp ${balance.total} was paid and says unpaid` };
	}

	/** @returns the payment with its newest known data; null if it is not known */
	newestPayment(key: PaymentKey): Payment | null {
		return this.currentOf(key)?.payment ?? this.recent.newest(key)?.payment ?? this.#journal.money.paymentOf(key);
	}

	findPayment(id: Id): Payment | null {
		if (this.current && sameId(this.current.payment.id, id)) return this.current.payment;
		const outlet = this.account();
		return this.recent.paymentWithId(outlet, id) ?? (outlet && this.#journal.money.paymentsWithId(outlet, String(id))[0]) ?? null;
	}

	isMeant(payment: Payment): boolean {
		const found = this.findPayment(payment.id);
		return this.isOfThisOutlet(payment) && (found === null || samePayment(found, payment));
	}

	/** @returns the logged-in outlet's payments in the journal that have had this id */
	paymentsWithId(id: Id): Payment[] {
		const outlet = this.account();
		return outlet ? this.#journal.money.paymentsWithId(outlet, String(id)) : [];
	}
}
