import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DoubtfulNote, InvoiceInfo, TransactionPage } from '@kiosk/contract/back-office';
import type { BackOfficeAnswer } from '../back-office/client.ts';
import type { Asked } from '../back-office/invoice-calls.ts';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { AllowedCall, BackOfficeProxy } from '../back-office/proxy.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { Transfers } from '../back-office/transfers.ts';
import type { Clock } from '../base/clock.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, type Handler, readBody, refuse, refuseBody } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { type Payment, paymentKey, sameAccount } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import type { Receipts } from '../printer/receipts.ts';
import { forwardAnswer, forwardMessage, isRefused, passCsrfCookie, readAnswer } from './forward-answer.ts';
import { Cancelled, Credentials, type Forwarded, fieldsOf, forwardedOf, OPENS_CODE, Pin, Wanted } from './forward-request.ts';
import { startLogIn } from './log-in.ts';
import { markUncorrected, withBalance } from './look-up-answer.ts';
import { type LookupLimit, refuseLookup } from './lookup-limit.ts';
import { type CodeRefusal, codeGuard } from './open-code.ts';
import { OPEN_REFUSALS, openMachineCall } from './open-machine.ts';
import type { Pictures } from './pictures.ts';
import type { ScreenSessions } from './sessions.ts';
import { refuseOtherOutlet, refuseOtherServer, type StaffDesk } from './staff-calls.ts';

/**
 * Limit of concurrent calls. Each may hold a complete answer in memory. The kiosk's own page needs
 * no more: a browser opens at most six connections to one origin.
 */
const MOST_CALLS = 6;
/**
 * Limit of requests whose bodies are being read, to limit memory. It is higher than MOST_CALLS, so
 * that a few unfinished bodies do not block calls.
 */
const MOST_BODIES = 40;

/**
 * The calls of the specification, on the daemon's origin. The daemon forwards them and reads some
 * of the answers. It answers open-machine itself and asks the back office only for objections.
 */
export function backOfficeCalls(deps: {
	allowed: (method: string, path: string) => AllowedCall | null;
	proxy: BackOfficeProxy;
	token: OutletToken;
	cash: CashDesk;
	invoices: InvoiceDesk;
	journal: Pick<Journal, 'accounts' | 'waitingForOthers' | 'trouble' | 'notesOf' | 'hasOpenNote' | 'cards' | 'money'>;
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
	/**
	 * Whether all calls are held back, because the settings name another server and no technician has
	 * confirmed it yet.
	 */
	isOfficeHeld: () => boolean;
	/** Whether the back office is likely to answer. */
	online: () => boolean;
	/** Whether the kiosk is about to restart. If so, no payment begins. */
	isRestarting: () => boolean;
	log: Log;
}): Handler {
	const { log, invoices } = deps;
	/**
	 * Calls of pages without a session are counted separately, so that they cannot block the kiosk's
	 * own page.
	 */
	const calls = { known: 0, unknown: 0 };
	const bodies = { known: 0, unknown: 0 };
	const logIn = startLogIn(deps);
	const openMachine = openMachineCall(deps);
	const codes = codeGuard(deps);

	/**
	 * Answers a look-up with the back office's answer, corrected from the journal. Refuses an invoice
	 * that is disputed or that was looked up for another outlet.
	 */
	function answerInvoice(response: ServerResponse, answer: BackOfficeAnswer, info: InvoiceInfo, number: string, asked: Asked): void {
		const learned = invoices.learn(number, asked, info);
		if (learned.code !== 'learned') {
			if (learned.code === 'other_outlet') return refuseOtherOutlet(response);
			if (learned.isDispute) return answerJson(response, 409, OPEN_REFUSALS.dispute);
			// Without the journal the kiosk does not know the money it has taken for this invoice, so it
			// takes no more. QRIS codes and virtual accounts of the back office still work.
			return forwardAnswer(response, { ...answer, body: markUncorrected(answer.body) }, deps.csrfCookie);
		}
		deps.transfers.onInvoice(info.results);
		if (learned.balance.state === 'dispute') return answerJson(response, 409, OPEN_REFUSALS.dispute);
		const body = withBalance(answer.body, info, learned.balance, doubtsOf(learned.payment));
		forwardAnswer(response, { ...answer, body }, deps.csrfCookie);
	}

	const doubtsOf = (payment: Payment): DoubtfulNote[] =>
		deps.journal
			.notesOf(paymentKey(payment))
			.flatMap(({ note_id, nominal, state }) => (state === 'in_doubt' && nominal !== null ? [{ note_id, nominal }] : []));

	function learnRows(answer: BackOfficeAnswer): void {
		const page = readAnswer(TransactionPage, answer, 'payment_group', log);
		if (page) deps.receipts.rows(page);
	}

	/**
	 * Forwards a call and its answer. After a 2xx answer it also completes a log-in, or records what
	 * the answer contains: rows of the staff list, cancelled codes, addresses of pictures.
	 */
	async function passOn(request: IncomingMessage, response: ServerResponse, call: AllowedCall, sent: Forwarded): Promise<void> {
		const account = deps.token.current()?.account ?? null;
		const begunLogIn = call.name === 'login' ? logIn.begin() : null;
		const answer = await asked(request, response, call, sent);
		if (!answer) return;
		if (!begunLogIn && !sameAccount(account, deps.token.current()?.account ?? null)) return refuseOtherOutlet(response);
		if (answer.status < 300) {
			if (begunLogIn) {
				passCsrfCookie(response, answer, deps.csrfCookie);
				return logIn.answer(request, response, answer, fieldsOf(Credentials, sent)?.username ?? '', begunLogIn);
			}
			if (call.name === 'payment_group') learnRows(answer);
			if (call.name === 'cancel_payment' && !isRefused(answer)) {
				const cancelled = fieldsOf(Cancelled, sent);
				if (cancelled) deps.transfers.onCancelled(cancelled.id);
			}
			deps.pictures.learn(call.name, answer.body);
		}
		forwardAnswer(response, answer, deps.csrfCookie);
	}

	async function lookUp(request: IncomingMessage, response: ServerResponse, call: AllowedCall, sent: Forwarded): Promise<void> {
		const waitS = deps.limit.begin();
		if (waitS > 0) return refuseLookup(response, waitS);
		let ended: { status: number; found: boolean } | null = null;
		try {
			const wanted = fieldsOf(Wanted, sent);
			// The kiosk would look the invoice up again without its number, and find nothing.
			if (!wanted) return refuse(response, 400, 'bad_request', 'the field "noinvoice" must be a text');
			const number = wanted.noinvoice;
			const account = deps.token.current()?.account ?? null;
			let at = await invoices.ask();
			// Another outlet has logged in since the page sent the number.
			if (!sameAccount(account, at.account)) return refuseOtherOutlet(response);
			let answer = await asked(request, response, call, sent);
			// The journal has reopened since. It can correct only the answer to a request that is sent
			// from now on.
			if (answer && !at.readable && !isClosed(deps.journal.trouble())) {
				at = await invoices.ask();
				if (!sameAccount(account, at.account)) return refuseOtherOutlet(response);
				answer = await asked(request, response, call, sent);
			}
			if (!answer) return;
			const info = answer.status < 300 ? readAnswer(InvoiceInfo, answer, 'invoice_info', log) : null;
			ended = { status: answer.status, found: info !== null };
			if (answer.status < 300) deps.pictures.learn(call.name, answer.body);
			if (info) answerInvoice(response, answer, info, number, at);
			else if (answer.status < 300) forwardMessage(response, answer);
			else forwardAnswer(response, answer, deps.csrfCookie);
		} finally {
			deps.limit.ended(ended);
		}
	}

	/**
	 * @returns the back office's answer; null if the call failed. The page has then been answered.
	 */
	async function asked(
		request: IncomingMessage,
		response: ServerResponse,
		call: AllowedCall,
		sent: Forwarded,
	): Promise<BackOfficeAnswer | null> {
		const gone = new AbortController();
		response.on('close', () => gone.abort());
		// If the page disconnects, a PIN check continues, because its result must be counted.
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
		if (bodies[from] >= MOST_BODIES) {
			refuse(response, 503, 'too_many_calls', `${MOST_BODIES} requests are under way already`);
			return true;
		}
		// A request counts as a call only once its body is complete: otherwise six unfinished bodies
		// would block every page for 20 s.
		bodies[from] += 1;
		const body = await readBody(request).finally(() => {
			bodies[from] -= 1;
		});
		if (!body.ok) {
			if (body.error.code === 'too_large') log.event('screen.refused', { reason: `too_large: ${call.name}` });
			refuseBody(response, body.error);
			return true;
		}
		if (calls[from] >= MOST_CALLS) {
			refuse(response, 503, 'too_many_calls', `${MOST_CALLS} calls are under way already`);
			return true;
		}
		calls[from] += 1;
		try {
			await answerCall(request, response, call, body.value);
		} finally {
			calls[from] -= 1;
		}
		return true;
	};

	async function codeRefusal({ name }: AllowedCall, sent: Forwarded): Promise<CodeRefusal | null> {
		if (OPENS_CODE.has(name)) return codes.refusalToOpen(sent);
		return name === 'cancel_payment' ? codes.refusalToCancel(sent) : null;
	}

	async function answerCall(request: IncomingMessage, response: ServerResponse, call: AllowedCall, body: Buffer): Promise<void> {
		if (!deps.staff.admits(call, deps.sessions.of(request), response)) return;
		if (call.name === 'login' && deps.isOfficeHeld()) return refuseOtherServer(response);
		if (call.name !== 'login' && deps.token.current() === null) return refuse(response, 401, 'no_outlet', 'no outlet account is logged in');
		if (call.name === 'open_machine') return openMachine(request, response, call, body);
		const sent = await forwardedOf(request, call, body);
		if (sent === null) return refuse(response, 400, 'bad_request', 'the form needs the field formData, once, with a JSON object');
		if (call.name === 'invoice_info') return lookUp(request, response, call, sent);
		const refusal = await codeRefusal(call, sent);
		if (refusal !== null) return answerJson(response, 409, OPEN_REFUSALS[refusal]);
		await passOn(request, response, call, sent);
	}
}
