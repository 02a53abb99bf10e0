/** The screens: their sessions, their pages and their calls. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { sameId } from '@kiosk/contract/same-id';
import { allowList, backOfficeProxy } from './back-office/proxy.ts';
import { systemClock as clock } from './base/clock.ts';
import { midnightIn } from './base/site-time.ts';
import type { DaemonHealth } from './daemon-health.ts';
import type { DaemonJournal } from './daemon-journal.ts';
import type { DaemonKiosk } from './daemon-kiosk.ts';
import type { DaemonLog } from './daemon-log.ts';
import type { DaemonOffice } from './daemon-office.ts';
import type { Start } from './daemon-settings.ts';
import type { DaemonStaff } from './daemon-staff.ts';
import { staffHomeCalls } from './health/staff-home.ts';
import type { Handler } from './http/handler.ts';
import { accountKey } from './journal/records.ts';
import { accountSlips } from './printer/account-slip.ts';
import { pagePrinter } from './printer/page-printer.ts';
import { printLimit } from './printer/print-limit.ts';
import { sampleRows } from './printer/sample.ts';
import { screenAlive } from './screen/alive.ts';
import { backOfficeCalls } from './screen/back-office-calls.ts';
import { kioskApi } from './screen/kiosk-api.ts';
import { CARD_ROUTE } from './screen/liveness.ts';
import { lookupLimit } from './screen/lookup-limit.ts';
import { openOfflinePin } from './screen/offline-pin.ts';
import { openPinTries, type PinTries } from './screen/pin-tries.ts';
import { printCalls } from './screen/print-calls.ts';
import { promoAddress, promoVideo } from './screen/promo.ts';
import { screenSettings } from './screen/screen-settings.ts';
import { screenServer } from './screen/server.ts';
import { behindSession, startSession } from './screen/session-gate.ts';
import { openScreenSessions, type ScreenSessions } from './screen/sessions.ts';
import { staffActCalls } from './screen/staff-act-calls.ts';
import { staffCalls, staffDesk } from './screen/staff-calls.ts';
import { staticUi } from './screen/static-ui.ts';
import { refuseWhileStopping } from './screen/stopping.ts';
import { recordedFiles, voiceFiles } from './screen/voice-files.ts';
import { PRINTS_PER_MINUTE } from './settings/settings.ts';

/** Screens that only a page with a staff session shows. */
const STAFF_SCREENS: ReadonlySet<string> = new Set([
	'/daftar-transaksi',
	'/staf',
	'/staf/kotak',
	'/staf/kasus',
	'/staf/periksa',
	'/staf/uji',
]);

type Below = Start & DaemonLog & DaemonJournal & DaemonOffice & DaemonKiosk & DaemonHealth & DaemonStaff;

/**
 * Opens the sessions of the screens and creates their server.
 * @param isStopping whether the daemon is stopping; then no new work begins
 */
export function openScreenServer(below: Below, metricsPage: Handler, isStopping: () => boolean) {
	const { settings, log, token, kiosk } = below;
	const { cash, hub } = kiosk;
	const { back_office, screen } = settings;
	const sessions = openScreenSessions({
		directory: settings.state_directory,
		secretFile: process.env.KIOSK_START_SECRET ?? null,
		outlet: token,
		log,
	});
	const recordings = recordedFiles();
	if (screen.voice && recordings.size === 0) log.event('screen.voice_missing', {});
	const panel = watchPanel(below, sessions);
	const tries = openPinTries({
		file: join(settings.state_directory, 'pin-tries.json'),
		clock,
		log,
		refused: (in_a_row, wait_ms) => log.event('screen.pin_refused', { in_a_row, wait_ms }),
	});
	sessions.onEnd((id) => {
		below.staff.end(id);
		if (cash.payingScreen() === id) cash.closeUnattended();
		panel.forget(id);
		hub.drop(id);
	});

	const allowed = allowList(back_office.paths);
	/**
	 * Whether a page without a session may make this call. Only two calls are allowed: the log-in,
	 * and the settings, which give the log-in page the size of its keys; without a session they show
	 * nothing about the kiosk's state.
	 */
	const isOpen = (method: string, path: string): boolean => path === '/kiosk/settings' || allowed(method, path)?.name === 'login';
	const isCall = (method: string, path: string): boolean =>
		path.startsWith('/kiosk/') || path === '/health' || path === '/metrics' || allowed(method, path) !== null;

	return screenServer({
		listen: screen.listen,
		hub,
		sessions,
		token,
		log,
		handlers: [
			refuseWhileStopping(isStopping),
			below.screenUse.handler,
			startSession(sessions),
			screenAlive(below.liveness),
			behindSession({
				sessions,
				isOpen,
				isCall,
				handlers: [
					below.healthPage,
					metricsPage,
					promoVideo(below.promo.current),
					...staffHandlers(below, sessions, tries),
					kioskHandler(below, sessions, panel.drawn, recordings.size > 0),
					printHandler(below, sessions),
					below.pictures.handler,
					backOfficeHandler(below, sessions, allowed, tries),
				],
			}),
			voiceFiles(recordings),
			staticUi(sessions),
		],
	});
}

/** Session of the requesting page; '' for a page without a session. */
const sessionOf = (sessions: ScreenSessions, request: IncomingMessage): string => sessions.of(request)?.id ?? '';

/** Distinguishes the panel's page from other pages. */
function watchPanel({ liveness }: Below, sessions: ScreenSessions) {
	/**
	 * Session of the browser started by systemd; null until that browser has drawn. After that, only
	 * this browser's reports count as the panel's.
	 */
	let panel: string | null = null;
	return {
		drawn(session: string, screen: string, visit: string, touched: boolean): void {
			if (sessions.isBrowser(session)) panel = session;
			if (panel === null || panel === session) liveness.drawn(screen, visit, touched);
		},
		forget(session: string): void {
			if (panel === session) panel = null;
		},
	};
}

function staffHandlers(below: Below, sessions: ScreenSessions, tries: PinTries): Handler[] {
	const { log, journal, seal, health, rehearsals, staff, boxCount: box, people, staffCases: cases, slips, customerCall: call } = below;
	const midnight = midnightIn(below.settings.site.timezone);
	return [
		staffCalls({ sessions, staff, tries, seal }),
		staffActCalls({ box, people, cases, slips, rehearsals, journal, sessions, staff, log }),
		staffHomeCalls({ health, journal, cases, call, sessions, staff, midnight: () => midnight(clock.wall()) }),
	];
}

type Drawn = ReturnType<typeof watchPanel>['drawn'];

function kioskHandler(below: Below, sessions: ScreenSessions, drawn: Drawn, speaks: boolean): Handler {
	const { settings, log, token, kiosk, staff, seal, promo } = below;
	const { cash, invoices } = kiosk;
	return kioskApi({
		settings: screenSettings(
			settings,
			below.problemsOfSetup,
			{
				clockInDoubt: below.clockInDoubt,
				promo: () => promoAddress(promo.current()),
				unconfirmed: seal.unconfirmed,
				heldMoney: below.heldMoney,
			},
			speaks,
		),
		cash,
		token,
		sessions,
		staff,
		rendered(request, { screen, visit, id, touched }) {
			const session = sessionOf(sessions, request);
			drawn(session, screen, visit, touched);
			cash.onDrawn({ session, screen, id });
			if (screen === CARD_ROUTE && id !== null && sessions.of(request) !== null) kiosk.slips.onCardShown(id);
			// If a page crashes on a staff screen and restarts on a customer screen, its staff session
			// must end.
			if (!STAFF_SCREENS.has(screen)) staff.end(session);
		},
		call: below.customerCall,
		invoiceOf(id) {
			const payment = invoices.current()?.payment;
			return payment && sameId(payment.id, id) ? payment.noinvoice : '';
		},
		visit: () => below.liveness.visit(),
		log,
	});
}

function printHandler(below: Below, sessions: ScreenSessions): Handler {
	const { settings, log, journal, kiosk, staff, slipTime, clockInDoubt, codeOf } = below;
	const { site, printer } = settings;
	return printCalls({
		receipts: kiosk.receipts,
		account: accountSlips({
			invoices: kiosk.invoices,
			ahass: site.name,
			timezone: site.timezone,
			tanggal: () => slipTime(clock.wall()),
		}),
		sample: () => sampleRows(site.name, kiosk.timestamp(clock.wall())),
		desk: kiosk.printDesk,
		page: pagePrinter({ journal, newId: randomUUID, clockInDoubt, codeOf }),
		limit: printLimit(printer?.per_minute ?? PRINTS_PER_MINUTE, clock),
		isRestarting: kiosk.restart.stands,
		link: settings.receipt.whatsapp_link,
		isStaff: (request) => staff.isOpen(sessionOf(sessions, request)),
		log,
	});
}

function backOfficeHandler(below: Below, sessions: ScreenSessions, allowed: ReturnType<typeof allowList>, tries: PinTries): Handler {
	const { settings, log, journal, token, callBackOffice, kiosk, staff } = below;
	const { back_office, screen } = settings;
	return backOfficeCalls({
		allowed,
		proxy: backOfficeProxy({ call: callBackOffice, token, csrf: back_office, log }),
		token,
		cash: kiosk.cash,
		invoices: kiosk.invoices,
		journal,
		sessionOf: (request) => sessionOf(sessions, request),
		clock,
		transfers: below.transfers,
		limit: lookupLimit({ perMinute: screen.lookups_per_minute, clock, log }),
		pictures: below.pictures,
		receipts: kiosk.receipts,
		csrfCookie: back_office.csrf_cookie,
		online: () => kiosk.link.isConnected(),
		isOfficeHeld: below.isOfficeHeld,
		isRestarting: kiosk.restart.stands,
		sessions,
		staff: staffDesk({
			tries,
			staff,
			offline: openOfflinePin({ directory: settings.state_directory, token, clock, log }),
			account: () => accountKey(token.current()?.account ?? null),
		}),
		log,
	});
}
