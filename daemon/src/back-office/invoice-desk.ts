import * as v from 'valibot';
import { type Id, Invoice, InvoiceInfo, sameId } from '../../contract/back-office.ts';
import type { Clock } from '../clock.ts';
import type { Balance, InvoiceView } from '../journal/balance.ts';
import type { Journal, JournalError } from '../journal/journal.ts';
import { accountKey, type JournalRecord, type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import { ok, type Result } from '../result.ts';
import { type CallBackOffice, formDataOf, ownHeaders } from './client.ts';
import type { OutletToken } from './token.ts';

/** A look-up waits so long for notes that are being sent, so that the answer lists them. */
const SETTLE_MS = 2_000;
/** The kiosk's own look-ups: an invoice that cannot be read by then is not paid at this kiosk. */
const LOOK_UP_MS = 10_000;
/** Messages that said "paid" and may be newer than an answer that is on its way. */
const MOST_HEARD = 50;

type Seen = Extract<JournalRecord, { kind: 'invoice_seen' }>;

/** When a question was sent, as far as its answer depends on it. */
export interface Asked {
	account: Payment['account'];
	/** Position of the journal. */
	seq: number;
	/** Monotonic ms. */
	at: number;
}

/** The invoice that was looked up last. */
export interface CurrentInvoice {
	/** The phone or invoice number under which it was looked up. */
	number: string;
	info: InvoiceInfo;
	payment: Payment;
	view: InvoiceView;
	/** When the look-up was sent that said so, monotonic ms. */
	askedAt: number;
}

/** What the kiosk knows of invoices: the one that was looked up last, and what is received and due for each. */
export interface InvoiceDesk {
	/** Before a look-up is sent. Resolves when no note is on its way, or the wait for that is over. */
	ask(): Promise<Asked>;
	/** An answer to a look-up. @returns null when the outlet has changed since it was asked for */
	learn(number: string, asked: Asked, info: InvoiceInfo): { payment: Payment; balance: Balance } | null;
	/** The kiosk looks an invoice up by itself. @returns null when no invoice came within `limitMs` of the question */
	lookUp(number: string, limitMs?: number): Promise<CurrentInvoice | null>;
	/** Asks about this payment once more. The invoice that the customer looked up stays the current one. */
	refresh(payment: Payment, limitMs?: number): Promise<void>;
	/** null after log-out and before the first look-up. */
	current(): CurrentInvoice | null;
	/** The payment with this id of the outlet that is logged in, as the customer who stands there means it; null when nothing is known of it. */
	named(id: Id): Payment | null;
	/** By what is known at this moment. */
	balanceOf(key: PaymentKey): Balance;
	/** Before money is taken: what the back office says of the invoice is on disk. */
	keep(current: CurrentInvoice): Result<void, JournalError>;
	/** The back office says that this payment is settled, however it was paid. */
	hearPaid(key: PaymentKey, source: Seen['source']): void;
	/** The same of the payment with this id of the outlet that is logged in. */
	hearPaidById(id: Id): void;
}

export function startInvoiceDesk(parts: {
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
	settled: () => Promise<void>;
	/** Whether the back office may have heard of this note or sale without having confirmed it. */
	mayBeTold: (id: string) => boolean;
	/** What is known of this invoice has changed. */
	changed: (payment: Payment, balance: Balance) => void;
	log: Log;
}): InvoiceDesk {
	const { journal, token, clock, log } = parts;
	const { money } = journal;
	let current: CurrentInvoice | null = null;
	/** When each payment was said to be paid, monotonic ms; newest last. */
	const heard = new Map<PaymentKey, number>();

	token.onChange(() => {
		current = null;
	});

	const account = (): Payment['account'] => token.current()?.account ?? null;
	const isCurrent = (key: PaymentKey): boolean => current !== null && paymentKey(current.payment) === key;
	const balanceOf = (key: PaymentKey): Balance => money.balanceOf(key, current && isCurrent(key) ? current.view : undefined);

	async function ask(): Promise<Asked> {
		if (journal.waitingUploads().count > 0) await within(SETTLE_MS, parts.settled());
		return { account: account(), seq: money.position(), at: clock.now() };
	}

	function within(ms: number, promise: Promise<void>): Promise<void> {
		return new Promise((resolve) => {
			const cancel = clock.after(ms, resolve);
			void promise.then(() => {
				cancel();
				resolve();
			});
		});
	}

	function learn(number: string, asked: Asked, info: InvoiceInfo) {
		const answered = read(number, asked, info);
		if (answered) current = answered;
		return answered && tell(answered);
	}

	/** @returns what an answer says; null when the outlet has changed since it was asked for */
	function read(number: string, asked: Asked, info: InvoiceInfo): CurrentInvoice | null {
		if (asked.account === null || accountKey(asked.account) !== accountKey(account())) return null;
		const { results } = info;
		const payment = paymentOf(asked.account, results);
		const key = paymentKey(payment);
		const heardAt = heard.get(key);
		const view: InvoiceView = {
			total: results.total,
			// A message that came after the question is newer than the answer.
			is_paid: results.is_paid || (heardAt !== undefined && heardAt >= asked.at),
			listed: listedOf(results),
			own: money.ownAtAnswer(key, { seq: asked.seq, mayBeTold: parts.mayBeTold }),
		};
		return { number, info: { ...info, results: keptOf(results) }, payment, view, askedAt: asked.at };
	}

	/** Keeps what was said of an invoice with money of this kiosk, and tells what is known of it now. */
	function tell({ payment, view }: CurrentInvoice) {
		const key = paymentKey(payment);
		if (money.hasMoneyOf(key)) record(payment, view, 'look_up');
		const balance = balanceOf(key);
		parts.changed(payment, balance);
		return { payment, balance };
	}

	/** @returns ok when this word of the back office is on disk, or was before */
	function record(payment: Payment, view: InvoiceView, source: Seen['source']): Result<void, JournalError> {
		const known = money.viewOf(paymentKey(payment));
		if (known && JSON.stringify(inOrder(known)) === JSON.stringify(inOrder(view))) return ok(undefined);
		const { is_paid, listed, own } = view;
		return journal.append({
			kind: 'invoice_seen',
			seen_id: parts.newId(),
			payment,
			is_paid,
			listed: [...listed],
			own,
			source,
			time: parts.now(),
		});
	}

	async function lookUp(number: string, limitMs = LOOK_UP_MS): Promise<CurrentInvoice | null> {
		const answered = await fetch(number, limitMs);
		return answered && learn(number, answered.asked, answered.info) && current;
	}

	async function refresh(payment: Payment, limitMs = LOOK_UP_MS): Promise<void> {
		const number = current && isCurrent(paymentKey(payment)) ? current.number : payment.noinvoice;
		const answered = await fetch(number, limitMs);
		const invoice = answered && read(number, answered.asked, answered.info);
		if (!invoice) return;
		// Another customer may have come meanwhile.
		if (isCurrent(paymentKey(invoice.payment))) current = invoice;
		tell(invoice);
	}

	/** The kiosk's own question. @returns null without an answer that can be read */
	async function fetch(number: string, limitMs: number): Promise<{ asked: Asked; info: InvoiceInfo } | null> {
		const session = token.current();
		if (!session || number === '') return null;
		const asked = await ask();
		const { body, contentType } = formDataOf({ noinvoice: number });
		const headers = { ...ownHeaders(session.token.reveal(), parts.csrf), 'Content-Type': contentType };
		const ending = new AbortController();
		const cancel = clock.after(limitMs, () => ending.abort());
		const answer = await parts.call({ method: 'POST', path: parts.path, headers, body, signal: ending.signal });
		cancel();
		if (!answer.ok || answer.value.status > 299) return null;
		const info = parsedInfo(answer.value.body);
		if (!info) {
			log.event('back_office.odd_answer', { call: 'invoice_info', path: 'the kiosk’s own look-up' });
			return null;
		}
		return { asked, info };
	}

	function hearPaid(key: PaymentKey, source: Seen['source']): void {
		heard.delete(key);
		heard.set(key, clock.now());
		for (const oldest of heard.keys()) {
			if (heard.size <= MOST_HEARD) break;
			heard.delete(oldest);
		}
		const payment = current && isCurrent(key) ? current.payment : money.paymentOf(key);
		if (!payment) return;
		const before = current && isCurrent(key) ? current.view : money.viewOf(key);
		const own = money.ownAtAnswer(key, { seq: money.position(), mayBeTold: parts.mayBeTold });
		const view: InvoiceView = { total: payment.total, is_paid: true, listed: before?.listed ?? [], own };
		if (before?.is_paid && before.total === view.total) return parts.changed(payment, balanceOf(key));
		if (current && isCurrent(key)) current = { ...current, view };
		if (!money.hasMoneyOf(key)) return parts.changed(payment, balanceOf(key));
		record(payment, view, source);
		const balance = balanceOf(key);
		parts.changed(payment, balance);
		// Only a look-up lists who paid what.
		if (balance.state === 'paid_twice') void refresh(payment);
	}

	function named(id: Id): Payment | null {
		if (current && sameId(current.payment.id, id)) return current.payment;
		const outlet = account();
		return (outlet && money.paymentsWithId(outlet, String(id))[0]) ?? null;
	}

	return {
		ask,
		learn,
		lookUp,
		refresh,
		current: () => current,
		balanceOf,
		keep: ({ payment, view }) => record(payment, view, 'look_up'),
		hearPaid,
		named,
		hearPaidById(id) {
			const payment = named(id);
			if (payment) hearPaid(paymentKey(payment), 'message');
		},
	};
}

/** Without payment data, pictures and what has no name in the contract: only the page needs them, and they may be megabytes. */
const keptOf = (invoice: Invoice): Invoice => v.parse(v.object(Invoice.entries), { ...invoice, json_data: null, qr_url: '' });

const paymentOf = (account: NonNullable<Payment['account']>, { id, odoo_id, noinvoice, total }: Invoice): Payment => ({
	account,
	id,
	odoo_id: odoo_id ?? null,
	noinvoice,
	total,
});

/** A note that the server names by its id is known for certain. */
const listedOf = (invoice: Invoice): InvoiceView['listed'] =>
	(invoice.list_pembayaran ?? []).map(({ nominal, tanggal, note_id }) => ({
		nominal,
		note_id: typeof note_id === 'string' && note_id !== '' ? note_id : null,
		time: tanggal,
	}));

const inOrder = ({ total, is_paid, listed, own }: InvoiceView) => [
	total,
	is_paid,
	listed.map(({ nominal, note_id, time }) => [nominal, note_id, time]),
	own.notes_confirmed,
	own.cards_confirmed,
	own.told,
];

function parsedInfo(body: Buffer): InvoiceInfo | null {
	try {
		return v.parse(InvoiceInfo, JSON.parse(body.toString('utf8')));
	} catch {
		return null;
	}
}
