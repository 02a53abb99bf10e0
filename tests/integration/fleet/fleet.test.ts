// @module-tag deep
/**
 * Tests logs and metrics over TLS with a certificate for each kiosk. The kiosk uses the files that
 * kiosk-setup writes and the commands of the systemd units. The owner's servers are set up as in
 * docs/owner/fleet.md.
 */
import { once } from 'node:events';
import { request } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { type Certificates, makeCertificates } from './certificates.ts';
import { setUpFleet } from './fleet-setup.ts';
import { canStartJournald, startJournald } from './journald.ts';
import { startLogReceiver, startMetricsReceiver } from './owner.ts';
import { PROMETHEUS } from './prometheus.ts';

let folder: string;
let certificates: Certificates;
let kiosk: Kiosk | null = null;
/** Clean-up steps of a test; the last step runs first. */
let ends: (() => unknown)[] = [];
beforeEach(() => {
	folder = temporaryFolder('fleet');
	certificates = makeCertificates(folder);
});
afterEach(async () => {
	await kiosk?.stop();
	kiosk = null;
	for (const end of ends.reverse()) await end();
	ends = [];
});

/** Sends a request without a certificate. @returns the status or the error */
const stranger = (url: string, method = 'POST'): Promise<string> =>
	new Promise((resolve) => {
		const call = request(url, { method, rejectUnauthorized: false }, (answer) => resolve(String(answer.statusCode)));
		call.on('error', (error) => resolve(error.message));
		call.end();
	});

test.skipIf(!canStartJournald)(
	'systemd-journal-upload delivers each log entry once with its fields, and a sender without a certificate is refused',
	async () => {
		const journald = await startJournald();
		ends.push(journald.stop);
		const running = await startKiosk({ startedBy: journald.startedBy });
		kiosk = running;
		const screen = await running.screen();
		const { noinvoice } = await running.openCash('081234567890');
		running.acceptor.device.insert({ nominal: 100_000 });
		await until(() => expect(screen.of('payment_cash_notification')).toHaveLength(1));

		const owner = await startLogReceiver(folder, certificates);
		ends.push(owner.stop);
		expect(await stranger(`${owner.url}/upload`)).toContain('certificate required');

		const setup = setUpFleet(folder, `logs = "${owner.url}"\nname = "kiosk-0001"`, new URL(running.daemon.service).host, certificates);
		expect([setup.starts('kiosk-fleet-logs'), setup.starts('kiosk-fleet-metrics')]).toEqual([true, false]);
		/** Waits until the log contains this many credited notes, then uploads the log. */
		const upload = async (credited: number) => {
			await until(async () => expect(await journald.entries('KIOSK_EVENT=cash.note_credited')).toHaveLength(credited));
			const more = ['--directory', journald.directory, '--follow=no'];
			const program = setup.run('kiosk-fleet-logs', (command) => [...command, ...more]);
			const said = text(program.stderr as Readable);
			const [code] = await once(program, 'exit');
			expect(code, await said).toBe(0);
		};
		/** @returns the invoice's credited notes that the owner has received */
		const notes = () => owner.entries(`KIOSK_INVOICE=${noinvoice}`, 'KIOSK_EVENT=cash.note_credited');
		await upload(1);
		await until(async () => expect(await notes()).toMatchObject([{ KIOSK_NOMINAL: '100000', KIOSK_PART: 'cash' }]));

		// The next upload sends only later entries.
		running.acceptor.device.insert({ nominal: 50_000 });
		await until(() => expect(screen.of('payment_cash_notification')).toHaveLength(2));
		await upload(2);
		await until(async () => expect(await notes()).toMatchObject([{ KIOSK_NOMINAL: '100000' }, { KIOSK_NOMINAL: '50000' }]));
	},
);

test('a Prometheus agent delivers the metrics, and a client without a certificate can neither send nor read', async () => {
	const running = await startKiosk({});
	kiosk = running;
	const owner = await startMetricsReceiver(folder, certificates);
	ends.push(owner.stop);
	const lines = `metrics = "${owner.url}/api/v1/write"\nname = "kiosk-0001"\nscrape_seconds = 15`;
	const setup = setUpFleet(folder, lines, new URL(running.daemon.service).host, certificates);
	expect([setup.starts('kiosk-fleet-logs'), setup.starts('kiosk-fleet-metrics')]).toEqual([false, true]);
	// Uses a free port for the agent's web page, because another kiosk on this computer may use the
	// usual port, 9099.
	const agent = setup.run('kiosk-fleet-metrics', ([, ...parameters]) => [
		PROMETHEUS,
		...parameters.map((one) => one.replace(':9099', ':0')),
	]);
	const said = text(agent.stderr as Readable);
	const ended = once(agent, 'exit');
	ends.push(() => {
		agent.kill('SIGKILL');
		return ended;
	});
	const arrived = async () => expect(await owner.value('kiosk_logged_in{instance="kiosk-0001",job="kiosk"}')).toBe(1);
	// Waits up to twice, because the agent first sends at a random moment within 15 s, and one wait
	// may end before that moment.
	const within = until(arrived).catch(() => until(arrived));
	await Promise.race([within, ended.then(async () => expect.unreachable(`the agent ended: ${await said}`))]);
	for (const [path, method] of [
		['write', 'POST'],
		['query?query=up', 'GET'],
	] as const)
		expect(await stranger(`${owner.url}/api/v1/${path}`, method), path).toMatch(/alert (bad certificate|certificate required)/);
	expect(await owner.value('up{instance="kiosk-0001"}')).toBe(1);
});
