import type { IncomingMessage, ServerResponse } from 'node:http';
import { PinAnswer } from '@kiosk/contract/back-office';
import { ConfirmSettings } from '@kiosk/contract/kiosk-api';
import type { BackOfficeAnswer } from '../back-office/client.ts';
import type { AllowedCall } from '../back-office/proxy.ts';
import { customerText } from '../base/customer-text.ts';
import { answerJson, type Handler, parseJson, readJson, refuse } from '../http/handler.ts';
import { type SettingsSeal, staffMayConfirm } from '../setup/settings-seal.ts';
import type { OfflinePin } from './offline-pin.ts';
import type { PinOutcome, PinTries } from './pin-tries.ts';
import type { ScreenSession, ScreenSessions } from './sessions.ts';
import type { StaffSessions } from './staff-sessions.ts';

/**
 * Back-office calls for staff only: the transaction list, and resending a payment's notification.
 */
const STAFF_CALLS: ReadonlySet<AllowedCall['name']> = new Set(['payment_group', 'resend_callback']);
/**
 * The staff call that only reads. It does not extend the staff session, because a page may load the
 * list without an action of staff.
 */
const READS: AllowedCall['name'] = 'payment_group';
/**
 * Statuses that are not about the PIN: the request was too slow, or the back office accepts no PIN
 * at the moment.
 */
const NOT_ABOUT_THE_PIN = new Set([408, 429]);

/** The documented status for a wrong PIN, regardless of the body. */
const WRONG_PIN = 400;

/** Admits staff calls and checks PINs. */
export interface StaffDesk {
	/** @returns whether the call may proceed; if false, the page has been answered */
	admits(call: AllowedCall, session: ScreenSession | null, response: ServerResponse): boolean;
	/**
	 * Counts a try and lets the back office check the PIN. If the back office gives no usable answer,
	 * the PIN is compared with the last accepted one. A right PIN opens a staff session.
	 * @param pin as typed; null if the request has none
	 * @returns the result of `ask`, or the kiosk's own answer; null if the page has been refused,
	 * because no PIN is accepted now or another outlet has logged in
	 */
	tryPin<T extends { ok: true; value: BackOfficeAnswer } | { ok: false }>(
		session: ScreenSession | null,
		response: ServerResponse,
		pin: string | null,
		ask: () => Promise<T>,
	): Promise<T | { ok: true; value: BackOfficeAnswer } | null>;
}

/** @param deps.account key of the outlet that is logged in; null if none is */
export function staffDesk(deps: { tries: PinTries; staff: StaffSessions; offline: OfflinePin; account: () => string | null }): StaffDesk {
	const { tries, staff, offline, account } = deps;
	return {
		admits(call, session, response) {
			if (!STAFF_CALLS.has(call.name)) return true;
			if (session !== null && staff.isOpen(session.id)) {
				if (call.name !== READS) staff.touch(session.id);
				return true;
			}
			refuseStaffOnly(response);
			return false;
		},
		async tryPin(session, response, pin, ask) {
			const ended = tries.begin();
			if (ended === null) {
				refusePin(response, tries.waitS());
				return null;
			}
			const outlet = account();
			let outcome: PinOutcome = 'no_answer';
			try {
				const answer = await ask();
				if (answer.ok) outcome = outcomeOf(answer.value);
				// The PIN was for the outlet that was logged in when the check began.
				if (account() !== outlet) {
					if (outcome === 'right') outcome = 'no_answer';
					refuseOtherOutlet(response);
					return null;
				}
				if (pin === null || isAnswered(answer)) {
					if (pin !== null && outcome === 'right') await offline.remember(pin);
					if (pin !== null && answer.ok && refusesPin(answer.value)) await offline.forget(pin);
					return answer;
				}
				const matches = await offline.matches(pin);
				if (matches === null) return answer;
				outcome = matches ? 'right' : 'wrong';
				// The kiosk has no text of its own for a wrong PIN, so the page gets the failed answer of
				// the back office and reports a fault.
				return matches ? { ok: true, value: OFFLINE_ANSWER } : answer;
			} finally {
				ended(outcome);
				if (outcome === 'right' && session !== null && account() === outlet) staff.open(session.id);
				if (tries.waitS() > 0 && !response.headersSent) response.setHeader('Retry-After', tries.waitS());
			}
		},
	};
}

/**
 * @returns whether this counts as the back office's own answer. A server error does not count, nor
 * does a successful answer that is not JSON, e.g. the page of a captive portal.
 */
const isAnswered = (answer: { ok: true; value: BackOfficeAnswer } | { ok: false }): boolean =>
	answer.ok && (NOT_ABOUT_THE_PIN.has(answer.value.status) || outcomeOf(answer.value) !== 'no_answer');

/**
 * @returns whether the answer is the back office's refusal of this PIN. The PIN for offline use
 * must then be deleted. Every other refusal also counts as a wrong PIN, because guessing would
 * otherwise be free. But it must not delete the PIN for offline use: it may be the page of a
 * captive portal or an expired log-in.
 */
const refusesPin = (answer: BackOfficeAnswer): boolean =>
	outcomeOf(answer) === 'wrong' && (answer.status === WRONG_PIN || (answer.status !== 401 && parseJson(PinAnswer, answer.body).ok));

/** The kiosk's own answer to a correct PIN, in the format of the back office. */
const OFFLINE_ANSWER: BackOfficeAnswer = {
	status: 200,
	contentType: 'application/json',
	setCookie: [],
	body: Buffer.from(JSON.stringify({ success: true })),
};

function outcomeOf({ status, body }: BackOfficeAnswer): PinOutcome {
	if (status >= 400) return status < 500 && !NOT_ABOUT_THE_PIN.has(status) ? 'wrong' : 'no_answer';
	if (status < 200 || status >= 300) return 'no_answer';
	// A successful answer that is not JSON, e.g. the page of a proxy, counts neither as right nor as
	// wrong.
	const answer = parseJson(PinAnswer, body);
	if (!answer.ok) return 'no_answer';
	return answer.value.opens ? 'right' : 'wrong';
}

/** Refuses a PIN. The screen shows the `message` of the answer. */
function refusePin(response: ServerResponse, waitS: number): void {
	response.setHeader('Retry-After', waitS);
	answerJson(response, 429, { code: 'too_many_pins', message: customerText.tooManyPins(waitS) });
}

/** Refuses a call because the outlet account has changed since the call began. */
export const refuseOtherOutlet = (response: ServerResponse): void =>
	refuse(response, 401, 'not_logged_in', 'the outlet account has changed since this was asked for');

export const refuseStaffOnly = (response: ServerResponse): void =>
	refuse(response, 403, 'staff_only', 'for staff only: the PIN opens this, and it closes after two minutes without a touch');

/** Refuses a call that a technician must first allow by confirming the changed back office. */
export const refuseOtherServer = (response: ServerResponse): void =>
	answerJson(response, 409, { code: 'technician_only', message: customerText.technicianConfirms });

export interface StaffCalls {
	sessions: ScreenSessions;
	staff: StaffSessions;
	tries: PinTries;
	seal: SettingsSeal;
}

/**
 * GET /kiosk/staff tells whether this page has a staff session and how long the next PIN must wait.
 * POST …/touch extends the session, …/leave ends it, and …/confirm-settings confirms the changed
 * settings that the page lists.
 */
export function staffCalls({ sessions, staff, tries, seal }: StaffCalls): Handler {
	return async (request, response, path) => {
		const session = sessions.of(request);
		if (session === null) return false;
		switch (`${request.method} ${path}`) {
			case 'GET /kiosk/staff':
				answerJson(response, 200, { open: staff.isOpen(session.id), wait_ms: tries.waitS() * 1_000 });
				return true;
			case 'POST /kiosk/staff/touch':
				staff.touch(session.id);
				break;
			case 'POST /kiosk/staff/leave':
				staff.end(session.id);
				break;
			case 'POST /kiosk/staff/confirm-settings':
				if (staff.isOpen(session.id)) await confirmSettings(request, response, seal);
				else refuseStaffOnly(response);
				return true;
			default:
				return false;
		}
		response.writeHead(204).end();
		return true;
	};
}

async function confirmSettings(request: IncomingMessage, response: ServerResponse, seal: SettingsSeal): Promise<void> {
	const asked = await readJson(ConfirmSettings, request, response);
	if (asked === null) return;
	const changed = seal.unconfirmed();
	if (!staffMayConfirm(changed)) refuseOtherServer(response);
	else if (!sameNames(changed, asked.settings)) answerJson(response, 409, { code: 'other_settings', message: customerText.otherSettings });
	else answerJson(response, 200, { confirmed: seal.confirmSettings('staff PIN') });
}

const sameNames = (one: readonly string[], other: readonly string[]): boolean =>
	one.length === other.length && one.every((name) => other.includes(name));
