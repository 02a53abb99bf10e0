import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/daemon.ts';
import { until } from '../../support/until.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROGRAMS = join(ROOT, 'node_modules', '.cache', 'prometheus');
export const PROMETHEUS = join(PROGRAMS, 'prometheus');
export const RULES = join(ROOT, 'config', 'prometheus', 'kiosk-rules.yml');

/** Runs promtool. @returns the output; if promtool fails, throws an error with the output */
export async function promtool(parameters: readonly string[], input = ''): Promise<string> {
	const run = promisify(execFile)(join(PROGRAMS, 'promtool'), parameters);
	run.child.stdin?.end(input);
	const { stdout, stderr } = await run;
	return stdout + stderr;
}

export interface Prometheus {
	url: string;
	pid: number;
	/** @returns the only value of a query */
	value(query: string): Promise<number>;
	/** @returns the names of the alerts that fire */
	firing(): Promise<string[]>;
	stop(): Promise<void>;
}

/**
 * Starts a Prometheus agent, which only scrapes and forwards. The interval of its scrapes may be
 * shorter than a kiosk's settings allow.
 * @param kiosk host:port
 * @param to the entry of `remote_write`, with its `tls_config` if any
 * @param everyMs time between two scrapes
 * @returns the agent's process id, and a function that stops the agent
 */
export function startAgent(kiosk: string, to: string, everyMs: number, port: number): { pid: number; stop(): Promise<void> } {
	const home = mkdtempSync(join(tmpdir(), 'agent-'));
	writeFileSync(
		join(home, 'agent.yml'),
		`global: { scrape_interval: ${everyMs}ms }
scrape_configs:
  - job_name: kiosk
    static_configs: [{ targets: ["${kiosk}"], labels: { instance: kiosk-0001 } }]
remote_write:
  - ${to}
`,
	);
	const parameters = ['--enable-feature=agent', `--config.file=${home}/agent.yml`, `--storage.agent.path=${home}/data`];
	const child = spawn(PROMETHEUS, [...parameters, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
	const ended = once(child, 'exit');
	return {
		pid: child.pid ?? 0,
		async stop() {
			child.kill('SIGKILL');
			await ended;
			rmSync(home, { recursive: true, force: true });
		},
	};
}

export interface Secure {
	/** File with the server's TLS settings. */
	webConfig: string;
	/** Certificate files for the requests that the test itself sends. */
	certificates: { ca: string; key: string; cert: string };
}

/**
 * Sends a GET request, with the client certificate if `secure` is given. @returns status and text
 */
function get(url: string, secure?: Secure): Promise<{ status: number; text: string }> {
	const files = secure?.certificates;
	const tls = files ? { ca: readFileSync(files.ca), key: readFileSync(files.key), cert: readFileSync(files.cert) } : {};
	return new Promise((resolve, reject) => {
		const call = (secure ? httpsGet : httpGet)(url, tls, async (answer) => {
			let text = '';
			for await (const chunk of answer.setEncoding('utf8')) text += chunk;
			resolve({ status: answer.statusCode ?? 0, text });
		});
		call.on('error', reject);
	});
}

/**
 * Starts a real Prometheus on loopback that scrapes every half second. The product's alert rules
 * fire after a second instead of minutes.
 * @param targets host:port of kiosks
 * @param secure lets kiosks write and requires client certificates
 */
export async function startPrometheus(targets: readonly string[], secure?: Secure): Promise<Prometheus> {
	const home = mkdtempSync(join(tmpdir(), 'prometheus-'));
	mkdirSync(join(home, 'data'));
	writeFileSync(join(home, 'rules.yml'), readFileSync(RULES, 'utf8').replace(/for: \w+/g, 'for: 1s'));
	writeFileSync(
		join(home, 'prometheus.yml'),
		`global: { scrape_interval: 500ms, evaluation_interval: 500ms }
rule_files: [rules.yml]
scrape_configs:
  - job_name: kiosk
    static_configs: [{ targets: [${targets.join(', ')}] }]
`,
	);
	const port = await freePort();
	const url = `${secure ? 'https://localhost' : 'http://127.0.0.1'}:${port}`;
	const more = secure ? [`--web.config.file=${secure.webConfig}`, '--web.enable-remote-write-receiver'] : [];
	const parameters = [`--web.listen-address=127.0.0.1:${port}`, `--config.file=${home}/prometheus.yml`, ...more];
	const child = spawn(PROMETHEUS, [...parameters, `--storage.tsdb.path=${home}/data`], { stdio: 'ignore' });
	const ended = once(child, 'exit');
	const ask = async (path: string): Promise<{ data: unknown }> => JSON.parse((await get(url + path, secure)).text) as { data: unknown };
	await until(async () => {
		if ((await get(`${url}/-/ready`, secure)).status !== 200) throw new Error('Prometheus is not ready');
	});
	return {
		url,
		pid: child.pid ?? 0,
		async value(query) {
			const { data } = await ask(`/api/v1/query?query=${encodeURIComponent(query)}`);
			const { result } = data as { result: { value: [number, string] }[] };
			if (result.length !== 1) throw new Error(`${query} has ${result.length} values`);
			return Number(result[0]?.value[1]);
		},
		async firing() {
			const { data } = await ask('/api/v1/alerts');
			const { alerts } = data as { alerts: { state: string; labels: { alertname: string } }[] };
			return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
		},
		async stop() {
			child.kill('SIGKILL');
			await ended;
			rmSync(home, { recursive: true, force: true });
		},
	};
}
