import type { Id, InvoiceInfo } from '@kiosk/contract/back-office';
import type { Result } from '../base/result.ts';
import { type Balance, isPaidState } from '../journal/balance.ts';
import { type Payment, type PaymentKey, paymentKey, samePayment } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import { watchAnnouncedPayments } from './announced-payments.ts';
import { type Asked, type InvoiceCallsDeps, invoiceCalls, type LookedUp, type Refreshed } from './invoice-calls.ts';
import { invoiceChecks } from './invoice-checks.ts';
import { openKeptAnnouncements } from './kept-announcements.ts';
import { type CurrentInvoice, KnownInvoices } from './known-invoices.ts';
import { type Learned, learnAnswers } from './learn-answer.ts';
import { lookAgainWhenReported } from './look-again.ts';
import { lookUpMissed, MOST_MISSED } from './missed-messages.ts';
import { hearPaidMessages } from './paid-messages.ts';
import { recentStatements } from './recent-statements.ts';
import { type StatementRecordsDeps, statementRecords } from './statement-records.ts';
import { keepWaitingStatements } from './waiting-statements.ts';

/** Limit of the kiosk’s own look-ups. Without an answer it takes no money. */
const LOOK_UP_MS = 10_000;
/**
 * Limit of a look-up for which a person or a device waits. If no answer comes by then, the previous
 * answer counts.
 */
export const SHORT_LOOK_UP_MS = 3_000;
/** Maximum number of waiting notes whose invoices are examined at the start. */
const MOST_WAITING = 100;

type NotFound = Exclude<LookedUp, { code: 'found' }>;

/** The last looked-up invoice, and the received and due amounts of each invoice. */
export interface InvoiceDesk {
	/**
	 * Called before a look-up is sent. Resolves when no note is being sent, or after a short wait.
	 */
	ask(): Promise<Asked>;
	/** Takes over an answer to a look-up. */
	learn(number: string, asked: Asked, info: InvoiceInfo): Learned;
	/**
	 * Looks an invoice up on the kiosk's own initiative.
	 * @param of `current`: updates the current invoice but does not replace it, because another
	 * customer may be there
	 * @returns null if no invoice came within `limitMs`
	 */
	lookUp(number: string, limitMs?: number, of?: 'any' | 'current'): Promise<CurrentInvoice | null>;
	/** Looks this payment up again; the current invoice stays the customer's. */
	refresh(payment: Payment, limitMs?: number): Promise<Refreshed>;
	/**
	 * Looks this payment up before one of its notes is sent, if a message "paid" may have been
	 * lost: afterwards the back office's "paid" no longer shows whether the invoice was also paid
	 * elsewhere.
	 * @param since when the live socket opened, monotonic ms; null while it is closed
	 */
	refreshMissed(key: PaymentKey, since: number | null): Promise<Refreshed>;
	/**
	 * Whether this is the current invoice and its look-up was sent within the last five seconds. An
	 * older answer may not show that the invoice has grown or been reversed.
	 */
	isFresh(payment: Payment): boolean;
	/** The last looked-up invoice; null after log-out and before the first look-up. */
	current(): CurrentInvoice | null;
	/**
	 * The logged-in outlet's payment with this id: the payment on the screen if it has this id, else
	 * the last one known; null if none is known.
	 */
	findPayment(id: Id): Payment | null;
	/**
	 * Whether a message with the id of this payment means this payment: its account is logged in, and
	 * no later invoice is known by the id.
	 */
	isMeant(payment: Payment): boolean;
	/** The balance of this payment, computed from the present facts. */
	balanceOf(key: PaymentKey): Balance;
	/**
	 * Writes the back office's newest view of the invoice to disk; called before money is taken.
	 */
	keep(current: CurrentInvoice): Result<void, JournalError>;
	/**
	 * Handles "paid" in the back office's answer to a note. If a look-up was sent after the note,
	 * it may have shown a larger total that this "paid" does not cover; then the invoice is looked
	 * up again instead.
	 * @param asked when the note was sent, monotonic ms
	 */
	hearPaid(key: PaymentKey, asked: number): void;
	/**
	 * Handles a message "paid", which names only the id of a payment of the logged-in outlet.
	 * @param odoo_id if the message has it; it tells two invoices with the same id apart
	 * @returns whether the message is believed for the invoice that the screen may show; after a
	 * doubtful message the payment is looked up first
	 */
	hearPaidById(id: Id, odoo_id?: Id | null): boolean;
	/**
	 * Looks the newest invoices up soon, because the live socket has opened and messages may have
	 * been lost while it was away.
	 */
	lookUpNewest(): void;
	/**
	 * Called when the journal can be read again: uses the messages that came meanwhile.
	 * @returns whether there were any
	 */
	hearWaiting(): boolean;
}

export interface InvoiceDeskDeps extends InvoiceCallsDeps, StatementRecordsDeps {
	/** Keeps messages "paid" across a restart; in the state directory. */
	announcedFile: string;
	/** Called when the invoice's facts have changed. */
	onChanged: (payment: Payment, balance: Balance) => void;
	/**
	 * Called when a look-up has confirmed a doubtful message, to inform the screens that wait for
	 * this payment.
	 */
	onConfirmed: (payment: Payment) => void;
}

export function startInvoiceDesk(deps: InvoiceDeskDeps): InvoiceDesk {
	const { journal, clock, onChanged } = deps;
	const { money } = journal;
	const recent = recentStatements();
	const kept = openKeptAnnouncements(deps.announcedFile);
	const announced = watchAnnouncedPayments({ clock, recent, kept, check: (payment, tell) => check(payment, tell) });
	const known = new KnownInvoices({ ...deps, recent, isAnnounced: announced.has });
	const calls = invoiceCalls(deps);
	const waiting = keepWaitingStatements({ clock, isUnreadable: () => known.isUnreadable() });
	const records = statementRecords({ ...deps, waiting });

	const check = invoiceChecks({
		clock,
		async lookUp(payment) {
			const learned = await askAbout(payment, LOOK_UP_MS);
			return learned.code === 'learned' ? learned.found : null;
		},
		onFound(found, tell) {
			const { state } = money.balanceOf(paymentKey(found.payment), found.view);
			if (tell && isPaidState(state)) deps.onConfirmed(found.payment);
			announced.checkSoon(found.payment);
		},
	});
	const lookAgain = lookAgainWhenReported({
		clock,
		isReported: money.isReported,
		// Another outlet's server does not know the invoice.
		lookUp: async (payment) => known.isOfThisOutlet(payment) && (await lookUp(payment.noinvoice, LOOK_UP_MS, 'current')) !== null,
	});
	const learn = learnAnswers({ known, records, money, check, lookAgain, log: deps.log, onChanged });
	const messages = hearPaidMessages({ known, records, waiting, money, clock, check, lookAgain, keep: announced.keep, onChanged });
	const lookUpNewest = lookUpMissed({
		clock,
		newest() {
			if (known.isUnreadable()) return null;
			const others = money.newestInvoices(known.account(), MOST_MISSED).filter((payment) => !known.currentOf(paymentKey(payment)));
			// The current invoice comes first: its customer may be about to pay what was paid
			// elsewhere.
			return known.current ? [known.current.payment, ...others] : others;
		},
		lookUp: (payment) => refresh(payment),
	});

	async function askFor(number: string, limitMs: number, of: 'any' | 'current', when?: 'at_once'): Promise<Learned | NotFound> {
		const answer = await calls.lookUp(number, limitMs, when);
		return answer.code === 'found' ? learn(number, answer.asked, answer.info, of) : answer;
	}

	/**
	 * Looks this payment up by the number that the customer entered. If this number now finds
	 * another invoice, that answer says nothing about this payment, so the payment's own invoice
	 * number is looked up next.
	 */
	async function askAbout(payment: Payment, limitMs: number, when?: 'at_once'): Promise<Learned | NotFound> {
		const number = known.currentOf(paymentKey(payment))?.number ?? payment.noinvoice;
		const end = clock.now() + limitMs;
		const learned = await askFor(number, limitMs, 'current', when);
		const isOther = learned.code === 'learned' && !samePayment(learned.payment, payment);
		if (!isOther || number === payment.noinvoice || clock.now() >= end) return learned;
		return askFor(payment.noinvoice, end - clock.now(), 'current', when);
	}

	async function lookUp(number: string, limitMs = LOOK_UP_MS, of: 'any' | 'current' = 'any'): Promise<CurrentInvoice | null> {
		const learned = await askFor(number, limitMs, of);
		return learned.code === 'learned' ? learned.found : null;
	}

	async function refresh(payment: Payment, limitMs = LOOK_UP_MS, when?: 'at_once'): Promise<Refreshed> {
		// Another outlet's server does not know the invoice.
		if (!known.isOfThisOutlet(payment)) return 'no_invoice';
		const learned = await askAbout(payment, limitMs, when);
		if (learned.code === 'learned') return samePayment(learned.payment, payment) ? 'answered' : 'no_invoice';
		return learned.code === 'other_outlet' ? 'no_invoice' : learned.code;
	}

	async function refreshMissed(key: PaymentKey, since: number | null): Promise<Refreshed> {
		const askedAt = known.askedAt(key);
		if (askedAt !== null && since !== null && askedAt >= since) return 'answered';
		const payment = known.newestPayment(key);
		// This look-up must not wait for notes on their way: the next note waits for this look-up, so
		// neither would ever end.
		return payment ? refresh(payment, LOOK_UP_MS, 'at_once') : 'no_invoice';
	}

	// Invoices that the back office called "paid" in an earlier run, and whose notes still wait,
	// are looked up again once their notes are confirmed.
	for (const { payment_id } of known.isUnreadable() ? [] : journal.notesForOthers(null, MOST_WAITING)) {
		const payment = money.viewOf(payment_id)?.is_paid ? money.paymentOf(payment_id) : null;
		if (payment) lookAgain(payment);
	}

	return {
		ask: calls.ask,
		learn: (number, asked, info) => learn(number, asked, info, 'any'),
		lookUp,
		refresh: (payment, limitMs) => refresh(payment, limitMs),
		refreshMissed,
		isMeant: (payment) => known.isMeant(payment),
		isFresh: (payment) => known.isFresh(payment),
		current: () => known.current,
		balanceOf: (key) => known.balanceOf(key),
		keep(found) {
			const { payment, view } = recent.newest(paymentKey(found.payment)) ?? found;
			return records.record(payment, view, 'look_up');
		},
		hearPaid: messages.hearNoteAnswer,
		findPayment: (id) => known.findPayment(id),
		hearPaidById: messages.hearPaidById,
		lookUpNewest,
		hearWaiting: waiting.hear,
	};
}
