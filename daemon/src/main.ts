/** Starts the daemon's parts and its servers, and stops them. */
import { flushCompileCache } from 'node:module';
import { systemClock as clock } from './base/clock.ts';
import { metricsPageOf, startDaemonHealth } from './daemon-health.ts';
import { claimAll, openSealedJournal } from './daemon-journal.ts';
import { startDaemonKiosk } from './daemon-kiosk.ts';
import { startLog } from './daemon-log.ts';
import { openNames } from './daemon-names.ts';
import { startOffice } from './daemon-office.ts';
import { openScreenServer } from './daemon-screen.ts';
import { readStart } from './daemon-settings.ts';
import { startStaff, startTechnicianSocket } from './daemon-staff.ts';
import type { Health } from './health/health.ts';
import { startSystemd } from './health/systemd.ts';
import { receiptFace } from './printer/receipt-face.ts';
import { serviceServer } from './screen/service-server.ts';

/**
 * Interval between attempts to open the monitoring port. A daemon that was killed just before may
 * still hold the port for a moment.
 */
const SERVICE_RETRY_MS = 500;
/**
 * Time from `listen` until the compile cache is written. Node itself writes the cache only at a
 * clean exit, but most kiosks are switched off by cutting the power. After this time the code that
 * serves a first page is compiled.
 */
const CACHE_MS = 3_000;

const start = readStart();
const { settings } = start;
const base = { ...start, ...startLog(start) };
const { log } = base;
// The receipt face is loaded here, because loading takes a moment and no await may come after the
// claims.
const face = settings.printer ? await receiptFace(settings.printer) : null;
const { address, journalClaim } = await claimAll(start, base);
// There must be no await from here to `listen`, so that requests wait in the socket's queue until
// then.

const opened = { ...base, ...openSealedJournal(start, base, journalClaim) };
const connected = { ...opened, ...startOffice(start, base, opened) };
/** Health starts after this line, but before the first screen connects and needs its mark. */
const healthMark: Health['mark'] = () => observed.health.mark();
const paying = { ...connected, ...startDaemonKiosk(connected, face, healthMark) };
const { kiosk } = paying;

const systemd = startSystemd({
	environment: process.env,
	socket: start.handed.get('notify') ?? null,
	clock,
	// If the journal throws or hangs here, systemd restarts the daemon. A journal that reports
	// trouble does not throw, because a restart would not help.
	ask() {
		opened.journal.waitingUploads();
		for (const line of base.lines.watches) line.ask();
	},
	trouble: (message) => log.event('daemon.notify_failed', { message }),
});

/**
 * Whether the daemon is stopping. If so, it begins no payment and waits for the payments in
 * progress.
 */
let stopping = false;

const named = { ...paying, ...openNames(paying) };
const observed = { ...named, ...startDaemonHealth(named) };
const staffed = { ...observed, ...startStaff(observed) };
const staffSocket = startTechnicianSocket(staffed, () => void stop('journal restart'));
const metricsPage = metricsPageOf(staffed);
const server = openScreenServer(staffed, metricsPage, () => stopping);
server.listen(address, () => {
	log.event('daemon.started', { address: `http://${settings.screen.listen}` });
	systemd.ready();
	clock.after(CACHE_MS, flushCompileCache);
});

/**
 * Monitoring is less important than payments, so if the port for monitoring is in use, the daemon
 * only logs this once and retries.
 */
const service = serviceServer({ handlers: [observed.healthPage, metricsPage], log });
const [serviceHost, servicePort] = settings.screen.service_listen.split(':');
const listenForService = (): void => void service.listen({ port: Number(servicePort), host: serviceHost });
let serviceRefused = false;
service.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code !== 'EADDRINUSE') throw error;
	if (!serviceRefused) log.event('daemon.service_address_in_use', { address: settings.screen.service_listen });
	serviceRefused = true;
	clock.after(SERVICE_RETRY_MS, listenForService);
});
listenForService();

async function stop(signal: string): Promise<void> {
	if (stopping) return;
	stopping = true;
	log.event('daemon.stopping', { signal });
	systemd.stopping();
	paying.promo.stop();
	staffed.anchors.stop();
	observed.health.stop();
	observed.updates.stop();
	paying.rehearsals.stop();
	await kiosk.stop();
	server.close();
	staffSocket.close();
	process.exit(0);
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
