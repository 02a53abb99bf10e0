import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import type { ScreenSettings } from '../contract/kiosk-api.ts';
import { startCashDesk } from './acceptor/cash-desk.ts';
import type { AcceptorReport } from './acceptor/driver.ts';
import { startIctDriver } from './acceptor/ict/driver.ts';
import { backOfficeClient } from './back-office/client.ts';
import { startLiveLink } from './back-office/live-link.ts';
import { startOutbox } from './back-office/outbox.ts';
import { allowList, backOfficeProxy } from './back-office/proxy.ts';
import { openOutletToken } from './back-office/token.ts';
import { startStaffSocket } from './cli/staff-socket.ts';
import { systemClock as clock } from './clock.ts';
import { healthHandler } from './health/handler.ts';
import { type HealthParts, VERSION } from './health/health.ts';
import { openJournal } from './journal/journal.ts';
import { openStore } from './journal/store.ts';
import { openLog } from './log/log.ts';
import { ippQueue } from './printer/ipp-client.ts';
import { startPrintDesk } from './printer/print-desk.ts';
import { backOfficeCalls } from './screen/back-office-calls.ts';
import { startScreenHub } from './screen/hub.ts';
import { kioskApi } from './screen/kiosk-api.ts';
import { ScreenLiveness } from './screen/liveness.ts';
import { PROMO_PATH, promoVideo } from './screen/promo.ts';
import { screenServer } from './screen/server.ts';
import { staticUi } from './screen/static-ui.ts';
import { serialPort } from './serial/serial-port.ts';
import { tcpPort } from './serial/tcp-port.ts';
import { readSettings } from './settings.ts';

/** A cash session whose screen is gone for longer than a reload takes no further note. */
const SCREEN_LOST_MS = 15_000;
/** EX_CONFIG of sysexits: systemd is told not to try again with the same settings. */
const EXIT_CONFIG = 78;

dayjs.extend(utc);
dayjs.extend(timezone);

const { values } = parseArgs({
	options: { config: { type: 'string', default: '/etc/kiosk/kiosk.toml' }, version: { type: 'boolean', default: false } },
});
if (values.version) {
	process.stdout.write(`kioskd ${VERSION}\n`);
	process.exit(0);
}
const read = readSettings(values.config, process.env.STATE_DIRECTORY);
if (!read.ok) {
	openLog('info').event('settings.refused', { file: values.config, problems: read.error.problems });
	process.exit(EXIT_CONFIG);
}
const settings = read.value;
const { site, screen, back_office, acceptor, printer } = settings;
const log = openLog(settings.log.level);

const journal = openJournal(
	{ directory: settings.journal.directory, minFreeBytes: settings.journal.min_free_mb * 1024 * 1024 },
	clock,
	openStore,
);
const journalTrouble = journal.trouble();
if (journalTrouble) log.event('journal.unhealthy', { code: journalTrouble.code, message: journalTrouble.message });

const token = openOutletToken(settings.state_directory, log);
const callBackOffice = backOfficeClient(back_office);

const outbox = startOutbox({
	journal,
	call: callBackOffice,
	token,
	path: back_office.paths.cash_notification,
	csrf: back_office,
	clock,
	log,
	random: Math.random,
	paid: (id) => cash.paidByBackOffice(id),
	unreachable: () => cash.backOfficeUnreachable(),
});

function startAcceptor(report: (report: AcceptorReport) => void) {
	if (!acceptor) throw new Error('no acceptor is configured');
	const { port } = acceptor;
	const line = { baud: acceptor.baud, dataBits: acceptor.data_bits, parity: acceptor.parity, stopBits: acceptor.stop_bits } as const;
	const open =
		port.transport === 'tcp'
			? tcpPort(port.host, port.port)
			: serialPort(port.path, line, (message) => log.event('acceptor.line_notice', { message }));
	return startIctDriver({
		open,
		devicePath: port.transport === 'serial' ? port.path : null,
		locked: journal.acceptorLock() !== null,
		clock,
		log,
		report,
	});
}

const cash = startCashDesk({
	journal,
	policy: {
		notes: acceptor?.notes ?? new Map(),
		switchedOff: new Set(acceptor?.switched_off),
		overpayLimit: acceptor?.overpay_limit ?? null,
	},
	clock,
	log,
	tell: (text) => hub.tell(text),
	uploadNow: () => outbox.kick(),
	timestamp: (at) => dayjs(at).tz(site.timezone).format('YYYY-MM-DDTHH:mm:ssZ'),
	startDriver: acceptor ? startAcceptor : null,
});

let cancelScreenLost = () => {};
const hub = startScreenHub({
	clock,
	log,
	greeting: () => [{ type: 'connection', is_connected: link.connected() }, ...cash.greeting()],
	count(screens) {
		cancelScreenLost();
		if (screens > 0 || !cash.isOpen()) return;
		cancelScreenLost = clock.after(SCREEN_LOST_MS, () => {
			log.event('screen.lost', {});
			cash.closeUnattended();
		});
	},
});

const link = startLiveLink({
	url: back_office.socket_url,
	ca: back_office.ca_file ? readFileSync(back_office.ca_file) : undefined,
	token,
	clock,
	log,
	random: Math.random,
	changed(connected) {
		hub.tell({ type: 'connection', is_connected: connected });
		if (connected) outbox.kick();
	},
	relay: (text) => hub.tell(text),
	paid: (id) => cash.paidByBackOffice(id),
});

const printDesk = printer
	? startPrintDesk({
			queue: ippQueue(printer.uri),
			columns: printer.columns,
			limitMs: printer.limit_ms,
			journal,
			clock,
			log,
			tell: (text) => hub.tell(text),
		})
	: null;

token.onChange(() => {
	hub.dropAll();
	outbox.kick();
});
outbox.kick();

const liveness = new ScreenLiveness(clock);
const promo = promoVideo(screen.promo, log);

const screenSettings: ScreenSettings = {
	site_name: site.name,
	timezone: site.timezone,
	panel_diagonal_inch: screen.panel_diagonal_inch,
	alert_ms: screen.alert_ms,
	idle_ms: screen.idle_ms,
	idle_question_ms: screen.idle_question_ms,
	api_timeout_ms: back_office.timeout_ms,
	csrf_cookie: back_office.csrf_cookie,
	csrf_header: back_office.csrf_header,
	paths: back_office.paths,
	notes: acceptor
		? [...new Set(acceptor.notes.values())].filter((nominal) => !acceptor.switched_off.includes(nominal)).sort((a, b) => a - b)
		: [],
	print: printer ? 'printer' : 'browser',
	edc: false,
	abandoned_ms: screen.abandoned_ms,
	sound: screen.sound,
	mask_names: screen.mask_names,
	promo_video: promo ? PROMO_PATH : null,
};

const healthParts: HealthParts = {
	journal,
	cash,
	outbox,
	link,
	token,
	printer: printDesk,
	hub,
	liveness,
	backOfficeUrl: back_office.url,
	printerUri: printer?.uri ?? null,
};

const health = healthHandler(healthParts);
const staffSocket = startStaffSocket({ stateDirectory: settings.state_directory, cash, health });

const server = screenServer({
	listen: screen.listen,
	hub,
	token,
	log,
	handlers: [
		health,
		...(promo ? [promo] : []),
		kioskApi({ settings: screenSettings, cash, printer: printDesk, token, rendered: (drawn) => liveness.drawn(drawn), log }),
		backOfficeCalls({
			allowed: allowList(back_office.paths),
			proxy: backOfficeProxy({ call: callBackOffice, token, csrf: back_office, log }),
			token,
			cash,
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
server.listen(Number(port), host, () => log.event('daemon.started', { address: `http://${screen.listen}` }));

async function stop(signal: string): Promise<void> {
	log.event('daemon.stopping', { signal });
	cash.closeUnattended();
	await cash.idle();
	outbox.stop();
	link.stop();
	await printDesk?.stop();
	hub.stop();
	server.close();
	staffSocket.close();
	cash.stop();
	journal.close();
	process.exit(0);
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
