/**
 * Connects the daemon's handlers of staff requests as `main.ts` does, but without an HTTP server.
 * Only the handler of the PIN request is a copy.
 */
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdirSync, rmdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { formDataOf, ownHeaders } from '../../daemon/src/back-office/client.ts';
import type { OutletToken } from '../../daemon/src/back-office/token.ts';
import type { Clock } from '../../daemon/src/base/clock.ts';
import { answerJson, type Handler, readJson } from '../../daemon/src/http/handler.ts';
import type { Journal } from '../../daemon/src/journal/journal.ts';
import { accountKey } from '../../daemon/src/journal/records.ts';
import type { Kiosk } from '../../daemon/src/kiosk.ts';
import type { Log } from '../../daemon/src/log/log.ts';
import { kioskApi } from '../../daemon/src/screen/kiosk-api.ts';
import { openOfflinePin } from '../../daemon/src/screen/offline-pin.ts';
import { openPinTries } from '../../daemon/src/screen/pin-tries.ts';
import { behindSession } from '../../daemon/src/screen/session-gate.ts';
import { openScreenSessions, type ScreenSessions } from '../../daemon/src/screen/sessions.ts';
import { staffActCalls } from '../../daemon/src/screen/staff-act-calls.ts';
import { type StaffDesk, staffCalls, staffDesk } from '../../daemon/src/screen/staff-calls.ts';
import { staffPeople } from '../../daemon/src/screen/staff-people.ts';
import { staffSessions } from '../../daemon/src/screen/staff-sessions.ts';
import type { Settings } from '../../daemon/src/settings/settings.ts';
import type { SettingsSeal } from '../../daemon/src/setup/settings-seal.ts';
import { openBoxCount } from '../../daemon/src/staff/box-count.ts';
import { openCases } from '../../daemon/src/staff/open-cases.ts';
import { openStaffNames } from '../../daemon/src/staff/staff-names.ts';
import { BEHAVIOUR } from '../simulators/acceptor/behaviour.ts';
import type { SimKiosk } from './sim-kiosk.ts';

const PIN_PATH = '/payment/api/v1/login-pin-screen/';
/**
 * State files that staff actions change. The daemon changes such a file by writing a new file
 * beside the old one.
 */
const STATE_FILES = ['box-count.json', 'staff-codes.json', 'pin-tries.json', 'offline-pin.json'];

/** A page that staff use. `cookie` is its session's secret; a daemon restart keeps the session. */
export interface StaffPage {
	name: string;
	cookie: string | null;
}

/** The daemon's answer; `body` is null if it is not JSON. */
export interface StaffAnswer {
	status: number;
	body: unknown;
}

/** Passes staff requests to one process of the daemon. */
export interface StaffCalls {
	/** @returns the answer; never resolves if the process dies first */
	ask(page: StaffPage, method: 'GET' | 'POST', path: string, body?: unknown): Promise<StaffAnswer>;
	/** Gives the page a session, as the log-in does. */
	start(page: StaffPage): void;
}

export function openStaffCalls(of: {
	world: SimKiosk;
	kiosk: Kiosk;
	journal: Journal;
	token: OutletToken;
	clock: Clock;
	log: Log;
	settings: Settings;
	alive: () => boolean;
}): StaffCalls {
	const { world, kiosk, journal, token, clock, log, settings, alive } = of;
	const { directory } = world.disk;
	const { cash, card } = kiosk;
	const nominals = [...new Set(settings.acceptor?.notes.values() ?? [])];
	const newId = (): string => world.newId();
	const now = (): string => kiosk.timestamp(clock.wall());
	const sessions = openScreenSessions({ directory, secretFile: null, outlet: token, log });
	const staff = staffSessions({ clock });
	const tries = openPinTries({ file: join(directory, 'pin-tries.json'), clock, log, refused: () => {} });
	sessions.onEnd((id) => staff.end(id));
	const hashOf = async (pin: string, salt: Buffer) => createHash('sha256').update(salt).update(pin).digest();
	const account = () => accountKey(token.current()?.account ?? null);
	const desk = staffDesk({ tries, staff, offline: openOfflinePin({ directory, token, clock, log, hashOf }), account });
	const people = staffPeople({
		names: openStaffNames({ journal, directory, needsCodes: false, newId, now, log }),
		needsCodes: false,
		directory,
		staff,
		clock,
		log,
	});
	const deps = { journal, invoices: kiosk.invoices, cash, nominals, newId, now, log };
	const seal = { unconfirmed: () => [], confirmSettings: () => [] } as unknown as SettingsSeal;
	const handler = behindSession({
		sessions,
		isOpen: () => false,
		isCall: () => true,
		handlers: [
			pinCall(world, desk, sessions, token, settings),
			staffCalls({ sessions, staff, tries, seal }),
			staffActCalls({
				box: openBoxCount({ ...deps, directory, slips: kiosk.slips, tellAnchor: () => {} }),
				people,
				slips: null,
				rehearsals: null,
				cases: openCases({
					...deps,
					slips: kiosk.slips,
					card,
					isSupervisor: people.isSupervisor,
					twoNamesAbove: settings.staff.two_names_above,
				}),
				sessions,
				staff,
				journal,
				log,
			}),
			kioskApi({
				settings: {} as never,
				cash,
				token,
				sessions,
				staff,
				rendered: () => {},
				call: null as never,
				invoiceOf: () => '',
				visit: () => null as never,
				log,
			}),
		],
	});
	return {
		ask: (page, method, path, body) =>
			new Promise((resolve) => {
				if (!alive()) return;
				const answered = (answer: StaffAnswer): void => {
					if (alive()) resolve(answer);
				};
				const response = responseFor(answered);
				Promise.resolve(handler(requestOf(page, method, path, body), response, path)).then(
					(isHandled) => isHandled || answered({ status: 404, body: null }),
					// The daemon's server for the screen answers an exception in the same way.
					(error: unknown) =>
						answered({ status: 500, body: { code: 'fault', reason: error instanceof Error ? error.stack : String(error) } }),
				);
			}),
		start(page) {
			page.cookie = sessions.renew(null).key;
		},
	};
}

const Pin = v.object({ pin: v.string() });

/** Does the same as the daemon's handler of the PIN request. */
function pinCall(world: SimKiosk, desk: StaffDesk, sessions: ScreenSessions, token: OutletToken, settings: Settings): Handler {
	return async (request, response, path) => {
		if (path !== PIN_PATH) return false;
		const asked = await readJson(Pin, request, response);
		const session = token.current();
		if (asked === null) return true;
		if (session === null) {
			answerJson(response, 401, { code: 'no_outlet' });
			return true;
		}
		const { body, contentType } = formDataOf(asked);
		const headers = { ...ownHeaders(session.token.reveal(), settings.back_office), 'Content-Type': contentType };
		const ask = () => {
			world.staff.pins.asked();
			return world.call({ method: 'POST', path: PIN_PATH, headers, body });
		};
		const answer = await desk.tryPin(sessions.of(request), response, asked.pin, ask);
		if (answer === null) return true;
		if (!answer.ok) answerJson(response, 502, { code: `back_office_${answer.error.code}` });
		else {
			response.writeHead(answer.value.status, {});
			response.end(answer.value.body.toString());
		}
		return true;
	};
}

function requestOf({ cookie }: StaffPage, method: string, url: string, body: unknown): IncomingMessage {
	const request = new EventEmitter();
	const headers = cookie === null ? {} : { cookie: `kiosk_screen=${cookie}` };
	const deliver = (): void => {
		if (body !== undefined) request.emit('data', Buffer.from(JSON.stringify(body)));
		request.emit('end');
	};
	// The body must not arrive before a reader listens for its end.
	request.on('newListener', (event) => event === 'end' && process.nextTick(deliver));
	return Object.assign(request, { method, url, headers, destroy: () => {} }) as unknown as IncomingMessage;
}

function responseFor(answered: (answer: StaffAnswer) => void): ServerResponse {
	let status = 200;
	const response = {
		setHeader: () => response,
		appendHeader: () => response,
		on: () => response,
		writeHead: (code: number) => {
			status = code;
			return response;
		},
		end: (text = '') => answered({ status, body: jsonIn(text) }),
	};
	return response as unknown as ServerResponse;
}

function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/**
 * Makes the state files unwritable, or writable again.
 * @param full true makes the files readable but not writable
 */
export function fillStateFiles(directory: string, full: boolean): void {
	for (const name of STATE_FILES) {
		// A folder with the new file's name prevents the creation of that file, even by root.
		if (full) mkdirSync(join(directory, `${name}.new`), { recursive: true });
		else rmdirSync(join(directory, `${name}.new`));
	}
}

/** Denominations that staff may count, rupiah. */
export const NOMINALS: readonly number[] = [...new Set(Object.values(BEHAVIOUR.notes))];
