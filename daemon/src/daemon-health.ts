/** Health and metrics of the whole daemon. */
import { systemClock as clock } from './base/clock.ts';
import { VERSION } from './base/version.ts';
import type { DaemonJournal } from './daemon-journal.ts';
import type { DaemonKiosk } from './daemon-kiosk.ts';
import type { DaemonLog } from './daemon-log.ts';
import type { DaemonNames } from './daemon-names.ts';
import type { DaemonOffice } from './daemon-office.ts';
import type { Start } from './daemon-settings.ts';
import { healthHandler } from './health/handler.ts';
import { startHealth } from './health/health.ts';
import type { startAnchors } from './journal-anchor.ts';
import { metricsHandler } from './metrics/handler.ts';
import { SETUP_PROBLEMS_FILE, setupProblems } from './setup/problems.ts';
import { imageFacts } from './update/image-facts.ts';
import { UPDATE_FOLDER } from './update/state.ts';
import { type UpdateFacts, watchUpdates } from './update/watch.ts';

export type DaemonHealth = ReturnType<typeof startDaemonHealth>;

type Below = Start & DaemonLog & DaemonJournal & DaemonOffice & DaemonKiosk & DaemonNames;

/** Starts the health report, which also covers the running version, the updates and the set-up. */
export function startDaemonHealth(below: Below) {
	const { settings, log, lines, journal, seal, kiosk, now } = below;
	const { site, screen, back_office, acceptor, printer } = settings;
	const imageNow = imageFacts();
	const updates = watchUpdates({ folder: UPDATE_FOLDER, clock, log });
	const update = (): UpdateFacts => ({ state: updates.current(), image: imageNow, on: settings.update !== undefined });
	const problemsOfSetup = setupProblems(below.besideSettings(SETUP_PROBLEMS_FILE));
	const health = startHealth({
		journal,
		cash: kiosk.cash,
		card: kiosk.card,
		outbox: kiosk.outbox,
		link: kiosk.link,
		token: below.token,
		printer: kiosk.printDesk,
		hub: kiosk.hub,
		liveness: below.liveness,
		customerCall: below.customerCall,
		lostOfStaff: below.staffNames.lost,
		touchQuietHours: screen.touch_quiet_hours,
		office: below.office,
		remarks: below.remarks,
		acceptorLine: lines.records.acceptor ?? null,
		edcLine: lines.records.edc ?? null,
		acceptorParity: acceptor?.parity ?? 'even',
		commissioning: kiosk.commissioning.isOn,
		site: site.name,
		backOfficeUrl: back_office.url,
		notesPath: back_office.paths.cash_notification,
		waitingLimitMs: back_office.waiting_limit_minutes * 60_000,
		printerUri: printer?.uri ?? null,
		journalDirectory: settings.journal.directory,
		journalNeedsMb: settings.journal.min_free_mb,
		setupProblems: problemsOfSetup,
		update,
		unconfirmedSettings: seal.unconfirmed,
		clock,
		now,
		changed: (state) => kiosk.hub.notify({ type: 'kiosk_health', state }),
	});
	return { health, healthPage: healthHandler(health), updates, update, problemsOfSetup };
}

/** @returns the handler of the metrics page */
export const metricsPageOf = (below: Below & DaemonHealth & { anchors: ReturnType<typeof startAnchors> }) =>
	metricsHandler({
		metrics: below.metrics,
		version: VERSION,
		journal: below.journal,
		journalDirectory: below.settings.journal.directory,
		cash: below.kiosk.cash,
		card: below.kiosk.card,
		link: below.kiosk.link,
		token: below.token,
		printer: below.kiosk.printDesk,
		hub: below.kiosk.hub,
		liveness: below.liveness,
		call: below.customerCall,
		anchor: below.anchors.last,
		update: below.update,
		clock,
	});
