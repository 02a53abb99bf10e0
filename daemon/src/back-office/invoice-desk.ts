import type { Id, Invoice, InvoiceInfo } from '@kiosk/contract/back-office';
import { sameId } from '@kiosk/contract/same-id';
import type { Clock } from '../base/clock.ts';
import { ok, type Result } from '../base/result.ts';
import { type Balance, type InvoiceView, isPaidState } from '../journal/balance.ts';
import type { Journal } from '../journal/journal.ts';
import { accountKey, type JournalRecord, type Payment, type PaymentKey, paymentKey, sameAccount, samePayment } from '../journal/records.ts';
import { isClosed, type JournalError } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import { announcedPayments } from './announced-payments.ts';
import { type CallBackOffice, formDataOf, ownHeaders } from './client.ts';
import { isSameView, keptOf, listedOf, parseInfo, paymentOf } from './invoice-answer.ts';
import { invoiceChecks } from './invoice-checks.ts';
import { lookAgainWhenReported } from './look-again.ts';
import { lookUpMissed, MOST_MISSED } from './missed-messages.ts';
import { recentWords } from './recent-words.ts';
import type { OutletToken } from './token.ts';
import { keepWaitingWords } from './waiting-words.ts';

/** How long a look-up waits for notes that are being sent, so that its answer lists them. */
const SETTLE_MS = 2_000;
/**
 * Limit of the kiosk's own look-ups; an invoice that cannot be read by then is not paid at this
 * kiosk.
 */
const LOOK_UP_MS = 10_000;
const FRESH_MS = 5_000;
/** Waiting notes whose invoices are examined at the start. */
const MOST_WAITING = 100;

type Seen = Extract<JournalRecord, { kind: 'invoice_seen' }>;

/** When a question was sent; this time orders the answers. */
export interface Asked {
	account: Payment['account'];
	/** Position of the journal. */
	seq: number;
	/** Monotonic ms. */
	at: number;
}

/** The last looked-up invoice. */
export interface CurrentInvoice {
	/** The phone or invoice number of the look-up. */
	number: string;
	info: InvoiceInfo;
	payment: Payment;
	view: InvoiceView;
	/** When that look-up was sent, monotonic ms. */
	askedAt: number;
}

/**
 * `other_outlet`: another outlet has logged in since the question. `unreadable`: the journal cannot
 * be read, so the due amount is unknown.
 */
export type Learned =
	| { code: 'learned'; found: CurrentInvoice; payment: Payment; balance: Balance }
	| { code: 'other_outlet' | 'unreadable' };

export type Refreshed = 'answered' | 'unreadable' | 'no_answer';

/** The last looked-up invoice, and the received and due amounts of each invoice. */
export interface InvoiceDesk {
	/** Called before a look-up is sent. Resolves when no note is being sent, or after the wait. */
	ask(): Promise<Asked>;
	/** Takes over an answer to a look-up. */
	learn(number: string, asked: Asked, info: InvoiceInfo): Learned;
	/**
	 * Looks an invoice up on the kiosk's own account.
	 * @param of `current`: updates the current invoice but does not replace it, because another
	 * customer may be there
	 * @returns null if no invoice came within `limitMs`
	 */
	lookUp(number: string, limitMs?: number, of?: 'any' | 'current'): Promise<CurrentInvoice | null>;
	/**
	 * Looks this payment up again; the current invoice stays the customer's.
	 * @returns `unreadable` if an answer came while the journal could not be read: its total is not
	 * used
	 */
	refresh(payment: Payment, limitMs?: number): Promise<Refreshed>;
	/**
	 * Whether this is the current invoice and its look-up was sent within the last five seconds. An
	 * older answer may not show that the invoice has grown or been reversed.
	 */
	isFresh(payment: Payment): boolean;
	/** null after log-out and before the first look-up. */
	current(): CurrentInvoice | null;
	/**
	 * The payment of the logged-in outlet that has this id for the present customer; null if unknown.
	 */
	findPayment(id: Id): Payment | null;
	/**
	 * Whether a message with the id of this payment means this payment: its account is logged in, and
	 * no later invoice is known by the id.
	 */
	isMeant(payment: Payment): boolean;
	/** Computed from the present facts. */
	balanceOf(key: PaymentKey): Balance;
	/** Before money is taken: writes the back office's newest view of the invoice to disk. */
	keep(current: CurrentInvoice): Result<void, JournalError>;
	/**
	 * The back office answers a note with "paid". If the invoice was looked up after `asked`, it may
	 * have grown since, so it is looked up again instead.
	 * @param asked when the note was sent, monotonic ms
	 */
	hearPaid(key: PaymentKey, asked: number): void;
	/**
	 * The same, by the id of a payment of the logged-in outlet.
	 * @param odoo_id if the message has it: a server may reuse an id
	 * @returns whether the message is believed for the invoice that the screen may show; for a
	 * doubtful message, the payment is looked up first
	 */
	hearPaidById(id: Id, odoo_id?: Id | null): boolean;
	/**
	 * Looks the newest invoices up soon: the live socket has opened, and messages may have been lost
	 * while it was away.
	 */
	lookUpNewest(): void;
	/**
	 * The journal can be read: uses the messages that came while it could not be read.
	 * @returns whether there were any
	 */
	hearWaiting(): boolean;
}

export function startInvoiceDesk(deps: {
	journal: Journal;
	token: OutletToken;
	call: CallBackOffice;
	path: string;
	csrf: { csrf_cookie: string; csrf_header: string };
	clock: Clock;
	/** A fresh UUID. */
	newId: () => string;
	/** Now, ISO 8601 with the site's offset. */
	now: () => string;
	/** Resolves when no note is being sent. */
	whenSettled: () => Promise<void>;
	/** Whether the back office may know this note or sale without having confirmed it. */
	mayBeTold: (id: string) => boolean;
	/**
	 * Whether it confirmed this note so shortly before a question that its list may not have it yet.
	 * @param asked when the question was sent, monotonic ms
	 */
	isConfirmedLately: (note_id: string, asked: number) => boolean;
	/** The invoice's facts have changed. */
	onChanged: (payment: Payment, balance: Balance) => void;
	/**
	 * A look-up has confirmed a doubtful message: screens that wait for this payment are informed.
	 */
	onConfirmed: (payment: Payment) => void;
	log: Log;
}): InvoiceDesk {
	const { journal, token, clock, log } = deps;
	const { money } = journal;
	let current: CurrentInvoice | null = null;
	const recent = recentWords();
	const announced = announcedPayments({ clock, recent, check: (payment, tell) => check(payment, tell) });

	token.onChange(() => {
		current = null;
	});

	/**
	 * An unreadable journal looks empty: everything that the back office lists would count as paid
	 * elsewhere.
	 */
	const isUnreadable = (): boolean => isClosed(journal.trouble());
	const words = keepWaitingWords({ clock, isUnreadable });

	const account = (): Payment['account'] => token.current()?.account ?? null;
	const isOfThisOutlet = (payment: Payment): boolean => sameAccount(payment.account, account());
	const isCurrent = (key: PaymentKey): boolean => current !== null && paymentKey(current.payment) === key;
	function balanceOf(key: PaymentKey): Balance {
		if (current && isCurrent(key)) return balanceFor(key, current.view);
		// The journal may hold an older statement: it stores no statement about an invoice without
		// money of this kiosk, and none on a full disk.
		return balanceFor(key, isUnreadable() ? undefined : recent.newest(key)?.view);
	}

	/** The journal stores no message about an invoice without money of this kiosk. */
	function balanceFor(key: PaymentKey, view: InvoiceView | undefined): Balance {
		const balance = money.balanceOf(key, view);
		if (balance.state !== 'open' || !announced.has(key, balance.total)) return balance;
		return { ...balance, state: 'dispute', why: `the back office announced that Rp ${balance.total} was paid and says unpaid` };
	}

	async function ask(): Promise<Asked> {
		if (journal.waitingUploads().count > 0) await waitAtMost(SETTLE_MS, deps.whenSettled());
		return { account: account(), seq: money.position(), at: clock.now() };
	}

	function waitAtMost(ms: number, promise: Promise<void>): Promise<void> {
		return new Promise((resolve) => {
			const cancel = clock.after(ms, resolve);
			void promise.then(() => {
				cancel();
				resolve();
			});
		});
	}

	/** @param of which answers may become current: any invoice, or only the present one */
	function learn(number: string, asked: Asked, info: InvoiceInfo, of: 'any' | 'current' = 'any'): Learned {
		if (asked.account === null || !sameAccount(asked.account, account())) return { code: 'other_outlet' };
		if (isUnreadable()) return forgetUnreadable(of);
		const { results } = info;
		const key = paymentKey(paymentOf(asked.account, results));
		const later = recent.newest(key);
		// The answer to a later question came first, so this answer is out of date.
		const isOvertaken = later !== undefined && later.askedAt > asked.at;
		if (isOvertaken && current && isCurrent(key))
			return { code: 'learned', found: current, payment: current.payment, balance: balanceOf(key) };
		const word = isOvertaken ? later : { payment: paymentOf(asked.account, results), view: viewOf(results, key, asked), askedAt: asked.at };
		const { payment, view } = word;
		const kept = keptOf(results);
		const said = isOvertaken ? { ...kept, total: view.total, is_paid: view.is_paid } : kept;
		// The customer's number stays, also after a look-up by the invoice's own number.
		const entered = of === 'current' && current && isCurrent(key) ? current.number : number;
		const found: CurrentInvoice = { number: entered, info: { ...info, results: said }, ...word };
		if (of === 'any' || isCurrent(key)) current = found;
		if (isOvertaken) return { code: 'learned', found, payment, balance: balanceFor(key, view) };
		recent.hearAnswer(key, word);
		if (money.hasMoneyOf(key)) record(payment, view, 'look_up');
		// If the disk has refused this record, the journal is closed.
		if (isUnreadable()) return forgetUnreadable(of);
		if (view.is_paid) lookAgain(payment);
		const balance = balanceFor(key, view);
		deps.onChanged(payment, balance);
		if (isReportedPaid(results, asked)) check(payment, false);
		return { code: 'learned', found, payment, balance };
	}

	const idKey = (id: Id): string => JSON.stringify([accountKey(account()), String(id)]);

	/** @returns whether the id was reported paid after the question, while its invoice was unknown */
	const isReportedPaid = ({ id, odoo_id }: Invoice, { at }: Asked): boolean => recent.isUnknownPaidSince(idKey(id), odoo_id, at);

	function viewOf(results: Invoice, key: PaymentKey, asked: Asked): InvoiceView {
		const { seq, at } = asked;
		// A message after the question is newer than the answer, but refers to the total at that time.
		const is_paid = results.is_paid || recent.isPaidSince(key, at, results.total) || isReportedPaid(results, asked);
		return { total: results.total, is_paid, listed: listedOf(results), own: ownAt(key, seq, at, is_paid) };
	}

	/** @param seq position of the journal @param at monotonic ms, both when the back office was asked */
	const ownAt = (key: PaymentKey, seq: number, at: number, isPaid: boolean): InvoiceView['own'] =>
		money.ownAtAnswer(key, { seq, mayBeTold: deps.mayBeTold, isConfirmedLately: (note_id) => deps.isConfirmedLately(note_id, at), isPaid });

	function forgetUnreadable(of: 'any' | 'current'): Learned {
		if (of === 'any') current = null;
		return { code: 'unreadable' };
	}

	/** @returns ok if this statement of the back office is on disk */
	function record(payment: Payment, view: InvoiceView, source: Seen['source']): Result<void, JournalError> {
		const key = paymentKey(payment);
		words.dropWrite(key);
		const known = money.viewOf(key);
		if (known && isSameView(known, view)) return ok(undefined);
		const { is_paid, listed, own, ownAtList } = view;
		const written = journal.append({
			kind: 'invoice_seen',
			seen_id: deps.newId(),
			payment,
			is_paid,
			listed: [...listed],
			own,
			...(ownAtList && { own_at_list: ownAtList }),
			source,
			time: deps.now(),
		});
		if (!written.ok) words.writeLater(key, () => record(payment, view, source));
		return written;
	}

	async function refresh(payment: Payment, limitMs = LOOK_UP_MS): Promise<Refreshed> {
		// Another outlet's server does not know the invoice.
		const learned = isOfThisOutlet(payment) ? await askAbout(payment, limitMs) : null;
		if (learned?.code === 'unreadable') return 'unreadable';
		return learned?.code === 'learned' && samePayment(learned.payment, payment) ? 'answered' : 'no_answer';
	}

	/**
	 * Asks about this payment by the customer's number. If that number finds another invoice by now,
	 * it asks by the invoice's own number: nothing was learned about this payment, and it may have
	 * grown.
	 */
	async function askAbout(payment: Payment, limitMs: number): Promise<Learned | null> {
		const number = current && isCurrent(paymentKey(payment)) ? current.number : payment.noinvoice;
		const end = clock.now() + limitMs;
		const learned = await askFor(number, limitMs, 'current');
		const isOther = learned?.code === 'learned' && !samePayment(learned.payment, payment);
		if (!isOther || number === payment.noinvoice || clock.now() >= end) return learned;
		return askFor(payment.noinvoice, end - clock.now(), 'current');
	}

	async function lookUp(number: string, limitMs = LOOK_UP_MS, of: 'any' | 'current' = 'any'): Promise<CurrentInvoice | null> {
		const learned = await askFor(number, limitMs, of);
		return learned?.code === 'learned' ? learned.found : null;
	}

	/** @returns null if no invoice came within `limitMs` */
	async function askFor(number: string, limitMs: number, of: 'any' | 'current'): Promise<Learned | null> {
		const before = account();
		if (!before || number === '') return null;
		const asked = await ask();
		const session = token.current();
		// Another outlet has logged in meanwhile. The number was entered for the previous outlet.
		if (!session || !sameAccount(session.account, before)) return null;
		const { body, contentType } = formDataOf({ noinvoice: number });
		const headers = { ...ownHeaders(session.token.reveal(), deps.csrf), 'Content-Type': contentType };
		const ending = new AbortController();
		const cancel = clock.after(limitMs, () => ending.abort());
		const answer = await deps.call({ method: 'POST', path: deps.path, headers, body, signal: ending.signal });
		cancel();
		if (!answer.ok || answer.value.status > 299) return null;
		const info = parseInfo(answer.value.body);
		if (!info) {
			log.event('back_office.odd_answer', { call: 'invoice_info', path: 'the kiosk’s own look-up' });
			return null;
		}
		return learn(number, asked, info, of);
	}

	/** @param at when the back office said so, monotonic ms */
	function hearPaid(key: PaymentKey, source: Seen['source'], at = clock.now()): void {
		if (isUnreadable()) return words.hearLater(key, () => hearPaid(key, source, at));
		if ((recent.newest(key)?.askedAt ?? at) > at) return;
		const payment = current && isCurrent(key) ? current.payment : (recent.newest(key)?.payment ?? money.paymentOf(key));
		if (!payment) return;
		recent.hearPaid(key, at, payment.total);
		const before = current && isCurrent(key) ? current.view : money.viewOf(key);
		const own = ownAt(key, money.position(), clock.now(), true);
		const view: InvoiceView = {
			total: payment.total,
			is_paid: true,
			listed: before?.listed ?? [],
			own,
			ownAtList: before ? (before.ownAtList ?? before.own) : undefined,
		};
		const isNews = !before?.is_paid || before.total !== view.total;
		if (isNews) adopt(key, view);
		if (isNews && money.hasMoneyOf(key)) record(payment, view, source);
		if (isUnreadable()) return;
		lookAgain(payment);
		deps.onChanged(payment, balanceOf(key));
		// Only a look-up lists the payments and gives the present total, and a repeat of the message
		// may be about another payment.
		if (money.hasMoneyOf(key) || isCurrent(key)) check(payment, false);
	}

	function adopt(key: PaymentKey, view: InvoiceView): void {
		recent.adopt(key, view);
		if (current && isCurrent(key)) current = { ...current, view };
	}

	const check = invoiceChecks({
		clock,
		async lookUp(payment) {
			const learned = await askAbout(payment, LOOK_UP_MS);
			return learned?.code === 'learned' ? learned.found : null;
		},
		onFound(found, tell) {
			if (tell && isPaidFor(found)) deps.onConfirmed(found.payment);
			announced.checkSoon(found.payment);
		},
	});

	const lookAgain = lookAgainWhenReported({
		clock,
		isReported: money.isReported,
		// Another outlet's server does not know the invoice.
		lookUp: async (payment) => isOfThisOutlet(payment) && (await lookUp(payment.noinvoice, LOOK_UP_MS, 'current')) !== null,
	});
	const lookUpNewest = lookUpMissed({
		clock,
		newest() {
			if (isUnreadable()) return null;
			const others = money.newestInvoices(account(), MOST_MISSED).filter((payment) => !isCurrent(paymentKey(payment)));
			// The present customer may be about to pay what was paid elsewhere meanwhile.
			return current ? [current.payment, ...others] : others;
		},
		lookUp: (payment) => refresh(payment),
	});

	// Statements "paid" of an earlier run about notes that are still waiting.
	for (const { payment_id } of isUnreadable() ? [] : journal.notesForOthers(null, MOST_WAITING)) {
		const payment = money.viewOf(payment_id)?.is_paid ? money.paymentOf(payment_id) : null;
		if (payment) lookAgain(payment);
	}

	function isPaidFor({ payment, view }: CurrentInvoice): boolean {
		return isPaidState(money.balanceOf(paymentKey(payment), view).state);
	}

	function findPayment(id: Id): Payment | null {
		if (current && sameId(current.payment.id, id)) return current.payment;
		const outlet = account();
		return recent.paymentWithId(outlet, id) ?? (outlet && money.paymentsWithId(outlet, String(id))[0]) ?? null;
	}

	function isMeant(payment: Payment): boolean {
		const found = findPayment(payment.id);
		return isOfThisOutlet(payment) && (found === null || samePayment(found, payment));
	}

	/** Finds the message's payment among the invoices that have had this id. */
	function findPaymentByOdooId(id: Id, odoo_id: Id): Payment | null {
		const outlet = account();
		const known = outlet ? money.paymentsWithId(outlet, String(id)) : [];
		return known.find((payment) => sameId(payment.odoo_id, odoo_id)) ?? null;
	}

	/**
	 * A message has no amount and no invoice number: it may be old, about a smaller total or about
	 * another invoice with this id. If the invoice's money is disputed, the message itself may be
	 * wrong.
	 */
	function isInQuestion(payment: Payment, odoo_id: Id | null | undefined): boolean {
		const key = paymentKey(payment);
		const booked = money.paidTotal(key);
		const before = recent.wasPaidBelow(key, payment.total) || (booked !== null && booked < payment.total);
		if (before || balanceOf(key).state === 'dispute') return true;
		if (odoo_id !== null && odoo_id !== undefined) return false;
		const outlet = account();
		return outlet !== null && money.paymentsWithId(outlet, String(payment.id)).some((other) => paymentKey(other) !== key);
	}

	function hearPaidById(id: Id, odoo_id?: Id | null): boolean {
		const shown = findPayment(id);
		const outlet = accountKey(account());
		if (!shown && isUnreadable())
			words.hearLater(JSON.stringify([outlet, id]), () => void (accountKey(account()) === outlet && hearPaidById(id, odoo_id)));
		if (!shown) {
			recent.hearUnknownPaid(idKey(id), odoo_id, clock.now());
			return true;
		}
		const isOther = odoo_id !== null && odoo_id !== undefined && shown.odoo_id !== null && !sameId(shown.odoo_id, odoo_id);
		if (isOther) {
			const meant = findPaymentByOdooId(id, odoo_id);
			if (meant) check(meant, false);
			return false;
		}
		if (isInQuestion(shown, odoo_id)) {
			check(shown, true);
			return false;
		}
		hearPaid(paymentKey(shown), 'message');
		return true;
	}

	return {
		ask,
		learn: (number, asked, info) => learn(number, asked, info),
		lookUp,
		refresh,
		isMeant,
		isFresh: (payment) => current !== null && isCurrent(paymentKey(payment)) && clock.now() - current.askedAt < FRESH_MS,
		current: () => current,
		balanceOf,
		keep(found) {
			const { payment, view } = recent.newest(paymentKey(found.payment)) ?? found;
			return record(payment, view, 'look_up');
		},
		hearPaid(key, asked) {
			const later = recent.newest(key);
			if (later && later.askedAt > asked) check(later.payment, true);
			else hearPaid(key, 'note_answer');
		},
		findPayment,
		hearPaidById,
		lookUpNewest,
		hearWaiting: words.hear,
	};
}
