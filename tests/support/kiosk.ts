import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import WebSocket from 'ws';
import { type Acceptor, type AcceptorOptions, startAcceptor } from '../simulators/acceptor/start.ts';
import { type BackOffice, startBackOffice } from '../simulators/back-office/start.ts';
import { type Edc, type EdcOptions, startEdc } from '../simulators/edc/start.ts';
import { type Daemon, freePort, startDaemon } from './daemon.ts';
import { daemonClock } from './daemon-clock.ts';
import { keepJournal } from './keep-journal.ts';
import { until } from './until.ts';

const OPEN_MACHINE = '/payment/api/v1/open-machine/';
const KIOSKCTL = join(import.meta.dirname, '..', '..', 'daemon', 'kioskctl');

/** The simulated acceptor's times, ms; short, so that tests do not wait for a motor. */
const QUICK = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 40, returnMs: 20 };
/** After a note in doubt, the daemon takes no note for 20 s; this is a little longer. */
const AFTER_DOUBT_MS = 20_500;
const QUICK_EDC = { ackMs: 20, customerMs: 40 };

export const NOTES = `
[acceptor.notes]
"0x40" = 1000
"0x41" = 2000
"0x42" = 5000
"0x43" = 10000
"0x44" = 20000
"0x45" = 50000
"0x46" = 100000
`;

export interface LiveMessage {
	type: string;
	[field: string]: unknown;
}

/** An invoice in the daemon's answer to a look-up by the screen. */
export interface FoundInvoice {
	id: unknown;
	[field: string]: unknown;
}

/** A screen's live socket without a browser. */
export interface Screen {
	messages: readonly LiveMessage[];
	of(type: string): LiveMessage[];
	/** Sends one message, e.g. `{message: 'ping'}`. */
	send(whole: object): void;
	closed(): boolean;
	close(): void;
}

export interface Kiosk {
	daemon: Daemon;
	backOffice: BackOffice;
	acceptor: Acceptor;
	/** The card terminal; only with the option `edc`. */
	edc: Edc;
	directory: string;
	/** @returns the key of the screen's session */
	token(): string;
	/** @returns the header that identifies the screen's session to the daemon */
	session(): { Authorization: string };
	/** Enters the PIN. For the next two minutes the daemon permits staff calls. */
	staff(): Promise<void>;
	/**
	 * POSTs a `formData` field as the screens do. If the call opened the acceptor, also reports to
	 * the daemon that the cash page is shown.
	 */
	call(path: string, value: object): Promise<{ status: number; body: Record<string, unknown> }>;
	/** POSTs JSON to a call of the daemon itself. */
	post(path: string, value: object): Promise<{ status: number; body: Record<string, unknown> }>;
	/** Reports that the cash page of this invoice is shown, as the screen does. */
	draw(invoice: { id: unknown }): Promise<void>;
	login(): Promise<void>;
	screen(): Promise<Screen>;
	lookUp(hp: string): Promise<FoundInvoice>;
	/** @returns the first page of the list of transactions */
	list(q?: string): Promise<Record<string, unknown>[]>;
	/**
	 * Looks an invoice up, opens the acceptor and waits until the acceptor takes notes.
	 * @returns the invoice
	 */
	openCash(hp: string): Promise<FoundInvoice>;
	health(): Promise<Health>;
	/** Runs `kioskctl`. @returns its output and exit code */
	ctl(...parameters: string[]): Promise<{ code: number; out: string }>;
	/**
	 * Kills the daemon (SIGKILL), calls `between`, and starts a new process on the same files.
	 * `change` changes the settings permanently.
	 */
	crash(between?: () => Promise<void> | void, change?: (settings: string) => string): Promise<void>;
	/**
	 * Like `crash`, but the kill comes while the acceptor stacks a note. The new process starts when
	 * the note is in the cashbox.
	 */
	crashWhileStacking(between?: () => Promise<void> | void): Promise<void>;
	/**
	 * Skips the time for which the daemon takes no note after a note in doubt (only with the option
	 * `movableClock`).
	 */
	afterDoubt(): Promise<void>;
	/**
	 * Lets this many ms pass on the daemon's monotonic clock, but not on its timers (only with the
	 * option `movableClock`).
	 */
	pass(ms: number): Promise<void>;
	/**
	 * Sets the daemon's wall clock this many ms ahead of the right time (only with the option
	 * `movableClock`).
	 */
	shiftWall(ms: number): void;
	stop(): Promise<void>;
}

export interface Health {
	state: string;
	parts: { part: string; state: string; text: string; remedy: string }[];
	in_doubt: { note_id: string; nominal: number; noinvoice: string; why: string }[];
	outbox: { count: number; total: number; last_failure: string | null };
	card: {
		unknown: { attempt_id: string; amount: number; noinvoice: string; why: string }[];
		twice: { attempt_id: string }[];
		approvals_waiting: number;
	};
}

export interface KioskOptions {
	/** Further settings as TOML. */
	settings?: string;
	acceptor?: AcceptorOptions;
	/** Returns another `[acceptor]` section. `device` is the settings line that names the port. */
	acceptorSection?: (device: string) => string;
	/** Adds a card terminal. `lines` are further lines of the `[edc]` section. */
	edc?: Omit<EdcOptions, 'port'> & { lines?: string };
	login?: boolean;
	/** Further lines of `[journal]`, `[back_office]` and `[screen]`. */
	journal?: string;
	backOffice?: string;
	screen?: string;
	/** Address of a back office that replaces the simulator. */
	url?: string;
	/** Address of that back office's live socket. */
	socketUrl?: string;
	/** Makes the daemon's clocks movable; see preloaded-clock.ts. */
	movableClock?: true;
	/**
	 * Returns additional environment variables for the daemon and `kioskctl`. It is called once,
	 * before the first start, and may put files into the folder.
	 */
	environment?: (directory: string) => Record<string, string>;
	/** See `DaemonOptions`. */
	startedBy?: readonly string[];
	/** Further parameters of the daemon. */
	parameters?: readonly string[];
}

/** @returns the `[printer]` section for a printer simulator */
export const printerSection = (uri: string): string => `[printer]\nuri = "${uri}"\n`;

/** Settings for a print server that cannot be reached. A print fails within a second. */
export const DEAD_PRINTER = `${printerSection('ipp://127.0.0.1:9/printers/none')}limit_ms = 1000\n`;

/**
 * Starts a real daemon with simulated devices, free ports and a new folder. If a part fails to
 * start, all other parts are stopped.
 */
export async function startKiosk(options: KioskOptions = {}): Promise<Kiosk> {
	const directory = mkdtempSync(join(tmpdir(), 'kiosk-'));
	/** Parts to stop, newest first. */
	const ends: (() => unknown)[] = [];
	const stop = async (): Promise<void> => {
		try {
			for (const end of ends.splice(0)) await end();
			keepJournal(directory);
		} finally {
			rmSync(directory, { recursive: true, force: true });
		}
	};
	try {
		return await bringUp(options, directory, ends, stop);
	} catch (error) {
		await stop();
		throw error;
	}
}

async function bringUp(options: KioskOptions, directory: string, ends: (() => unknown)[], stop: () => Promise<void>): Promise<Kiosk> {
	const backOffice = await startBackOffice({ port: 0 });
	ends.unshift(() => backOffice.stop());
	const acceptor = await startAcceptor({ port: 0, timing: QUICK, ...options.acceptor });
	ends.unshift(() => acceptor.stop());
	const edc = options.edc && (await startEdc({ ...options.edc, port: 0, timing: { ...QUICK_EDC, ...options.edc.timing } }));
	ends.unshift(() => edc?.stop());
	const edcSection = edc ? `[edc]\nport = "tcp:127.0.0.1:${edc.port}"\n${options.edc?.lines ?? ''}` : '';
	const port = await freePort();
	const device = `port = "tcp:127.0.0.1:${acceptor.port}"`;
	const section = options.acceptorSection?.(device) ?? `[acceptor]\n${device}\n${NOTES}`;
	let settings = `[back_office]
url = "${options.url ?? backOffice.url}"
socket_url = "${options.socketUrl ?? `${backOffice.url.replace('http', 'ws')}/ws/{token}/`}"
${options.backOffice ?? ''}
${section}
${edcSection}
${options.settings ?? ''}`;
	const clock = options.movableClock ? daemonClock(directory) : null;
	const environment = { ...clock?.environment, ...options.environment?.(directory) };
	const movable = () => {
		if (!clock) throw new Error('this kiosk runs on the real clock: start it with the option movableClock');
		return clock;
	};
	const start = () =>
		startDaemon({
			settings,
			directory,
			port,
			environment,
			...(options.parameters ? { parameters: options.parameters } : {}),
			...(options.startedBy ? { startedBy: options.startedBy } : {}),
			...(options.journal ? { journal: options.journal } : {}),
			...(options.screen ? { screen: options.screen } : {}),
		});
	let daemon = await start();
	ends.unshift(() => daemon.kill());
	/** Starts a session as systemd does for a browser. */
	const startSession = async (): Promise<string> => {
		const started = await fetch(daemon.startAddress(), { redirect: 'manual' });
		return /^kiosk_screen=([^;]+)/.exec(started.headers.getSetCookie().join('\n'))?.[1] ?? '';
	};
	let token = await startSession();
	const screens: WebSocket[] = [];
	ends.unshift(() => {
		for (const socket of screens) socket.terminate();
	});

	const read = async (response: Response) => {
		const text = await response.text();
		return { status: response.status, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
	};
	const kiosk: Kiosk = {
		get daemon() {
			return daemon;
		},
		backOffice,
		acceptor,
		get edc() {
			if (!edc) throw new Error('this kiosk has no card terminal: start it with the option edc');
			return edc;
		},
		directory,
		token: () => token,
		session: () => ({ Authorization: `Token ${token}` }),
		async call(path, value) {
			const body = new FormData();
			body.set('formData', JSON.stringify(value));
			const csrf = 'a'.repeat(32);
			const headers = { Authorization: `Token ${token}`, Accept: 'application/json', Cookie: `csrftoken=${csrf}`, 'X-CSRFToken': csrf };
			const answer = await read(await fetch(daemon.url + path, { method: 'POST', headers, body }));
			if (path === OPEN_MACHINE && answer.status === 200) await kiosk.draw(value as { id: unknown });
			return answer;
		},
		post: async (path, value) =>
			read(
				await fetch(daemon.url + path, {
					method: 'POST',
					headers: { 'Content-Type': 'application/json', Authorization: `Token ${token}` },
					body: JSON.stringify(value),
				}),
			),
		async staff() {
			const { status } = await kiosk.call('/payment/api/v1/login-pin-screen/', { pin: backOffice.account.pin });
			if (status !== 200) throw new Error(`the PIN is answered ${status}`);
		},
		draw: async ({ id }) => void (await kiosk.post('/kiosk/rendered', { screen: '/cash-payment', visit: '', id })),
		async login() {
			const { username, password } = backOffice.account;
			const { body } = await kiosk.call('/auth/login-outlet/', { username, password });
			token = String(body.token);
			await until(async () => {
				if (!partText(await kiosk.health(), 'back office').startsWith('live socket open')) throw new Error('no live socket');
			});
		},
		async screen() {
			const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/ws/${token}`, 'echo-protocol', { origin: daemon.url });
			screens.push(socket);
			const messages: LiveMessage[] = [];
			socket.on('message', (data) => messages.push((JSON.parse(String(data)) as { text: LiveMessage }).text));
			socket.on('error', () => undefined);
			// The daemon sends its first messages before it answers a ping, so the answer shows that they
			// came.
			let greeted = false;
			socket.on('open', () => socket.ping());
			socket.on('pong', () => {
				greeted = true;
			});
			await until(() => {
				if (!greeted) throw new Error('the screen was not greeted');
			});
			return {
				messages,
				of: (type) => messages.filter((message) => message.type === type),
				send: (whole) => socket.send(JSON.stringify(whole)),
				closed: () => socket.readyState === WebSocket.CLOSED,
				close: () => socket.terminate(),
			};
		},
		async lookUp(hp) {
			const { body } = await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: hp });
			return body.results as FoundInvoice;
		},
		async list(q = '') {
			await kiosk.staff();
			const headers = { Authorization: `Token ${token}`, Accept: 'application/json' };
			const query = new URLSearchParams({ offset: '0', limit: '10', ...(q !== '' && { q }) });
			const { body } = await read(await fetch(`${daemon.url}/payment/api/v1/payment-group/?${query}`, { headers }));
			return body.results as Record<string, unknown>[];
		},
		async openCash(hp) {
			const invoice = await kiosk.lookUp(hp);
			await kiosk.call(OPEN_MACHINE, { ...invoice, hp });
			await until(async () => {
				const text = partText(await kiosk.health(), 'cash');
				if (text !== 'takes notes') throw new Error(`cash: ${text}`);
			});
			return invoice;
		},
		async health() {
			const response = await fetch(`${daemon.service}/health`, { headers: { Accept: 'application/json' } });
			return (await response.json()) as Health;
		},
		async ctl(...parameters) {
			try {
				const { stdout } = await promisify(execFile)(KIOSKCTL, [...parameters, '--config', join(directory, 'kiosk.toml')], {
					env: { ...process.env, ...environment },
				});
				return { code: 0, out: stdout };
			} catch (error) {
				const { code, stderr, stdout } = error as { code: number; stderr: string; stdout: string };
				return { code, out: stderr + stdout };
			}
		},
		async crash(between, change) {
			await daemon.kill();
			await between?.();
			settings = change?.(settings) ?? settings;
			daemon = await start();
		},
		async crashWhileStacking(between) {
			// The acceptor is observed instead of the log, because the daemon logs ACCEPT before it sends
			// it.
			await until(() => {
				if (acceptor.device.note?.place !== 'stacking') throw new Error('the acceptor moves no note into the cashbox');
			});
			await kiosk.crash(async () => {
				await until(() => {
					if (acceptor.device.note !== null) throw new Error('the note still moves');
				});
				await between?.();
			});
		},
		afterDoubt: () => kiosk.pass(AFTER_DOUBT_MS),
		async pass(ms) {
			await movable().pass(ms);
		},
		shiftWall: (ms) => movable().shiftWall(ms),
		stop,
	};
	if (options.login !== false) await kiosk.login();
	return kiosk;
}

/** @returns the health text of one part */
export const partText = (health: Health, part: string): string => health.parts.find((one) => one.part === part)?.text ?? '';
