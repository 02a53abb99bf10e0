/** What the settings name for an owner of many kiosks leaves the booted appliance, by the kiosk's own certificate. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificates } from '../observation/certificates.ts';
import { type LogReceiver, startLogReceiver, startMetricsReceiver } from '../observation/owner.ts';
import type { Prometheus } from '../observation/prometheus.ts';
import { eventually } from './eventually.ts';
import { GUEST_MS, type KioskUnderTest, kioskUnderTest } from './kiosk-under-test.ts';
import { publicKey } from './machine.ts';
import { HOST } from './setup-files.ts';

let kiosk: KioskUnderTest;
let logs: LogReceiver;
let metrics: Prometheus;

beforeAll(async () => {
	kiosk = await kioskUnderTest();
	const certificates = makeCertificates(kiosk.directory, `DNS:localhost,IP:${HOST}`);
	logs = await startLogReceiver(kiosk.directory, certificates);
	metrics = await startMetricsReceiver(kiosk.directory, certificates);
	const fleet = `[fleet]
name = "kiosk-0001"
logs = "${logs.url}"
metrics = "${metrics.url}/api/v1/write"
scrape_seconds = 15
`.replaceAll('localhost', HOST);
	const { client, ca } = certificates;
	await kiosk.switchOn({
		setup: {
			'kiosk.toml': `${kiosk.settings}\n${fleet}`,
			authorized_keys: publicKey(kiosk.directory),
			'fleet.pem': readFileSync(client.cert, 'utf8'),
			'fleet.key': readFileSync(client.key, 'utf8'),
			'fleet-ca.pem': readFileSync(ca, 'utf8'),
		},
	});
}, 1_800_000);
afterAll(async () => {
	await kiosk?.stop();
	await Promise.all([logs?.stop(), metrics?.stop()]);
});

test('the log, with its fields and under the kiosk’s name', async () => {
	const started = () => logs.entries('KIOSK_EVENT=daemon.started', '_HOSTNAME=kiosk-0001');
	await eventually(async () => expect(await started()).toMatchObject([{ KIOSK_PART: 'daemon' }]), GUEST_MS);
}, 1_800_000);

test('the metrics', async () => {
	await eventually(async () => expect(await metrics.value('kiosk_logged_in{instance="kiosk-0001"}')).toBe(0), GUEST_MS);
	await kiosk.logIn();
	await eventually(async () => expect(await metrics.value('kiosk_logged_in{instance="kiosk-0001"}')).toBe(1), GUEST_MS);
}, 1_800_000);
