import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Id } from '@kiosk/contract/back-office';
import { CashCloseRequest, RenderedRequest, ReportRequest, type ScreenSettings, type Visit } from '@kiosk/contract/kiosk-api';
import { StaffCallRequest } from '@kiosk/contract/staff-call';
import type * as v from 'valibot';
import type { OutletToken } from '../back-office/token.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import type { CustomerCall } from '../staff/customer-call.ts';
import { withoutState } from './screen-settings.ts';
import type { ScreenSessions } from './sessions.ts';
import { refuseStaffOnly } from './staff-calls.ts';
import type { StaffSessions } from './staff-sessions.ts';

/**
 * Calls under /kiosk/ for the settings, the visit, the cash session, the screen's reports, the
 * customer's call for staff, the log-out, and the end of a page's session.
 */
export function kioskApi(deps: {
	settings: ScreenSettings;
	cash: CashDesk;
	token: OutletToken;
	sessions: ScreenSessions;
	staff: StaffSessions;
	rendered: (request: IncomingMessage, drawn: v.InferOutput<typeof RenderedRequest>) => void;
	/** The visit that a restarted browser resumes. */
	visit: () => Visit['visit'];
	call: Pick<CustomerCall, 'call'>;
	/** @returns the number of the invoice with this id; '' unless this invoice was looked up last */
	invoiceOf: (id: Id | null) => string;
	log: Log;
}): Handler {
	const posts: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
		'/kiosk/cash/close': async (request, response) => {
			const asked = await readJson(CashCloseRequest, request, response);
			if (asked === null) return;
			const closed = await deps.cash.close(asked.id);
			if (closed === null) return refuse(response, 404, 'unknown_payment', 'this payment has not been looked up since the start');
			answerJson(response, 200, closed);
		},
		'/kiosk/call-staff': async (request, response) => {
			const asked = await readJson(StaffCallRequest, request, response);
			if (asked === null) return;
			const { since } = deps.call.call(asked.screen, deps.invoiceOf(asked.id));
			answerJson(response, 200, { since });
		},
		'/kiosk/rendered': async (request, response) => {
			const drawn = await readJson(RenderedRequest, request, response);
			if (drawn === null) return;
			deps.rendered(request, drawn);
			response.writeHead(204).end();
		},
		'/kiosk/report': async (request, response) => {
			const fault = await readJson(ReportRequest, request, response);
			if (fault === null) return;
			deps.log.event('screen.fault', fault);
			response.writeHead(204).end();
		},
		'/kiosk/logout': async (request, response) => {
			const session = deps.sessions.of(request);
			if (session === null || !deps.staff.isOpen(session.id)) return refuseStaffOnly(response);
			deps.cash.closeUnattended();
			deps.token.forget();
			deps.staff.endAll();
			deps.sessions.endOthers(session.id);
			deps.sessions.setCookies(request, response, session);
			response.writeHead(204).end();
		},
		// The screen calls it on the specification's route /logout. It ends the session of this page,
		// but does not log the outlet out.
		'/kiosk/leave': async (request, response) => {
			const session = deps.sessions.of(request);
			if (session !== null) deps.sessions.end(session.id);
			deps.sessions.setCookies(request, response, null);
			response.writeHead(204).end();
		},
	};

	return async (request, response, path) => {
		if (!path.startsWith('/kiosk/')) return false;
		if (request.method === 'GET' && path === '/kiosk/settings') {
			const { settings, sessions } = deps;
			answerJson(response, 200, sessions.of(request) === null ? withoutState(settings) : settings);
			return true;
		}
		if (request.method === 'GET' && path === '/kiosk/visit') {
			answerJson(response, 200, { visit: deps.visit() } satisfies Visit);
			return true;
		}
		const post = request.method === 'POST' ? posts[path] : undefined;
		if (!post) return false;
		await post(request, response);
		return true;
	};
}
