/** Logs and metrics leave by other people's engines, over TLS with a certificate for each kiosk, as docs/fleet.md sets it up. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../harness/daemon.ts';
import { type Kiosk, startKiosk } from '../harness/kiosk.ts';
import { until } from '../simulators/until.ts';
import { makeCertificates } from './certificates.ts';
import { canStartJournald, startJournald } from './journald.ts';
import { startAgent, startPrometheus } from './prometheus.ts';
import { startTlsFront } from './tls-front.ts';

let folder: string;
let certificates: ReturnType<typeof makeCertificates>;
let kiosk: Kiosk | null = null;
/** What ends what a test has started, last first. */
let ends: (() => unknown)[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'fleet-'));
	certificates = makeCertificates(folder);
});
afterEach(async () => {
	await kiosk?.stop();
	kiosk = null;
	for (const end of ends.reverse()) await end();
	ends = [];
	rmSync(folder, { recursive: true, force: true });
});

/** A call without a certificate. @returns what became of it */
const stranger = (url: string): Promise<string> =>
	new Promise((resolve) => {
		const call = request(url, { method: 'POST', rejectUnauthorized: false }, (answer) => resolve(String(answer.statusCode)));
		call.on('error', (error) => resolve(error.message));
		call.end();
	});

test.skipIf(!canStartJournald)(
	'systemd-journal-upload brings the log to the owner, with its fields; nobody without a certificate may send',
	async () => {
		const journald = await startJournald();
		ends.push(journald.stop);
		const running = await startKiosk({ startedBy: journald.startedBy });
		kiosk = running;
		const screen = await running.screen();
		const { noinvoice } = await running.openCash('081234567890');
		running.acceptor.device.insert({ nominal: 100_000 });
		await until(() => expect(screen.of('payment_cash_notification')).toHaveLength(1));

		const received = join(folder, 'received');
		mkdirSync(received);
		const port = await freePort();
		const { server, client, ca } = certificates;
		// Debian builds it without a check of certificates, so it listens on loopback, behind a server that has one.
		const remote = spawn(
			'/lib/systemd/systemd-journal-remote',
			[`--listen-http=127.0.0.1:${port}`, `--output=${received}`, '--split-mode=host'],
			{ stdio: 'ignore' },
		);
		const remoteEnded = once(remote, 'exit');
		ends.push(() => {
			remote.kill();
			return remoteEnded;
		});
		await until(async () => void (await fetch(`http://127.0.0.1:${port}/`)));
		const front = await startTlsFront(server, ca, port);
		ends.push(front.stop);
		expect(await stranger(`${front.url}/upload`)).toContain('certificate required');

		const tls = [`--key=${client.key}`, `--cert=${client.cert}`, `--trust=${ca}`];
		const upload = ['--directory', journald.directory, `--url=${front.url}`, `--save-state=${folder}/state`, '--follow=no', ...tls];
		await promisify(execFile)('/lib/systemd/systemd-journal-upload', upload);
		await until(async () => {
			const filters = [
				'--directory',
				received,
				'--quiet',
				`KIOSK_INVOICE=${noinvoice}`,
				'KIOSK_EVENT=cash.note_credited',
				'--output',
				'json',
			];
			const { stdout } = await promisify(execFile)('journalctl', filters);
			expect(JSON.parse(stdout)).toMatchObject({ KIOSK_NOMINAL: '100000', KIOSK_PART: 'cash' });
		});
	},
);

test('a Prometheus agent on the kiosk sends its metrics to the owner; nobody without a certificate may send or read', async () => {
	const running = await startKiosk({});
	kiosk = running;
	const { server, client, ca } = certificates;
	const web = join(folder, 'web.yml');
	writeFileSync(
		web,
		`tls_server_config: { cert_file: ${server.cert}, key_file: ${server.key}, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ${ca} }\n`,
	);
	const owner = await startPrometheus([], { webConfig: web, certificates: { ca, ...client } });
	ends.push(owner.stop);
	const to = `{ url: "${owner.url}/api/v1/write", tls_config: { ca_file: ${ca}, cert_file: ${client.cert}, key_file: ${client.key} } }`;
	const agent = startAgent(new URL(running.daemon.url).host, to, 500, await freePort());
	ends.push(agent.stop);
	await until(async () => expect(await owner.value('kiosk_logged_in{instance="kiosk-0001",job="kiosk"}')).toBe(1));
	expect(await stranger(`${owner.url}/api/v1/write`)).toMatch(/alert (bad certificate|certificate required)/);
	expect(await owner.value('up{instance="kiosk-0001"}')).toBe(1);
});
