import type { IncomingMessage, ServerResponse } from 'node:http';
import { OpenMachineRequest } from '@kiosk/contract/kiosk-api';
import { shortenDetail } from '@kiosk/contract/shorten-detail';
import { formDataOf } from '../back-office/client.ts';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { CurrentInvoice } from '../back-office/known-invoices.ts';
import type { AllowedCall, BackOfficeProxy } from '../back-office/proxy.ts';
import type { OutletToken } from '../back-office/token.ts';
import { customerText } from '../base/customer-text.ts';
import type { OpenRefusal } from '../cash/cash-customer.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, formDataField, parseJson, refuse } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { type Payment, sameAccount } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import { askedInvoice, isAsked } from './asked-invoice.ts';
import { forwardAnswer } from './forward-answer.ts';
import { type LookupLimit, refuseLookup } from './lookup-limit.ts';
import type { ScreenSessions } from './sessions.ts';
import { refuseStopping } from './stopping.ts';

/**
 * If the back office has not objected within this time, the acceptor is opened, because a slow
 * network must not delay cash.
 */
const OBJECTION_MS = 2_000;
/**
 * Statuses with which the back office forbids cash in its answer to open-machine: refused, not
 * logged in, forbidden, already being paid.
 */
const OBJECTIONS = new Set([400, 401, 403, 409]);

/**
 * Answers to a page whose payment must not begin. `no_invoice`: the request does not match an
 * invoice that the kiosk has looked up.
 */
export const OPEN_REFUSALS: Record<Exclude<OpenRefusal, 'leaving'> | 'no_invoice', { code: string; message: string }> = {
	no_invoice: { code: 'no_invoice', message: customerText.noInvoice },
	held: { code: 'paid_by_card', message: customerText.paidByCard },
	dispute: { code: 'dispute', message: customerText.dispute },
	no_call: { code: 'cash_not_told', message: customerText.cashNotTold },
	superseded: { code: 'superseded', message: customerText.superseded },
	restarting: { code: 'restarting', message: customerText.restarting },
};

/**
 * Opens the acceptor for an invoice that the kiosk has looked up, unless the back office objects.
 */
export function openMachineCall(deps: {
	proxy: BackOfficeProxy;
	token: OutletToken;
	cash: CashDesk;
	invoices: Pick<InvoiceDesk, 'current' | 'lookUp'>;
	journal: Pick<Journal, 'trouble'>;
	/** Session of the requesting screen. */
	sessionOf: (request: IncomingMessage) => string;
	limit: LookupLimit;
	csrfCookie: string;
	sessions: ScreenSessions;
	/** Whether the back office is likely to answer. */
	online: () => boolean;
}): (request: IncomingMessage, response: ServerResponse, call: AllowedCall, body: Buffer) => Promise<void> {
	const { invoices } = deps;
	const isCurrentAccount = ({ account }: Payment): boolean => sameAccount(account, deps.token.current()?.account ?? null);

	/**
	 * Looks the invoice up by the customer's number. If the number now finds another invoice, the
	 * result is null.
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

	return async (request, response, call, body) => {
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
		if (!invoice) return answerJson(response, 409, OPEN_REFUSALS.no_invoice);
		if (deps.online()) {
			const { results, logo, ahass_name, max_to_va } = invoice.info;
			const detail = formDataOf({ ...shortenDetail({ ...results, logo, ahass_name, max_to_va }), hp });
			const limit = AbortSignal.timeout(OBJECTION_MS);
			const answer = await deps.proxy.pass(request, call, request.url ?? '', detail.body, limit, detail.contentType);
			if (answer.ok && OBJECTIONS.has(answer.value.status)) return forwardAnswer(response, answer.value, deps.csrfCookie);
		}
		if (deps.sessions.of(request) === null || !isCurrentAccount(invoice.payment))
			return answerJson(response, 401, { code: 'not_logged_in', message: customerText.notLoggedIn });
		const opened = await deps.cash.open(wish, invoice, deps.sessionOf(request));
		if (opened === 'leaving') return refuseStopping(response);
		if (typeof opened === 'string') return answerJson(response, 409, OPEN_REFUSALS[opened]);
		answerJson(response, 200, opened);
	};
}
