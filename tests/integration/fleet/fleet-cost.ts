/**
 * Measures what the metrics and the log of one kiosk cost a fleet owner: bytes, requests and
 * processor time. `make fleet-cost` prints the figures; docs/owner/fleet.md states the figures from
 * one computer. Needs root to run a separate journald.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { freePort } from '../../support/daemon.ts';
import { type Kiosk, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { makeCertificates } from './certificates.ts';
import { type Journald, startJournald } from './journald.ts';
import { startAgent } from './prometheus.ts';
import { startTlsFront } from './tls-front.ts';

const KIOSKS = 500;
const SCRAPES = 300;
const AGENT_MS = 20_000;
/**
 * Time between two scrapes. It is shorter than in a fleet, but the bytes per scrape are the same.
 */
const AGENT_EVERY_MS = 500;
const VISITS = 5;
const IDLE_MS = 30_000;
/** Number of ticks per second; /proc counts processor time in ticks (getconf CLK_TCK). */
const TICKS_A_SECOND = 100;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** @returns processor time of a process so far, user and system, in seconds */
function cpuOf(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
	return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** @returns memory in use, MB */
const memoryOf = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function scrapes(kiosk: Kiosk): Promise<void> {
	const url = `${kiosk.daemon.service}/metrics`;
	const text = await (await fetch(url)).text();
	const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
	const idle = await cpuWhile(kiosk.daemon.pid, () => delay(5_000));
	const begun = performance.now();
	const busy = await cpuWhile(kiosk.daemon.pid, async () => {
		for (let time = 0; time < SCRAPES; time += 1) await (await fetch(url)).text();
	});
	const took = performance.now() - begun;
	const each = (busy - (idle / 5_000) * took) / SCRAPES;
	say(`scrape: ${samples} series, ${text.length} bytes (${gzipSync(text).length} if a proxy compresses), 1 request`);
	say(`scrape: ${(each * 1_000).toFixed(1)} ms of processor, answered in ${(took / SCRAPES).toFixed(1)} ms`);
	say(
		`scrape every 30 s: ${((each / 30) * 100).toFixed(3)} % of one core; ${KIOSKS} kiosks: ${(samples * KIOSKS).toLocaleString('en')} series`,
	);
}

async function cpuWhile(pid: number, act: () => Promise<unknown>): Promise<number> {
	const before = cpuOf(pid);
	await act();
	return cpuOf(pid) - before;
}

async function agent(kiosk: Kiosk): Promise<void> {
	let [requests, bytes] = [0, 0];
	const owner = createServer(async (request, response) => {
		requests += 1;
		for await (const chunk of request) bytes += (chunk as Buffer).length;
		response.writeHead(204).end();
	}).listen(0, '127.0.0.1');
	await once(owner, 'listening');
	const to = `{ url: "http://127.0.0.1:${(owner.address() as AddressInfo).port}/api/v1/write" }`;
	const running = startAgent(new URL(kiosk.daemon.service).host, to, AGENT_EVERY_MS, await freePort());
	await until(() => {
		if (requests === 0) throw new Error('the agent sent nothing');
	});
	[requests, bytes] = [0, 0];
	const cpu = await cpuWhile(running.pid, () => delay(AGENT_MS));
	const count = AGENT_MS / AGENT_EVERY_MS;
	const day = (bytes / count) * 2_880;
	say(
		`agent: ${Math.round(bytes / count)} bytes sent a scrape; every 30 s ${(day / 1e6).toFixed(1)} MB a day, ${KIOSKS} kiosks ${((day * KIOSKS) / 1e9).toFixed(2)} GB`,
	);
	say(`agent: ${((cpu / count) * 1_000).toFixed(1)} ms of processor a scrape, ${memoryOf(running.pid).toFixed(0)} MB of memory`);
	await running.stop();
	owner.close();
}

async function visit(kiosk: Kiosk, screen: Screen, number: number): Promise<void> {
	const hp = `08120099${String(number).padStart(4, '0')}`;
	kiosk.backOffice.books.addInvoice(hp, 100_000, new Date());
	const before = screen.of('payment_notification').length;
	const { id } = await kiosk.openCash(hp);
	for (const nominal of [50_000, 50_000]) {
		const notes = screen.of('payment_cash_notification').length;
		await until(() => {
			if (!kiosk.acceptor.device.insert({ nominal }).taken) throw new Error('the note was not taken');
		});
		await until(() => {
			if (screen.of('payment_cash_notification').length === notes) throw new Error('the note was not credited');
		});
	}
	await until(() => {
		if (screen.of('payment_notification').length === before) throw new Error('not paid');
	});
	await kiosk.post('/kiosk/cash/close', { id });
}

/** Uploads the new log entries with systemd-journal-upload. @returns the bytes sent */
async function upload(journald: Journald, folder: string): Promise<number> {
	const { ca, server, client } = makeCertificates(folder);
	const received = join(folder, 'received');
	mkdirSync(received, { recursive: true });
	const port = await freePort();
	const remote = spawn(
		'/lib/systemd/systemd-journal-remote',
		[`--listen-http=127.0.0.1:${port}`, `--output=${received}`, '--split-mode=host'],
		{
			stdio: 'ignore',
		},
	);
	const ended = once(remote, 'exit');
	await until(async () => void (await fetch(`http://127.0.0.1:${port}/`)));
	const front = await startTlsFront(server, ca, port);
	const parameters = ['--directory', journald.directory, `--url=${front.url}`, `--save-state=${folder}/state`, '--follow=no'];
	await promisify(execFile)('/lib/systemd/systemd-journal-upload', [
		...parameters,
		`--key=${client.key}`,
		`--cert=${client.cert}`,
		`--trust=${ca}`,
	]);
	front.stop();
	remote.kill();
	await ended;
	return front.received();
}

async function logs(kiosk: Kiosk, journald: Journald): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'fleet-cost-'));
	const screen = await kiosk.screen();
	const count = async () => (await journald.entries()).length;
	await upload(journald, folder);
	let entries = await count();
	for (let number = 1; number <= VISITS; number += 1) await visit(kiosk, screen, number);
	await until(async () => {
		if ((await kiosk.health()).outbox.count > 0) throw new Error('notes wait');
	});
	const ofVisits = await upload(journald, folder);
	say(
		`log: ${((await count()) - entries) / VISITS} entries and ${Math.round(ofVisits / VISITS)} bytes uploaded for a visit with two notes`,
	);
	entries = await count();
	await delay(IDLE_MS);
	say(`log: ${(await count()) - entries} entries in ${IDLE_MS / 1_000} s without a customer`);
	rmSync(folder, { recursive: true, force: true });
}

const journald = await startJournald();
const kiosk = await startKiosk({ startedBy: journald.startedBy, edc: {} });
try {
	await logs(kiosk, journald);
	await scrapes(kiosk);
	await agent(kiosk);
} finally {
	await kiosk.stop();
	await journald.stop();
}
