import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { ErrorAnswer, type Id, IdSchema, type Invoice, InvoiceInfo, LoginAnswer, sameId } from '../../contract/back-office.ts';
import { OpenMachineRequest } from '../../contract/kiosk-api.ts';
import type { CashDesk } from '../acceptor/cash-desk.ts';
import type { BackOfficeAnswer } from '../back-office/client.ts';
import { type AllowedCall, type BackOfficeProxy, csrfCookieFor } from '../back-office/proxy.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { Transfers } from '../back-office/transfers.ts';
import type { Log } from '../log/log.ts';
import { customerText } from './customer-text.ts';
import { answerJson, formDataField, parseJson, readBody, refuse } from './http.ts';
import { type LookupLimit, refuseLookup } from './lookup-limit.ts';
import { type OwnMoney, withOwnMoney } from './own-money.ts';
import type { Pictures } from './pictures.ts';
import type { Handler } from './server.ts';
import type { ScreenSessions } from './sessions.ts';
import type { StaffDesk } from './staff-calls.ts';
import { refuseStopping } from './stopping.ts';

/** How long the back office may take to object before the machine is opened; cash must not wait for a bad network. */
const OBJECTION_MS = 2_000;
/** Answers to open-machine that mean "do not take money for this": refused, not logged in, forbidden, already being paid. */
const OBJECTIONS = new Set([400, 401, 403, 409]);

/** Cancelling names the invoice by the whole of what the look-up said. */
const Cancelled = v.looseObject({ id: IdSchema });

/** The invoice that the back office answered last. One customer at a time, so one is enough. */
export interface LookedUp {
	invoice: Invoice | null;
}

/** The calls of the specification, on the daemon's origin. Login and invoices are looked at in passing; open-machine is ours. */
export function backOfficeCalls(parts: {
	allowed: (method: string, path: string) => AllowedCall | null;
	proxy: BackOfficeProxy;
	token: OutletToken;
	cash: CashDesk;
	/** Filled here, read by whoever must know what is owed. */
	lookedUp: LookedUp;
	/** What the journal knows of an invoice. */
	ownMoney: (id: Id) => OwnMoney;
	limit: LookupLimit;
	transfers: Transfers;
	pictures: Pictures;
	csrfCookie: string;
	sessions: ScreenSessions;
	staff: StaffDesk;
	/** Takes the outlet's token out of what goes to the page. */
	hideToken: (body: Buffer) => Buffer;
	/** Whether asking the back office has a chance. */
	online: () => boolean;
	log: Log;
}): Handler {
	const { log, lookedUp } = parts;

	/** The page gets a session of the daemon's in place of the token; of an answer without one only its sentence. */
	function answerLogin(request: IncomingMessage, response: ServerResponse, answer: BackOfficeAnswer): void {
		const login = fitting(LoginAnswer, answer, 'login');
		if (!login) {
			const said = parseJson(ErrorAnswer, answer.body);
			return answerJson(response, answer.status, said.ok ? { message: said.value.message, detail: said.value.detail } : {});
		}
		parts.token.keep(login.token, login.development);
		const session = parts.sessions.renew(parts.sessions.of(request));
		parts.sessions.setCookies(request, response, session);
		answerJson(response, 200, { token: session.key, development: login.development });
	}

	/** @returns the answer for the screen: the server's, and what the journal knows beyond it */
	function learnInvoice(answer: BackOfficeAnswer): BackOfficeAnswer {
		const info = answer.status < 300 ? fitting(InvoiceInfo, answer, 'invoice_info') : null;
		parts.limit.answered(answer.status, info !== null);
		if (!info) return answer;
		lookedUp.invoice = info.results;
		parts.transfers.seen(info.results);
		return { ...answer, body: withOwnMoney(answer.body, info, parts.ownMoney(info.results.id)) };
	}

	/** @returns the parsed answer, or null after saying in the log which field does not fit */
	function fitting<const S extends v.GenericSchema>(schema: S, answer: BackOfficeAnswer, call: string): v.InferOutput<S> | null {
		const parsed = parseJson(schema, answer.body);
		if (parsed.ok) return parsed.value;
		log.event('back_office.odd_answer', { call, path: parsed.error.reason });
		return null;
	}

	async function learnCancelled(request: IncomingMessage, body: Buffer): Promise<void> {
		const field = await formDataField(body, request.headers['content-type'] ?? '');
		const asked = field === null ? null : parseJson(Cancelled, field);
		if (asked?.ok) parts.transfers.cancelled(asked.value.id);
	}

	async function openMachine(request: IncomingMessage, response: ServerResponse, call: AllowedCall, body: Buffer): Promise<void> {
		const field = await formDataField(body, request.headers['content-type'] ?? '');
		if (field === null) return refuse(response, 400, 'bad_request', 'the field formData is missing');
		const asked = parseJson(OpenMachineRequest, field);
		if (!asked.ok) return refuse(response, 400, asked.error.code, asked.error.reason);
		if (parts.online()) {
			const answer = await parts.proxy.pass(request, call, request.url ?? '', body, AbortSignal.timeout(OBJECTION_MS));
			if (answer.ok && OBJECTIONS.has(answer.value.status)) return send(response, answer.value);
		}
		const { invoice } = lookedUp;
		const payments = invoice && sameId(invoice.id, asked.value.id) ? invoice.list_pembayaran : [];
		const opened = await parts.cash.open(asked.value, payments ?? []);
		if (opened === 'leaving') return refuseStopping(response);
		answerJson(response, opened ? 200 : 409, opened ?? { code: 'paid_by_card', message: customerText.paidByCard });
	}

	function send(response: ServerResponse, answer: BackOfficeAnswer): void {
		passCsrfCookie(response, answer);
		response.writeHead(answer.status, { 'Content-Type': answer.contentType, 'Cache-Control': 'no-store' });
		response.end(parts.hideToken(answer.body));
	}

	function passCsrfCookie(response: ServerResponse, answer: BackOfficeAnswer): void {
		for (const cookie of csrfCookieFor(answer, parts.csrfCookie)) response.appendHeader('Set-Cookie', cookie);
	}

	return async (request, response, path) => {
		const call = parts.allowed(request.method ?? '', path);
		if (!call) {
			if (request.method === 'GET' || request.method === 'HEAD') return false;
			log.event('back_office.not_allowed', { method: request.method, path });
			return false;
		}
		const body = await readBody(request);
		if (!body.ok) {
			refuse(response, 400, body.error.code, 'the request was cut off or is too large');
			return true;
		}
		const session = parts.sessions.of(request);
		if (!parts.staff.admits(call, session, response)) return true;
		if (call.name !== 'login' && parts.token.current() === null) {
			refuse(response, 401, 'no_outlet', 'no outlet account is logged in');
			return true;
		}
		const waitS = call.name === 'invoice_info' ? parts.limit.waitS() : 0;
		if (waitS > 0) {
			refuseLookup(response, waitS);
			return true;
		}
		if (call.name === 'open_machine') {
			await openMachine(request, response, call, body.value);
			return true;
		}
		const gone = new AbortController();
		response.on('close', () => gone.abort());
		// What becomes of a PIN is counted although the page has gone.
		const signal = call.name === 'pin' ? undefined : gone.signal;
		const ask = () => parts.proxy.pass(request, call, request.url ?? '', body.value, signal);
		const answer = call.name === 'pin' ? await parts.staff.tryPin(session, response, ask) : await ask();
		if (answer === null) return true;
		if (!answer.ok) {
			refuse(response, answer.error.code === 'timeout' ? 504 : 502, `back_office_${answer.error.code}`, answer.error.message);
			return true;
		}
		if (answer.value.status < 300) {
			if (call.name === 'login') {
				passCsrfCookie(response, answer.value);
				answerLogin(request, response, answer.value);
				return true;
			}
			if (call.name === 'cancel_payment') await learnCancelled(request, body.value);
			parts.pictures.learn(call.name, answer.value.body);
		}
		send(response, call.name === 'invoice_info' ? learnInvoice(answer.value) : answer.value);
		return true;
	};
}
