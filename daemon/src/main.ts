import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { flushCompileCache } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { LiveText } from '@kiosk/contract/live';
import { sameId } from '@kiosk/contract/same-id';
import { ICT_LINE } from './acceptor/ict/line.ts';
import { backOfficeClient } from './back-office/client.ts';
import { type FilmKeeper, startFilmKeeper } from './back-office/film.ts';
import { withoutToken } from './back-office/hide-token.ts';
import { openSocket } from './back-office/live-link.ts';
import { allowList, backOfficeProxy } from './back-office/proxy.ts';
import { openOutletToken, tokenServer } from './back-office/token.ts';
import { openTransfers } from './back-office/transfers.ts';
import { systemClock as clock } from './base/clock.ts';
import { clockSynchronised } from './base/clock-synchronised.ts';
import { VERSION } from './base/version.ts';
import { ECR_LINE } from './edc/bca/line.ts';
import { watchOffice } from './health/back-office-watch.ts';
import { clockDoubt } from './health/clock-trust.ts';
import { healthHandler } from './health/handler.ts';
import { startHealth } from './health/health.ts';
import { keepRemarks } from './health/observed-faults.ts';
import { staffHomeCalls } from './health/staff-home.ts';
import { startSystemd } from './health/systemd.ts';
import { trialCalls } from './health/trial.ts';
import { downloader } from './http/download.ts';
import { claimFolder } from './journal/claim.ts';
import { TRIAL_WRITES, WRITES } from './journal/format.ts';
import { openJournal } from './journal/journal.ts';
import { paymentKey } from './journal/records.ts';
import { hideSeal, sealKeyPath } from './journal/seal.ts';
import { openStore } from './journal/store.ts';
import { logTrouble } from './journal/trouble.ts';
import { verifySoon } from './journal/verify-soon.ts';
import { startAnchors } from './journal-anchor.ts';
import { startKiosk } from './kiosk.ts';
import { limitRepeats } from './log/limit.ts';
import { openLog, tellListeners } from './log/log.ts';
import { timedCalls, timedStore } from './metrics/call-timings.ts';
import { defineMetrics } from './metrics/definitions.ts';
import { countEvents } from './metrics/event-metrics.ts';
import { metricsHandler } from './metrics/handler.ts';
import { accountSlips } from './printer/account-slip.ts';
import { ippQueue } from './printer/ipp-client.ts';
import { openLogos } from './printer/logos.ts';
import { pagePrinter } from './printer/page-printer.ts';
import { printLimit } from './printer/print-limit.ts';
import { receiptFace } from './printer/receipt-face.ts';
import { paperCodes } from './proof/paper-code.ts';
import { openSlipKey } from './proof/slip-key.ts';
import { openRehearsals, type Rehearsals } from './rehearsal/rehearsals.ts';
import { rehearsedKiosk } from './rehearsal/rehearsed-kiosk.ts';
import { screenAlive } from './screen/alive.ts';
import { backOfficeCalls } from './screen/back-office-calls.ts';
import { startScreenHub } from './screen/hub.ts';
import { kioskApi } from './screen/kiosk-api.ts';
import { CARD_ROUTE, ScreenLiveness } from './screen/liveness.ts';
import { lookupLimit } from './screen/lookup-limit.ts';
import { openOfflinePin } from './screen/offline-pin.ts';
import { openPictures } from './screen/pictures.ts';
import { openPinTries } from './screen/pin-tries.ts';
import { printCalls } from './screen/print-calls.ts';
import { filmOfSettings, promoAddress, promoVideo } from './screen/promo.ts';
import { screenSettings } from './screen/screen-settings.ts';
import { watchScreenUse } from './screen/screen-use.ts';
import { screenServer } from './screen/server.ts';
import { serviceServer } from './screen/service-server.ts';
import { behindSession, startSession } from './screen/session-gate.ts';
import { openScreenSessions } from './screen/sessions.ts';
import { staffActCalls } from './screen/staff-act-calls.ts';
import { staffCalls, staffDesk } from './screen/staff-calls.ts';
import { staffPeople } from './screen/staff-people.ts';
import { staffSessions } from './screen/staff-sessions.ts';
import { staticUi } from './screen/static-ui.ts';
import { refuseWhileStopping } from './screen/stopping.ts';
import { recordedFiles, voiceFiles } from './screen/voice-files.ts';
import { DeviceLines } from './serial/device-lines.ts';
import { keepTraces } from './serial/traces.ts';
import { PRINTS_PER_MINUTE, readSettings } from './settings/settings.ts';
import { stateProblem } from './settings/state-directory.ts';
import { SEALED_FILE, SETUP_PROBLEMS_FILE, sealedBySetup, setupProblems } from './setup/problems.ts';
import { openSeal, sealedSettings } from './setup/settings-seal.ts';
import { midnightIn, slipTimeIn, timestampIn } from './site-time.ts';
import { acceptorCalls } from './staff/acceptor-calls.ts';
import { answerCalls } from './staff/answer-calls.ts';
import { openBoxCount } from './staff/box-count.ts';
import { cashCalls } from './staff/cash-calls.ts';
import { openCustomerCall } from './staff/customer-call.ts';
import { edcCalls } from './staff/edc-calls.ts';
import { journalCalls } from './staff/journal-calls.ts';
import { excerptCalls } from './staff/journal-excerpt.ts';
import { moneyCalls } from './staff/money-calls.ts';
import { nameCalls } from './staff/name-calls.ts';
import { networkCalls } from './staff/network-calls.ts';
import { openCases } from './staff/open-cases.ts';
import { parkedCalls } from './staff/parked-calls.ts';
import { rehearsalCalls } from './staff/rehearsal-calls.ts';
import { restartCalls } from './staff/restart-calls.ts';
import { setupCalls } from './staff/setup-calls.ts';
import { slipCalls } from './staff/slip-calls.ts';
import { slipCheck } from './staff/slip-check.ts';
import { openSlipLooks } from './staff/slip-looks.ts';
import { openStaffNames } from './staff/staff-names.ts';
import { startStaffSocket } from './staff/staff-socket.ts';
import { updateCalls } from './staff/update-calls.ts';
import { takeAddress, takeClaims } from './start-claims.ts';
import { handedOver } from './systemd-sockets.ts';
import { imageFacts } from './update/image-facts.ts';
import { UPDATE_FOLDER } from './update/state.ts';
import { type UpdateFacts, watchUpdates } from './update/watch.ts';

/** EX_CONFIG of sysexits: a restart with the same settings would fail again. */
const EXIT_CONFIG = 78;

/** A killed predecessor may hold its port for a moment. */
const SERVICE_RETRY_MS = 500;
/** About fifty records: the rest of a payment and its receipt on a full disk. */
const JOURNAL_RESERVE_BYTES = 2 * 1024 * 1024;
/**
 * Node writes its cache of compiled code at a clean exit only, and most kiosks end by a power cut.
 * After this time the code of a first page is compiled, too.
 */
const CACHE_MS = 3_000;
/** Screens that only a page with a staff session shows. */
const STAFF_SCREENS: ReadonlySet<string> = new Set([
	'/daftar-transaksi',
	'/staf',
	'/staf/kotak',
	'/staf/kasus',
	'/staf/periksa',
	'/staf/uji',
]);

const { values } = parseArgs({
	options: {
		config: { type: 'string', default: '/etc/kiosk/kiosk.toml' },
		// Exists while the boot loader still counts the tries of this version.
		trial: { type: 'string', default: '/run/kiosk/trial' },
		version: { type: 'boolean', default: false },
	},
});
if (values.version) {
	process.stdout.write(`kioskd ${VERSION}\n`);
	process.exit(0);
}
const handed = handedOver(process.env, process.pid);
const journald = handed.get('journald') ?? null;
const read = readSettings(values.config, process.env.STATE_DIRECTORY);
if (!read.ok) {
	openLog('info', journald).event('settings.refused', { file: values.config, problems: read.error.problems });
	process.exit(EXIT_CONFIG);
}
const settings = read.value;
const noState = stateProblem(settings, process.env.STATE_DIRECTORY);
if (noState !== null) {
	openLog('info', journald).event('settings.refused', { file: values.config, problems: [noState] });
	process.exit(EXIT_CONFIG);
}
const { site, screen, back_office, acceptor, edc, printer } = settings;
const written = limitRepeats(openLog(settings.log.level, journald), clock);
const timestamp = timestampIn(site.timezone);
const midnight = midnightIn(site.timezone);
const lines = new DeviceLines(clock, timestamp);
const now = (): string => timestamp(clock.wall());
const remarks = keepRemarks(now);
const traces = keepTraces({ lines: lines.traces, directory: join(settings.state_directory, 'traces'), clock, log: written });
const metrics = defineMetrics();
const count = countEvents(metrics, [...new Set(acceptor?.notes.values())], clock.now);
let rehearsals: Rehearsals | null = null;
const log = tellListeners(written, [traces.heard, count, remarks.heard, (event) => rehearsals?.hear(event)]);
// Before anything runs, because loading it takes a moment.
const face = printer ? await receiptFace(printer) : null;

// Claimed before any change: recovery would put the note of a running daemon in doubt.
const self = { pid: process.pid, since: now(), settings: resolve(values.config), address: screen.listen };
const journalClaim = claimFolder(settings.journal.directory, 'journal.lock', self);
const stateClaim = claimFolder(settings.state_directory, 'state.lock', self);
const notTaken = await takeClaims([stateClaim, journalClaim], clock.now);
// A journal on an unusable disk is reported and retried; without the state directory nothing works.
const unclaimed = notTaken?.code === 'unusable' ? stateClaim.take() : notTaken;
if (unclaimed) {
	log.event(unclaimed.code === 'held' ? 'daemon.already_runs' : 'daemon.state_unusable', { reason: unclaimed.message });
	process.exit(EXIT_CONFIG);
}
const [host = '', port] = screen.listen.split(':');
// On the appliance systemd holds the address, so that no request fails while the daemon starts.
const given = handed.get('kioskd.socket');
const address = given === undefined ? await takeAddress(host, Number(port), clock.now) : { fd: given };
if (address === null) {
	log.event('daemon.address_in_use', { address: screen.listen });
	process.exit(EXIT_CONFIG);
}
// No await from here to `listen`: requests that arrive meanwhile wait for it.

const onTrial = (): boolean => existsSync(values.trial);
const keyFile = sealKeyPath(settings.state_directory);
if (hideSeal(keyFile)) log.event('journal.key_exposed', { file: keyFile });
const journal = openJournal(
	{
		directory: settings.journal.directory,
		claim: journalClaim,
		minFreeBytes: settings.journal.min_free_mb * 1024 * 1024,
		headFile: join(settings.state_directory, 'journal.head'),
		keyFile,
		reserveBytes: JOURNAL_RESERVE_BYTES,
		writes: () => (onTrial() ? TRIAL_WRITES : WRITES),
	},
	clock,
	timedStore(openStore, metrics, clock.now),
);
const journalTrouble = journal.trouble();
if (journalTrouble) logTrouble(log, journalTrouble);

const besideSettings = (file: string): string => join(dirname(values.config), basename(file));
const seal = openSeal({
	directories: [settings.state_directory, settings.journal.directory],
	sealed: sealedSettings(settings, sealedBySetup(besideSettings(SEALED_FILE))),
	now,
	log,
});

const token = openOutletToken(settings.state_directory, tokenServer(back_office), log);
const office = watchOffice({ call: backOfficeClient(back_office), url: back_office.url, caFile: back_office.ca_file, clock, now });
const callBackOffice = timedCalls(withoutToken(office.call), back_office.paths, metrics, clock.now);
const download = downloader(back_office);

const transfers = openTransfers({
	directory: settings.state_directory,
	ownMoney: (id, noinvoice) => journal.money.ownMoney(paymentKey({ account: token.current()?.account ?? null, id, noinvoice })),
	log,
});
const clockInDoubt = (): boolean => clockDoubt(clock.wall(), office.aheadMs(), clockSynchronised()) !== null;

const liveness = new ScreenLiveness(clock);
const screenUse = watchScreenUse(clock, liveness);
const pictures = openPictures({ download, clock, log });
const logo = openLogos({ read: pictures.read, clock, log });

const slipKey = openSlipKey(settings.state_directory, log, () => clock.wall());
const slipTime = slipTimeIn(settings.site.timezone);
const codeOf = paperCodes({ key: slipKey, journal, tanggal: () => slipTime(clock.wall()) });

// Before the lines open: it may continue a recording that a power cut interrupted.
let pauseEscrow = (_on: boolean): void => {};
rehearsals = openRehearsals({
	directory: join(settings.state_directory, 'rehearsals'),
	journalDirectory: settings.journal.directory,
	newestRecord: () => journal.newest().record,
	isPaying: () => cash.isOpen() || card.shownState() === 'busy',
	devices: { acceptor: acceptor !== undefined, edc: edc !== undefined, printer: printer !== undefined },
	tap: (listener) => lines.tap(listener),
	pauseEscrow: (on) => pauseEscrow(on),
	key: slipKey,
	kiosk: rehearsedKiosk(settings),
	timestamp,
	clock,
	log,
});

const kiosk = startKiosk({
	settings,
	clock,
	log,
	random: Math.random,
	newId: randomUUID,
	journal,
	token,
	callBackOffice,
	acceptorLine: acceptor ? lines.to(ICT_LINE, acceptor, log) : null,
	edcLine: edc ? lines.to(ECR_LINE, edc, log) : null,
	printer: printer && face ? { queue: ippQueue(printer.uri), face, logo, limitMs: printer.limit_ms, clockInDoubt } : null,
	onSettled: (id) => transfers.onPaid(id),
	codeOf,
	openSocket: openSocket(back_office.ca_file ? readFileSync(back_office.ca_file) : undefined),
	isNonCashShown: screenUse.showsCode,
	screenUse: () => ({ calls: screenUse.calls(), code: screenUse.showsCode(), idle_ms: screenUse.idleMs() }),
	startHub: startScreenHub,
	greeting: () => [promoMessage(), setupMessage(), callMessage(), { type: 'kiosk_health', state: health.mark() }],
});
pauseEscrow = kiosk.escrowPause.turn;
const { cash, card, outbox, link, hub, printDesk, receipts, invoices } = kiosk;
if (onTrial()) verifySoon(journal, () => !cash.isOpen() && cash.progress().length === 0, clock);

const setupMessage = (): LiveText => ({ type: 'kiosk_setup', unconfirmed: [...seal.unconfirmed()] });
cash.holdForSettings(seal.unconfirmed().length > 0);
seal.onConfirm(() => {
	cash.holdForSettings(false);
	hub.notify(setupMessage());
});

/** The film from the settings, else the one named by the back office. */
function startPromo(): FilmKeeper {
	const { enabled, video } = screen.promo;
	if (!enabled || video !== '') {
		const film = enabled ? filmOfSettings(join(settings.state_directory, 'promo-films'), video, log) : null;
		return { current: () => film, stop: () => {} };
	}
	return startFilmKeeper({
		directory: join(settings.state_directory, 'promo'),
		call: callBackOffice,
		path: back_office.paths.video,
		csrf: back_office,
		token,
		download,
		minFreeBytes: settings.journal.min_free_mb * 1024 * 1024,
		clock,
		log,
		onChanged: () => hub.notify(promoMessage()),
	});
}

const customerCall = openCustomerCall({
	clock,
	now,
	log,
	changed: (since) => hub.notify({ type: 'kiosk_staff_call', since }),
});
const callMessage = (): LiveText => ({ type: 'kiosk_staff_call', since: customerCall.open()?.since ?? null });

const promo = startPromo();
const recordings = recordedFiles();
if (screen.voice && recordings.size === 0) log.event('screen.voice_missing', {});
const promoMessage = () => ({ type: 'kiosk_promo', address: promoAddress(promo.current()) }) as const;

const systemd = startSystemd({
	environment: process.env,
	clock,
	// A journal in trouble is already reported, and a restart would not help. One that throws or
	// hangs ends the daemon.
	ask() {
		journal.waitingUploads();
		for (const line of lines.watches) line.ask();
	},
	trouble: (message) => log.event('daemon.notify_failed', { message }),
});

const imageNow = imageFacts();
const updates = watchUpdates({ folder: UPDATE_FOLDER, clock, log });
const update = (): UpdateFacts => ({ state: updates.current(), image: imageNow, on: settings.update !== undefined });

const problemsOfSetup = setupProblems(besideSettings(SETUP_PROBLEMS_FILE));

/** From then on no payment begins; those in progress are awaited. */
let stopping = false;

const health = startHealth({
	journal,
	cash,
	card,
	outbox,
	link,
	token,
	printer: printDesk,
	hub,
	liveness,
	customerCall,
	touchQuietHours: screen.touch_quiet_hours,
	office,
	remarks,
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
	changed: (state) => hub.notify({ type: 'kiosk_health', state }),
});

const anchors = startAnchors({
	journal,
	call: callBackOffice,
	token,
	path: back_office.paths.anchor,
	csrf: back_office,
	clock,
	timestamp: () => kiosk.timestamp(clock.wall()),
	log,
});

const staff = staffSessions({ clock });
const staffNames = openStaffNames(settings.state_directory, log, () => clock.wall());
const people = staffPeople({
	names: staffNames,
	needsCodes: settings.staff.personal_codes,
	directory: settings.state_directory,
	staff,
	clock,
	log,
});
const staffCases = openCases({
	journal,
	cash,
	card,
	token,
	isSupervisor: people.isSupervisor,
	slips: kiosk.slips,
	twoNamesAbove: settings.staff.two_names_above,
	nominals: acceptor ? [...new Set(acceptor.notes.values())] : [],
	newId: randomUUID,
	now: () => kiosk.timestamp(clock.wall()),
	log,
});
const slips =
	slipKey &&
	slipCheck({
		key: slipKey,
		journal,
		cases: staffCases,
		looks: openSlipLooks(settings.state_directory),
		timestamp: kiosk.timestamp,
		clock,
	});

const healthPage = healthHandler(health);
const staffSocket = startStaffSocket({
	stateDirectory: settings.state_directory,
	cash,
	log,
	handlers: [
		healthPage,
		traces.handler,
		excerptCalls(settings.journal.directory),
		setupCalls(seal),
		nameCalls(staffNames, log),
		answerCalls(customerCall),
		restartCalls(kiosk.restart),
		trialCalls({ journal, onTrial, liveness, cash, card, printer: printDesk }),
		updateCalls(log),
		acceptorCalls({ cash, card, commissioning: kiosk.commissioning, log, lines: lines.records, drawn: () => liveness.last() }),
		edcCalls(card, journal),
		rehearsalCalls(rehearsals),
		cashCalls({
			cash,
			journal,
			slips: kiosk.slips,
			tellAnchor: anchors.tell,
			newId: randomUUID,
			now: () => kiosk.timestamp(clock.wall()),
			log,
		}),
		moneyCalls({
			slips: kiosk.slips,
			cash,
			journal,
			token,
			invoices,
			parked: parkedCalls({ journal, token, invoices, outbox, cash, clock, newId: randomUUID, log }),
			newId: randomUUID,
			now: () => kiosk.timestamp(clock.wall()),
			log,
		}),
		slipCalls({ key: slipKey, check: slips, journal, site: site.name }),
		networkCalls({ call: callBackOffice, token, path: back_office.paths.cash_notification, csrf: back_office }),
		journalCalls({
			directory: settings.journal.directory,
			keyFile,
			journal,
			newId: randomUUID,
			now: () => kiosk.timestamp(clock.wall()),
			end: () => void stop('journal restart'),
			log,
		}),
	],
});

const metricsPage = metricsHandler({
	metrics,
	version: VERSION,
	journal,
	journalDirectory: settings.journal.directory,
	cash,
	card,
	link,
	token,
	printer: printDesk,
	hub,
	liveness,
	call: customerCall,
	anchor: anchors.last,
	update,
	clock,
});

const sessions = openScreenSessions({
	directory: settings.state_directory,
	secretFile: process.env.KIOSK_START_SECRET ?? null,
	outlet: token,
	log,
});
/**
 * Session of the browser started by systemd, once it has drawn: then no other page reports the
 * panel's picture.
 */
let panel: string | null = null;
function drawnOnPanel(session: string, screen: string, visit: string, touched: boolean): void {
	if (sessions.isBrowser(session)) panel = session;
	if (panel === null || panel === session) liveness.drawn(screen, visit, touched);
}
const boxCount = openBoxCount({
	directory: settings.state_directory,
	nominals: acceptor ? [...new Set(acceptor.notes.values())] : [],
	cash,
	journal,
	slips: kiosk.slips,
	tellAnchor: anchors.tell,
	newId: randomUUID,
	now: () => kiosk.timestamp(clock.wall()),
	log,
});
const pinTries = openPinTries({
	file: join(settings.state_directory, 'pin-tries.json'),
	clock,
	log,
	refused: (in_a_row, wait_ms) => log.event('screen.pin_refused', { in_a_row, wait_ms }),
});
sessions.onEnd((id) => {
	staff.end(id);
	if (cash.payingScreen() === id) cash.closeUnattended();
	if (panel === id) panel = null;
	hub.drop(id);
});

/** Session of the requesting page; '' for one without a session, which makes no calls. */
const sessionOf = (request: IncomingMessage): string => sessions.of(request)?.id ?? '';

const allowed = allowList(back_office.paths);
/** Without a session a page may log in and read the size of its keys. */
const isOpen = (method: string, path: string): boolean => path === '/kiosk/settings' || allowed(method, path)?.name === 'login';
const isCall = (method: string, path: string): boolean =>
	path.startsWith('/kiosk/') || path === '/health' || path === '/metrics' || allowed(method, path) !== null;

const server = screenServer({
	listen: screen.listen,
	hub,
	sessions,
	token,
	log,
	handlers: [
		refuseWhileStopping(() => stopping),
		screenUse.handler,
		startSession(sessions),
		screenAlive(liveness),
		behindSession({
			sessions,
			isOpen,
			isCall,
			handlers: [
				healthPage,
				metricsPage,
				promoVideo(promo.current),
				staffCalls({ sessions, staff, tries: pinTries, seal }),
				staffActCalls({ box: boxCount, people, cases: staffCases, slips, rehearsals, journal, sessions, staff, log }),
				staffHomeCalls({ health, journal, cases: staffCases, call: customerCall, sessions, staff, midnight: () => midnight(clock.wall()) }),
				kioskApi({
					settings: screenSettings(
						settings,
						problemsOfSetup,
						{
							clockInDoubt,
							promo: () => promoAddress(promo.current()),
							unconfirmed: seal.unconfirmed,
						},
						recordings.size > 0,
					),
					cash,
					token,
					sessions,
					staff,
					rendered(request, { screen, visit, id, touched }) {
						drawnOnPanel(sessionOf(request), screen, visit, touched);
						cash.onDrawn({ session: sessionOf(request), screen, id });
						if (screen === CARD_ROUTE && id !== null && sessions.of(request) !== null) kiosk.slips.onCardShown(id);
						// A page that died on a staff screen and restarted elsewhere has left it.
						if (!STAFF_SCREENS.has(screen)) staff.end(sessionOf(request));
					},
					call: customerCall,
					invoiceOf(id) {
						const payment = invoices.current()?.payment;
						return payment && sameId(payment.id, id) ? payment.noinvoice : '';
					},
					visit: () => liveness.visit(),
					log,
				}),
				printCalls({
					receipts,
					account: accountSlips({
						invoices,
						ahass: site.name,
						timezone: site.timezone,
						tanggal: () => slipTime(clock.wall()),
					}),
					desk: printDesk,
					page: pagePrinter({ journal, newId: randomUUID, clockInDoubt, codeOf }),
					limit: printLimit(printer?.per_minute ?? PRINTS_PER_MINUTE, clock),
					isRestarting: kiosk.restart.stands,
					link: settings.receipt.whatsapp_link,
					isStaff: (request) => staff.isOpen(sessionOf(request)),
					log,
				}),
				pictures.handler,
				backOfficeCalls({
					allowed,
					proxy: backOfficeProxy({ call: callBackOffice, token, csrf: back_office, log }),
					token,
					cash,
					invoices,
					journal,
					sessionOf,
					clock,
					transfers,
					limit: lookupLimit({ perMinute: screen.lookups_per_minute, clock, log }),
					pictures,
					receipts,
					csrfCookie: back_office.csrf_cookie,
					online: () => link.isConnected(),
					isRestarting: kiosk.restart.stands,
					sessions,
					staff: staffDesk({ tries: pinTries, staff, offline: openOfflinePin({ directory: settings.state_directory, token, clock, log }) }),
					log,
				}),
			],
		}),
		voiceFiles(recordings),
		staticUi(sessions),
	],
});
server.listen(address, () => {
	log.event('daemon.started', { address: `http://${screen.listen}` });
	systemd.ready();
	clock.after(CACHE_MS, flushCompileCache);
});

/** Monitoring is less important than the kiosk: a port in use is reported once and retried. */
const service = serviceServer({ handlers: [healthPage, metricsPage], log });
const [serviceHost, servicePort] = screen.service_listen.split(':');
const listenForService = (): void => void service.listen({ port: Number(servicePort), host: serviceHost });
let serviceRefused = false;
service.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code !== 'EADDRINUSE') throw error;
	if (!serviceRefused) log.event('daemon.service_address_in_use', { address: screen.service_listen });
	serviceRefused = true;
	clock.after(SERVICE_RETRY_MS, listenForService);
});
listenForService();

async function stop(signal: string): Promise<void> {
	if (stopping) return;
	stopping = true;
	log.event('daemon.stopping', { signal });
	systemd.stopping();
	promo.stop();
	anchors.stop();
	health.stop();
	updates.stop();
	rehearsals?.stop();
	await kiosk.stop();
	server.close();
	staffSocket.close();
	process.exit(0);
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
