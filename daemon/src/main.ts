import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { backOfficeClient } from './back-office/client.ts';
import { type FilmKeeper, startFilmKeeper } from './back-office/film.ts';
import { openSocket } from './back-office/live-link.ts';
import { allowList, backOfficeProxy } from './back-office/proxy.ts';
import { openOutletToken, tokenServer } from './back-office/token.ts';
import { openTransfers } from './back-office/transfers.ts';
import { acceptorCalls } from './cli/acceptor-calls.ts';
import { cashCalls } from './cli/cash-calls.ts';
import { edcCalls } from './cli/edc-calls.ts';
import { journalCalls } from './cli/journal-calls.ts';
import { excerptCalls } from './cli/journal-excerpt.ts';
import { moneyCalls } from './cli/money-calls.ts';
import { networkCalls } from './cli/network-calls.ts';
import { parkedCalls } from './cli/parked-calls.ts';
import { startStaffSocket } from './cli/staff-socket.ts';
import { systemClock as clock } from './clock.ts';
import { downloader } from './download.ts';
import { handedOver } from './handed-over.ts';
import { clockDoubt } from './health/clock-trust.ts';
import { healthHandler } from './health/handler.ts';
import { startHealth } from './health/health.ts';
import { clockSynchronised } from './health/machine.ts';
import { watchOffice } from './health/office-watch.ts';
import { keepRemarks } from './health/remarks.ts';
import { startSystemd } from './health/systemd.ts';
import { VERSION } from './health/version.ts';
import { openJournal } from './journal/journal.ts';
import { paymentKey } from './journal/records.ts';
import { openStore } from './journal/store.ts';
import { startKiosk, timestampIn } from './kiosk.ts';
import { limitRepeats } from './log/limit.ts';
import { type Log, openLog } from './log/log.ts';
import { keepTraces } from './log/traces.ts';
import { defineMetrics } from './metrics/definitions.ts';
import { metricsHandler } from './metrics/handler.ts';
import { countEvents } from './metrics/heard.ts';
import { timedCalls, timedStore } from './metrics/timed.ts';
import { ippQueue } from './printer/ipp-client.ts';
import { receiptFace } from './printer/receipt-face.ts';
import { screenAlive } from './screen/alive.ts';
import { backOfficeCalls } from './screen/back-office-calls.ts';
import { startScreenHub } from './screen/hub.ts';
import { kioskApi } from './screen/kiosk-api.ts';
import { ScreenLiveness } from './screen/liveness.ts';
import { lookupLimit } from './screen/lookup-limit.ts';
import { openPictures } from './screen/pictures.ts';
import { filmOfSettings, promoAddress, promoVideo } from './screen/promo.ts';
import { screenSettings } from './screen/screen-settings.ts';
import { screenServer } from './screen/server.ts';
import { staticUi } from './screen/static-ui.ts';
import { refuseWhileStopping } from './screen/stopping.ts';
import { DeviceLines } from './serial/device-lines.ts';
import { readSettings } from './settings.ts';
import { SETUP_PROBLEMS_FILE, setupProblems } from './setup/problems.ts';

/** EX_CONFIG of sysexits: systemd is told not to try again with the same settings. */
const EXIT_CONFIG = 78;

/** Some fifty records: what a payment and its receipt still need on a disk that is full. */
const JOURNAL_RESERVE_BYTES = 2 * 1024 * 1024;

const { values } = parseArgs({
	options: { config: { type: 'string', default: '/etc/kiosk/kiosk.toml' }, version: { type: 'boolean', default: false } },
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
const { site, screen, back_office, acceptor, edc, printer } = settings;
const written = limitRepeats(openLog(settings.log.level, journald), clock);
const timestamp = timestampIn(site.timezone);
const lines = new DeviceLines(clock, timestamp);
const now = (): string => timestamp(clock.wall());
const remarks = keepRemarks(now);
const traces = keepTraces({ lines: lines.traces, directory: join(settings.state_directory, 'traces'), clock, log: written });
const metrics = defineMetrics();
const count = countEvents(metrics, [...new Set(acceptor?.notes.values())], clock.now);
const log: Log = {
	event(id, fields) {
		written.event(id, fields);
		traces.heard(id, fields);
		count(id, fields);
		remarks.heard(id, fields);
	},
};
// Before anything runs: what has to be loaded for it takes a moment.
const face = printer ? await receiptFace(printer) : null;

const journal = openJournal(
	{
		directory: settings.journal.directory,
		minFreeBytes: settings.journal.min_free_mb * 1024 * 1024,
		headFile: join(settings.state_directory, 'journal.head'),
		reserveBytes: JOURNAL_RESERVE_BYTES,
	},
	clock,
	timedStore(openStore, metrics, clock.now),
);
const journalTrouble = journal.trouble();
if (journalTrouble) log.event('journal.unhealthy', { code: journalTrouble.code, message: journalTrouble.message });

const token = openOutletToken(settings.state_directory, tokenServer(back_office), log);
const office = watchOffice({ call: backOfficeClient(back_office), url: back_office.url, caFile: back_office.ca_file, clock, now });
const callBackOffice = timedCalls(office.call, back_office.paths, metrics, clock.now);
const download = downloader(back_office);

const transfers = openTransfers({
	directory: settings.state_directory,
	ownMoney: (id, noinvoice) => journal.money.ownMoney(paymentKey({ account: token.current()?.account ?? null, id, noinvoice })),
	log,
});
const clockInDoubt = (): boolean => clockDoubt(clock.wall(), office.aheadMs(), clockSynchronised()) !== null;

const kiosk = startKiosk({
	settings,
	clock,
	log,
	random: Math.random,
	newId: randomUUID,
	journal,
	token,
	callBackOffice,
	acceptorLine: acceptor ? lines.to('acceptor', acceptor, log) : null,
	edcLine: edc ? lines.to('edc', edc, log) : null,
	printer: printer && face ? { queue: ippQueue(printer.uri), face, limitMs: printer.limit_ms, clockInDoubt } : null,
	settled: (payment) => transfers.paid(payment.id),
	openSocket: openSocket(back_office.ca_file ? readFileSync(back_office.ca_file) : undefined),
	startHub: startScreenHub,
	greeting: () => [promoMessage(), { type: 'kiosk_health', state: health.mark() }],
});
const { cash, card, outbox, link, hub, printDesk, invoices } = kiosk;

/** The film of the settings, else the one that the back office names. */
function startPromo(): FilmKeeper {
	const { enabled, video } = screen.promo;
	if (!enabled || video !== '') {
		const film = enabled ? filmOfSettings(video, log) : null;
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
		changed: () => hub.tell(promoMessage()),
	});
}

const promo = startPromo();
const promoMessage = () => ({ type: 'kiosk_promo', address: promoAddress(promo.current()) }) as const;

const systemd = startSystemd({
	environment: process.env,
	clock,
	// A journal in trouble is known and shown, and a restart would not help. One that throws or hangs ends the daemon.
	ask() {
		journal.waitingUploads();
		for (const line of lines.watches) line.ask();
	},
	trouble: (message) => log.event('daemon.notify_failed', { message }),
});

const liveness = new ScreenLiveness(clock);
const pictures = openPictures({ download, clock, log });

/** Beside the settings that it speaks of. */
const problemsOfSetup = setupProblems(join(dirname(values.config), basename(SETUP_PROBLEMS_FILE)));

/** From then on no money is begun; what is under way is awaited. */
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
	clock,
	now,
	changed: (state) => hub.tell({ type: 'kiosk_health', state }),
});

const healthPage = healthHandler(health);
const staffSocket = startStaffSocket({
	stateDirectory: settings.state_directory,
	cash,
	handlers: [
		healthPage,
		traces.handler,
		excerptCalls(settings.journal.directory),
		acceptorCalls({ cash, card, commissioning: kiosk.commissioning, log, lines: lines.records, liveness }),
		edcCalls(card, journal.cards),
		cashCalls({ cash, journal, slips: kiosk.slips, newId: randomUUID, now: () => kiosk.timestamp(clock.wall()), log }),
		moneyCalls({
			cash,
			journal,
			token,
			invoices,
			parked: parkedCalls({ journal, token, invoices, outbox, cash, clock, newId: randomUUID, log }),
			newId: randomUUID,
			now: () => kiosk.timestamp(clock.wall()),
			log,
		}),
		networkCalls({ call: callBackOffice, token, path: back_office.paths.cash_notification, csrf: back_office }),
		journalCalls({
			directory: settings.journal.directory,
			journal,
			newId: randomUUID,
			now: () => kiosk.timestamp(clock.wall()),
			end: () => void stop('journal restart'),
			log,
		}),
	],
});

/** One screen at present. */
const sessionOf = (_request: IncomingMessage): string => 'screen';

const server = screenServer({
	listen: screen.listen,
	hub,
	token,
	log,
	handlers: [
		refuseWhileStopping(() => stopping),
		healthPage,
		metricsHandler({
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
			clock,
		}),
		promoVideo(promo.current),
		screenAlive(liveness),
		kioskApi({
			settings: screenSettings(settings, problemsOfSetup, { clockInDoubt, promo: () => promoAddress(promo.current()) }),
			cash,
			printer: printDesk,
			token,
			rendered(request, { screen, visit, id }) {
				liveness.drawn(screen, visit);
				cash.drawn({ session: sessionOf(request), screen, id });
			},
			visit: () => liveness.visit(),
			log,
		}),
		pictures.handler,
		backOfficeCalls({
			allowed: allowList(back_office.paths),
			proxy: backOfficeProxy({ call: callBackOffice, token, csrf: back_office, log }),
			token,
			cash,
			invoices,
			journal,
			sessionOf,
			clock,
			transfers,
			limit: lookupLimit({ clock, log }),
			pictures,
			csrfCookie: back_office.csrf_cookie,
			online: () => link.connected(),
			log,
		}),
		staticUi(token),
	],
});
const [host, port] = screen.listen.split(':');
server.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code !== 'EADDRINUSE') throw error;
	log.event('daemon.address_in_use', { address: screen.listen });
	process.exit(EXIT_CONFIG);
});
// On the appliance systemd holds the address, so that no request fails while the daemon starts.
const given = handed.get('kioskd.socket');
server.listen(given === undefined ? { port: Number(port), host } : { fd: given }, () => {
	log.event('daemon.started', { address: `http://${screen.listen}` });
	systemd.ready();
});

async function stop(signal: string): Promise<void> {
	if (stopping) return;
	stopping = true;
	log.event('daemon.stopping', { signal });
	systemd.stopping();
	promo.stop();
	health.stop();
	await kiosk.stop();
	server.close();
	staffSocket.close();
	process.exit(0);
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
