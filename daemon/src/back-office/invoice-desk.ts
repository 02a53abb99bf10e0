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

/** Time limit of the kiosk’s own look-ups. */
const LOOK_UP_MS = 10_000;
/**
 * Time limit of a look-up for which a person or a device waits. If no answer arrives in time, the
 * previous answer is used.
 */
export const SHORT_LOOK_UP_MS = 3_000;
/** Maximum number of unsent notes whose invoices are examined at the start. */
const MOST_WAITING = 100;

type NotFound = Exclude<LookedUp, { code: 'found' }>;

/** The invoice of the last look-up, and the received and due amounts of each invoice. */
export interface InvoiceDesk {
	/**
	 * Called before a look-up is sent. Resolves when no note is being sent, or after a short wait.
	 */
	ask(): Promise<Asked>;
	/** Processes an answer to a look-up. */
	learn(number: string, asked: Asked, info: InvoiceInfo): Learned;
	/**
	 * Sends a look-up itself and processes the answer.
	 * @param of `current`: updates the current invoice but does not replace it with another, because
	 * another customer may be at the kiosk
	 * @returns null if no invoice came within `limitMs`
	 */
	lookUp(number: string, limitMs?: number, of?: 'any' | 'current'): Promise<CurrentInvoice | null>;
	/** Looks this payment up again. Does not replace the current invoice with another. */
	refresh(payment: Payment, limitMs?: number): Promise<Refreshed>;
	/**
	 * If a "paid" message may have been lost, looks this payment up before one of its notes is sent.
	 * Once the note is sent, the back office's "paid" no longer shows whether the invoice was also
	 * paid elsewhere.
	 * @param since when the live socket opened, monotonic ms; null while it is closed
	 */
	refreshMissed(key: PaymentKey, since: number | null): Promise<Refreshed>;
	/**
	 * Whether this is the current invoice and its look-up was sent within the last five seconds.
	 * After an older look-up, the total may have grown or a payment may have been reversed.
	 */
	isFresh(payment: Payment): boolean;
	/** The last looked-up invoice; null after log-out and before the first look-up. */
	current(): CurrentInvoice | null;
	/**
	 * @returns the logged-in outlet's payment with this id: the current invoice's payment if it has
	 * this id, else the newest known payment; null if none is known
	 */
	findPayment(id: Id): Payment | null;
	/**
	 * Whether a message with this payment's id refers to this payment: its account is logged in, and
	 * no newer payment with this id is known.
	 */
	isMeant(payment: Payment): boolean;
	/** @returns the balance of this payment, computed from the current facts */
	balanceOf(key: PaymentKey): Balance;
	/**
	 * Writes the back office's newest answer about the invoice to disk. Called before money is taken.
	 */
	keep(current: CurrentInvoice): Result<void, JournalError>;
	/**
	 * Handles "paid" in the back office's answer to a note. If a look-up was sent after the note and
	 * its answer came first, the kiosk ignores this "paid" and looks the invoice up again, because
	 * the total may have grown.
	 * @param asked when the note was sent, monotonic ms
	 */
	hearPaid(key: PaymentKey, asked: number): void;
	/**
	 * Handles a "paid" message, which names a payment of the logged-in outlet only by its id.
	 * @param odoo_id order id from the message, if any; it distinguishes two invoices with the same
	 * id
	 * @returns whether the screen may be informed now. If not, the kiosk looks the payment up first;
	 * a message with an unknown order id is ignored
	 */
	hearPaidById(id: Id, odoo_id?: Id | null): boolean;
	/**
	 * Called when the live socket has opened: looks the newest invoices up after a pause, because
	 * messages may have been lost while the socket was closed.
	 */
	lookUpNewest(): void;
	/**
	 * Called when the journal is readable again: processes the messages that arrived while the
	 * journal was unreadable.
	 */
	hearWaiting(): void;
}

export interface InvoiceDeskDeps extends InvoiceCallsDeps, StatementRecordsDeps {
	/** File in the state directory that keeps "paid" messages across a restart. */
	announcedFile: string;
	/** Called when an invoice's total or payments may have changed. */
	onChanged: (payment: Payment, balance: Balance) => void;
	/**
	 * Called when a look-up has confirmed that a payment reported as paid is paid. Informs the
	 * screens that wait for this payment.
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
			return learned.code === 'learned' ? learned : null;
		},
		// Uses the balance that belongs to the answer, because the write of the answer's record may
		// have closed the journal.
		onFound({ payment, balance }, tell) {
			if (tell && isPaidState(balance.state)) deps.onConfirmed(payment);
			announced.checkSoon(payment);
		},
	});
	const lookAgain = lookAgainWhenReported({
		clock,
		isReported: (key) => !known.isUnreadable() && money.isReported(key),
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
			// The current invoice comes first, because its customer may be about to pay a second time.
			return known.current ? [known.current.payment, ...others] : others;
		},
		lookUp: (payment) => refresh(payment),
	});

	async function askFor(number: string, limitMs: number, of: 'any' | 'current', when?: 'at_once'): Promise<Learned | NotFound> {
		const answer = await calls.lookUp(number, limitMs, when);
		return answer.code === 'found' ? learn(number, answer.asked, answer.info, of) : answer;
	}

	/**
	 * Looks this payment up: a current payment by the number that the customer entered, another
	 * payment by its invoice number. If the server now finds another invoice or none by the entered
	 * number, for example because the phone number was corrected, looks up the invoice number next.
	 */
	async function askAbout(payment: Payment, limitMs: number, when?: 'at_once'): Promise<Learned | NotFound> {
		const number = known.currentOf(paymentKey(payment))?.number ?? payment.noinvoice;
		const end = clock.now() + limitMs;
		const learned = await askFor(number, limitMs, 'current', when);
		const isFound = learned.code === 'learned' ? samePayment(learned.payment, payment) : learned.code !== 'no_invoice';
		if (isFound || number === payment.noinvoice || clock.now() >= end) return learned;
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
		// This look-up must not wait until no note is being sent. A note waits for this look-up, so
		// both would wait for ever.
		return payment ? refresh(payment, LOOK_UP_MS, 'at_once') : 'no_invoice';
	}

	let isExamined = false;
	/**
	 * Finds the invoices that the back office reported as paid in an earlier run and that still have
	 * unsent notes. Each is looked up when its notes are confirmed. Called at the start, and again
	 * until the journal can be read.
	 */
	function lookAgainAfterStart(): void {
		if (isExamined || known.isUnreadable()) return;
		for (const { payment_id } of journal.notesForOthers(null, MOST_WAITING)) {
			const payment = money.viewOf(payment_id)?.is_paid ? money.paymentOf(payment_id) : null;
			if (payment) lookAgain(payment);
		}
		isExamined = !known.isUnreadable();
	}
	lookAgainAfterStart();

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
		hearWaiting() {
			lookAgainAfterStart();
			waiting.hear();
		},
	};
}
