/** A fleet owner's servers as in docs/owner/fleet.md: receivers of logs and of metrics. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/daemon.ts';
import { until } from '../../support/until.ts';
import type { Certificates } from './certificates.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';
import { startTlsFront } from './tls-front.ts';

export interface LogReceiver {
	/** Address as https://localhost:port. */
	url: string;
	/** @returns the received entries that match the filters of journalctl */
	entries(...filters: string[]): Promise<Record<string, string>[]>;
	stop(): Promise<void>;
}

/**
 * Starts a real systemd-journal-remote. Debian builds this program without certificate checks. So
 * it listens on loopback, behind a server that checks certificates.
 */
export async function startLogReceiver(folder: string, { server, ca }: Certificates): Promise<LogReceiver> {
	const received = mkdtempSync(join(folder, 'received-'));
	const port = await freePort();
	const parameters = [`--listen-http=127.0.0.1:${port}`, `--output=${received}`, '--split-mode=host'];
	const remote = spawn('/lib/systemd/systemd-journal-remote', parameters, { stdio: 'ignore' });
	const ended = once(remote, 'exit');
	await until(async () => void (await fetch(`http://127.0.0.1:${port}/`)));
	const front = await startTlsFront(server, ca, port);
	return {
		url: front.url,
		async entries(...filters) {
			const { stdout } = await promisify(execFile)('journalctl', ['--directory', received, '--quiet', '--output', 'json', ...filters]);
			return stdout
				.split('\n')
				.filter(Boolean)
				.map((line) => JSON.parse(line));
		},
		async stop() {
			front.stop();
			remote.kill();
			await ended;
		},
	};
}

/** Starts a real Prometheus to which kiosks write and which requires a client certificate. */
export async function startMetricsReceiver(folder: string, { server, client, ca }: Certificates): Promise<Prometheus> {
	const webConfig = join(folder, 'web.yml');
	writeFileSync(
		webConfig,
		`tls_server_config: { cert_file: ${server.cert}, key_file: ${server.key}, client_auth_type: RequireAndVerifyClientCert, client_ca_file: ${ca} }\n`,
	);
	return startPrometheus([], { webConfig, certificates: { ca, ...client } });
}
