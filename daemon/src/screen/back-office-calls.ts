import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DoubtfulNote, ErrorAnswer, IdSchema, InvoiceInfo, LoginAnswer, TransactionPage } from '@kiosk/contract/back-office';
import { OpenMachineRequest } from '@kiosk/contract/kiosk-api';
import { formatRupiah, sumRupiah } from '@kiosk/contract/money';
import * as v from 'valibot';
import { type BackOfficeAnswer, formDataOf } from '../back-office/client.ts';
import type { Asked, CurrentInvoice, InvoiceDesk } from '../back-office/invoice-desk.ts';
import { type AllowedCall, type BackOfficeProxy, csrfCookieFor } from '../back-office/proxy.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { Transfers } from '../back-office/transfers.ts';
import type { Clock } from '../base/clock.ts';
import { customerText } from '../base/customer-text.ts';
import type { OpenRefusal } from '../cash/cash-customer.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, formDataField, type Handler, parseJson, readBody, refuse } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { type Payment, paymentKey, sameAccount, spelledAsBefore } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import type { Receipts } from '../printer/receipts.ts';
import { askedInvoice, isAsked } from './asked-invoice.ts';
import { withBalance } from './look-up-answer.ts';
import { type LookupLimit, refuseLookup } from './lookup-limit.ts';
import type { Pictures } from './pictures.ts';
import type { ScreenSessions } from './sessions.ts';
import { refuseOtherOutlet, type StaffDesk } from './staff-calls.ts';
import { refuseStopping } from './stopping.ts';

/**
 * How long the back office may take to object before the machine is opened; cash must not wait for
 * a bad network.
 */
const OBJECTION_MS = 2_000;
/**
 * Answers to open-machine that forbid taking money: refused, not logged in, forbidden, already
 * being paid.
 */
const OBJECTIONS = new Set([400, 401, 403, 409]);

/** The request that cancels a payment contains the complete invoice of the look-up. */
const Cancelled = v.looseObject({ id: IdSchema });

/** Requests for a QRIS code name the invoice; those for a virtual account contain all of it. */
const CodeRequest = v.looseObject({ payment_id: v.optional(IdSchema), results: v.optional(v.looseObject({ id: IdSchema })) });

/** The account of a log-in. */
const Credentials = v.looseObject({ username: v.pipe(v.string(), v.trim(), v.nonEmpty()) });
const Fields = v.looseObject({});
const Pin = v.looseObject({ pin: v.pipe(v.string(), v.nonEmpty()) });
/** The number of a look-up. */
const Wanted = v.looseObject({ noinvoice: v.fallback(v.string(), '') });

/**
 * Calls of which the daemon reads the fields. It forwards only the fields that it has read, because
 * a server could read another account, number or PIN from the page's bytes.
 */
const READ_HERE: ReadonlySet<AllowedCall['name']> = new Set(['login', 'pin', 'invoice_info', 'cancel_payment']);
/** The request of a page, as it is sent on. `fields`: null if the daemon does not read them. */
interface Sent {
	body: Buffer;
	contentType: string;
	fields: object | null;
}

/** After the warning about money of another account, staff have this long to log in anyway. */
const CONFIRM_MS = 60_000;
/**
 * Limit of concurrent calls, above the number of connections that a browser opens to one origin.
 * Further calls are not from the kiosk's page, and each may hold a complete answer in memory.
 */
const MOST_CALLS = 6;

/** Calls that open a QRIS code or a virtual account. */
const OPENS_CODE: ReadonlySet<AllowedCall['name']> = new Set(['payment', 'create_va', 'create_va_hutang_lain', 'astra_pay']);

const REFUSALS: Record<Exclude<OpenRefusal, 'leaving'>, { code: string; message: string }> = {
	held: { code: 'paid_by_card', message: customerText.paidByCard },
	dispute: { code: 'dispute', message: customerText.dispute },
	no_call: { code: 'cash_not_told', message: customerText.cashNotTold },
	superseded: { code: 'superseded', message: customerText.superseded },
	restarting: { code: 'restarting', message: customerText.restarting },
};

/**
 * The specification's calls on the daemon's origin. Answers to log-ins and look-ups are also read
 * by the daemon; it handles open-machine itself.
 */
export function backOfficeCalls(deps: {
	allowed: (method: string, path: string) => AllowedCall | null;
	proxy: BackOfficeProxy;
	token: OutletToken;
	cash: CashDesk;
	invoices: InvoiceDesk;
	journal: Pick<Journal, 'accounts' | 'waitingForOthers' | 'trouble' | 'notesOf' | 'cards' | 'money'>;
	/** Session of the requesting screen. */
	sessionOf: (request: IncomingMessage) => string;
	clock: Clock;
	limit: LookupLimit;
	transfers: Transfers;
	pictures: Pictures;
	receipts: Receipts;
	csrfCookie: string;
	sessions: ScreenSessions;
	staff: StaffDesk;
	/** Whether the back office is likely to answer. */
	online: () => boolean;
	/** Whether the machine is about to restart; then no payment begins. */
	isRestarting: () => boolean;
	log: Log;
}): Handler {
	const { log, invoices } = deps;
	/**
	 * Log-ins of pages without a session are counted separately, so that they cannot block the
	 * kiosk's own page.
	 */
	const calls = { known: 0, unknown: 0 };
	/** Number of log-ins sent so far. */
	let logIns = 0;
	/** The newest log-in whose token was kept, by its number; 0: none of this run. */
	let keptLogIn = 0;
	/**
	 * The outlet that was warned about another account's money, and until when it may continue,
	 * monotonic ms. A log-in that was already sent then (`logIns`) does not answer the warning.
	 */
	let warned = { outlet: '', until: 0, logIns: 0 };
	/** Number of changes to another account or to none. */
	let accountChanges = 0;
	deps.token.onChange((isOtherAccount) => {
		if (isOtherAccount) accountChanges += 1;
	});

	/**
	 * The page gets a session of the daemon instead of the token. From an answer without a token it
	 * gets only the message.
	 */
	function answerLogin(
		request: IncomingMessage,
		response: ServerResponse,
		answer: BackOfficeAnswer,
		username: string,
		sent: { logIns: number; accountChanges: number },
	): void {
		const login = fitting(LoginAnswer, answer, 'login');
		if (!login) return answerSentence(response, answer);
		const typed = deps.token.accountOf({ outlet: username, development: login.development });
		const account = spelledAsBefore(typed, deps.journal.accounts());
		const { outlet } = account;
		// The answer was slow: a log-out or a newer log-in counts, also one of the outlet that was logged in.
		const isOvertaken = sent.accountChanges !== accountChanges || sent.logIns < keptLogIn;
		if (isOvertaken && !sameAccount(account, deps.token.current()?.account ?? null)) return refuseOtherOutlet(response);
		const [notes, cards] = [deps.journal.waitingForOthers(account), deps.journal.cards.waitingForOthers(account)];
		const waiting = { count: notes.count + cards.count, total: sumRupiah([notes.total, cards.total]) };
		const confirmed = warned.outlet === outlet && deps.clock.now() < warned.until && sent.logIns > warned.logIns;
		if (waiting.count > 0 && !confirmed) {
			warned = { outlet, until: deps.clock.now() + CONFIRM_MS, logIns };
			log.event('session.money_waits', { outlet, ...waiting });
			const message = customerText.moneyWaits(waiting.count, formatRupiah(waiting.total));
			return answerJson(response, 409, { code: 'money_waits', message });
		}
		// The back office may have ended an older token of the same outlet.
		if (!isOvertaken) {
			keptLogIn = sent.logIns;
			deps.token.keep(login.token, { outlet, development: login.development });
		}
		const session = deps.sessions.renew(deps.sessions.of(request));
		deps.sessions.setCookies(request, response, session);
		answerJson(response, 200, { token: session.key, development: login.development });
	}

	/**
	 * Passes on the message only: an answer that the daemon cannot read must not mean anything else
	 * to the page.
	 */
	function answerSentence(response: ServerResponse, answer: BackOfficeAnswer): void {
		const said = parseJson(ErrorAnswer, answer.body);
		answerJson(response, answer.status, said.ok ? { message: said.value.message, detail: said.value.detail } : {});
	}

	/** Forwards the server's answer, with the kiosk's own knowledge added. */
	function answerInvoice(response: ServerResponse, answer: BackOfficeAnswer, info: InvoiceInfo, number: string, asked: Asked): void {
		const learned = invoices.learn(number, asked, info);
		if (learned.code !== 'learned') {
			if (learned.code === 'other_outlet') return refuseOtherOutlet(response);
			// The kiosk's own money is unknown, so it takes none; the back office's codes are not
			// affected.
			return send(response, answer);
		}
		deps.transfers.onInvoice(info.results);
		if (learned.balance.state === 'dispute') return answerJson(response, 409, REFUSALS.dispute);
		send(response, { ...answer, body: withBalance(answer.body, info, learned.balance, doubtsOf(learned.payment)) });
	}

	const doubtsOf = (payment: Payment): DoubtfulNote[] =>
		deps.journal
			.notesOf(paymentKey(payment))
			.flatMap(({ note_id, nominal, state }) => (state === 'in_doubt' && nominal !== null ? [{ note_id, nominal }] : []));

	function learnRows(answer: BackOfficeAnswer): void {
		const page = fitting(TransactionPage, answer, 'payment_group');
		if (page) deps.receipts.rows(page);
	}

	/** @returns the parsed answer; null after logging the field that does not match */
	function fitting<const S extends v.GenericSchema>(schema: S, answer: BackOfficeAnswer, call: string): v.InferOutput<S> | null {
		const parsed = parseJson(schema, answer.body);
		if (parsed.ok) return parsed.value;
		log.event('back_office.odd_answer', { call, path: parsed.error.reason });
		return null;
	}

	async function openMachine(request: IncomingMessage, response: ServerResponse, call: AllowedCall, body: Buffer): Promise<void> {
		const field = await formDataField(body, request.headers['content-type'] ?? '');
		if (field === null) return refuse(response, 400, 'bad_request', 'the field formData is missing');
		const asked = parseJson(OpenMachineRequest, field);
		if (!asked.ok) return refuse(response, 400, asked.error.code, asked.error.reason);
		const { hp } = asked.value;
		const session = deps.token.current();
		if (!session || session.refused) return answerJson(response, 401, { code: 'not_logged_in', message: customerText.notLoggedIn });
		const wish = deps.cash.announce();
		const waitS = isAsked(invoices.current(), asked.value) ? 0 : deps.limit.begin();
		if (waitS > 0) return refuseLookup(response, waitS);
		const invoice = await askedInvoice(invoices, asked.value, lookUpAgain);
		const trouble = deps.journal.trouble();
		if (!invoice && trouble && isClosed(trouble)) {
			deps.cash.checkJournal();
			return answerJson(response, 200, { machine_ready: false, message: trouble.code, entries: [], is_paid: false });
		}
		if (!invoice) return answerJson(response, 409, { code: 'no_invoice', message: customerText.noInvoice });
		if (deps.online()) {
			const detail = formDataOf({ ...invoice.info.results, hp });
			const limit = AbortSignal.timeout(OBJECTION_MS);
			const answer = await deps.proxy.pass(request, call, request.url ?? '', detail.body, limit, detail.contentType);
			if (answer.ok && OBJECTIONS.has(answer.value.status)) return send(response, answer.value);
		}
		if (deps.sessions.of(request) === null || !isCurrentAccount(invoice.payment))
			return answerJson(response, 401, { code: 'not_logged_in', message: customerText.notLoggedIn });
		const opened = await deps.cash.open(wish, invoice, deps.sessionOf(request));
		if (opened === 'leaving') return refuseStopping(response);
		if (typeof opened === 'string') return answerJson(response, 409, REFUSALS[opened]);
		answerJson(response, 200, opened);
	}

	/** @returns why no QRIS code or virtual account is opened for the named invoice now, or null */
	async function codeRefusal(request: IncomingMessage, body: Buffer): Promise<keyof typeof REFUSALS | null> {
		const field = await formDataField(body, request.headers['content-type'] ?? '');
		const named = field === null ? null : parseJson(CodeRequest, field);
		const id = named?.ok ? (named.value.payment_id ?? named.value.results?.id) : undefined;
		const find = (): Payment | null => (id === undefined ? (invoices.current()?.payment ?? null) : invoices.findPayment(id));
		// The server opens the code for what it knows: money that it does not know yet would be paid again.
		if (isUntold(find())) await invoices.ask();
		if (deps.isRestarting()) return 'restarting';
		const payment = find();
		if (payment === null) return null;
		if (invoices.balanceOf(paymentKey(payment)).state === 'dispute' || isUntold(payment)) return 'dispute';
		// As with cash: its card sale may have taken the money already.
		return deps.cash.isHeld(payment) ? 'held' : null;
	}

	/** Whether the back office has not confirmed all money of this kiosk for the invoice. */
	const isUntold = (payment: Payment | null): boolean => payment !== null && !deps.journal.money.isReported(paymentKey(payment));
	const isCurrentAccount = ({ account }: Payment): boolean => sameAccount(account, deps.token.current()?.account ?? null);

	/**
	 * After a restart the kiosk looks the invoice up itself. If the number now finds another invoice,
	 * it counts as not found.
	 */
	async function lookUpAgain(wanted: OpenMachineRequest): Promise<CurrentInvoice | null> {
		let ended: Parameters<LookupLimit['ended']>[0] = null;
		try {
			const found = await invoices.lookUp(wanted.hp);
			const isMeant = isAsked(found, wanted);
			if (deps.online()) ended = { status: 200, found: isMeant };
			return isMeant ? found : null;
		} finally {
			deps.limit.ended(ended);
		}
	}

	/** @returns the request as it is forwarded; null if the daemon must read it and cannot */
	async function sentOf(request: IncomingMessage, { name }: AllowedCall, body: Buffer): Promise<Sent | null> {
		const contentType = request.headers['content-type'] ?? '';
		if (!READ_HERE.has(name)) return { body, contentType, fields: null };
		const field = await formDataField(body, contentType);
		const parsed = field === null ? null : parseJson(name === 'login' ? Credentials : Fields, field);
		return parsed?.ok ? { ...formDataOf(parsed.value), fields: parsed.value } : null;
	}

	/** @returns the fields of a request, or null */
	function fieldsOf<const S extends v.GenericSchema>(schema: S, { fields }: Sent): v.InferOutput<S> | null {
		const parsed = v.safeParse(schema, fields);
		return parsed.success ? parsed.output : null;
	}

	function send(response: ServerResponse, answer: BackOfficeAnswer): void {
		passCsrfCookie(response, answer);
		response.writeHead(answer.status, { 'Content-Type': answer.contentType, 'Cache-Control': 'no-store' });
		response.end(answer.body);
	}

	function passCsrfCookie(response: ServerResponse, answer: BackOfficeAnswer): void {
		for (const cookie of csrfCookieFor(answer, deps.csrfCookie)) response.appendHeader('Set-Cookie', cookie);
	}

	/** Forwards a call and answers the screen. */
	async function passOn(request: IncomingMessage, response: ServerResponse, call: AllowedCall, sent: Sent): Promise<void> {
		const account = deps.token.current()?.account ?? null;
		if (call.name === 'login') logIns += 1;
		const before = { logIns, accountChanges };
		const answer = await asked(request, response, call, sent);
		if (!answer) return;
		if (call.name !== 'login' && !sameAccount(account, deps.token.current()?.account ?? null)) return refuseOtherOutlet(response);
		if (answer.status < 300) {
			if (call.name === 'login') {
				passCsrfCookie(response, answer);
				return answerLogin(request, response, answer, fieldsOf(Credentials, sent)?.username ?? '', before);
			}
			if (call.name === 'payment_group') learnRows(answer);
			if (call.name === 'cancel_payment') {
				const cancelled = fieldsOf(Cancelled, sent);
				if (cancelled) deps.transfers.onCancelled(cancelled.id);
			}
			deps.pictures.learn(call.name, answer.body);
		}
		send(response, answer);
	}

	async function lookUp(request: IncomingMessage, response: ServerResponse, call: AllowedCall, sent: Sent): Promise<void> {
		const waitS = deps.limit.begin();
		if (waitS > 0) return refuseLookup(response, waitS);
		let ended: { status: number; found: boolean } | null = null;
		try {
			const number = fieldsOf(Wanted, sent)?.noinvoice ?? '';
			const at = await invoices.ask();
			const answer = await asked(request, response, call, sent);
			if (!answer) return;
			const info = answer.status < 300 ? fitting(InvoiceInfo, answer, 'invoice_info') : null;
			ended = { status: answer.status, found: info !== null };
			if (answer.status < 300) deps.pictures.learn(call.name, answer.body);
			if (info) answerInvoice(response, answer, info, number, at);
			else if (answer.status < 300) answerSentence(response, answer);
			else send(response, answer);
		} finally {
			deps.limit.ended(ended);
		}
	}

	/** @returns the back office's answer; null after the screen was told that there is none */
	async function asked(
		request: IncomingMessage,
		response: ServerResponse,
		call: AllowedCall,
		sent: Sent,
	): Promise<BackOfficeAnswer | null> {
		const gone = new AbortController();
		response.on('close', () => gone.abort());
		// A PIN's result is counted even if the page has gone.
		const signal = call.name === 'pin' ? undefined : gone.signal;
		const ask = () => deps.proxy.pass(request, call, request.url ?? '', sent.body, signal, sent.contentType);
		const pin = call.name === 'pin' ? (fieldsOf(Pin, sent)?.pin ?? null) : null;
		const answer = call.name === 'pin' ? await deps.staff.tryPin(deps.sessions.of(request), response, pin, ask) : await ask();
		if (answer === null) return null;
		if (answer.ok) return answer.value;
		refuse(response, answer.error.code === 'timeout' ? 504 : 502, `back_office_${answer.error.code}`, answer.error.message);
		return null;
	}

	return async (request, response, path) => {
		const call = deps.allowed(request.method ?? '', path);
		if (!call) {
			if (request.method === 'GET' || request.method === 'HEAD') return false;
			log.event('back_office.not_allowed', { method: request.method, path });
			return false;
		}
		const from = deps.sessions.of(request) === null ? 'unknown' : 'known';
		if (calls[from] >= MOST_CALLS) {
			refuse(response, 503, 'too_many_calls', `${MOST_CALLS} calls are under way already`);
			return true;
		}
		calls[from] += 1;
		try {
			await answerCall(request, response, call);
		} finally {
			calls[from] -= 1;
		}
		return true;
	};

	async function answerCall(request: IncomingMessage, response: ServerResponse, call: AllowedCall): Promise<void> {
		const body = await readBody(request);
		if (!body.ok) return refuse(response, 400, body.error.code, 'the request was cut off or is too large');
		if (!deps.staff.admits(call, deps.sessions.of(request), response)) return;
		if (call.name !== 'login' && deps.token.current() === null) return refuse(response, 401, 'no_outlet', 'no outlet account is logged in');
		const refusal = OPENS_CODE.has(call.name) ? await codeRefusal(request, body.value) : null;
		if (refusal !== null) return answerJson(response, 409, REFUSALS[refusal]);
		if (call.name === 'open_machine') return openMachine(request, response, call, body.value);
		const sent = await sentOf(request, call, body.value);
		if (sent === null) return refuse(response, 400, 'bad_request', 'the form needs the field formData, once, with a JSON object');
		if (call.name === 'invoice_info') return lookUp(request, response, call, sent);
		await passOn(request, response, call, sent);
	}
}
