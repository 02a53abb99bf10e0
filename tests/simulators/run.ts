/**
 * Runs a whole kiosk on one computer: simulated devices, the control panel and the real daemon.
 * `make run` starts it after installing and building. With `--dev`, Vite serves the screens and
 * reloads changed modules.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { SAMPLES } from './back-office/seed.ts';
import { DEFAULT_ACCOUNT } from './back-office/start.ts';
import { listen } from './listen.ts';
import { startPanel } from './panel/start.ts';
import { OFFSET_VARIABLE, type Ports, portOffset, portsAt, type Role, refusedByBrowsers } from './ports.ts';
import { endLeftover, keepRunning, livingProcess } from './run/child.ts';
import { shownLine } from './run/log-line.ts';
import { settingsFile } from './run/settings-file.ts';
import { explainBusyPort, startAll } from './start-all.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
/** The command line of every run contains this text. */
const RUN_MARK = join('simulators', 'run.ts');
const RESTART_MS = 1_000;
/**
 * How long to wait until the daemon (or Vite) answers; the first start on a slow computer takes a
 * few seconds.
 */
const START_LIMIT_MS = 30_000;
/**
 * How long to wait for a busy port, ms, because a process that has just ended may still hold it.
 */
const RELEASE_LIMIT_MS = 1_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const clockTime = (): string => new Date().toTimeString().slice(0, 8);

async function run(withVite: boolean): Promise<void> {
	const offset = portOffset();
	const ports = portsAt(offset);
	const directory = join(ROOT, '.run', String(offset));
	mkdirSync(directory, { recursive: true });
	claimFolder(directory);
	const refused = refusedByBrowsers(ports);
	if (refused !== null) say(refused);
	for (const [name, mark] of [
		['kioskd', join(directory, 'kiosk.toml')],
		['vite', VITE],
	] as const) {
		const pid = endLeftover(join(directory, `${name}.pid`), mark);
		if (pid !== null) say(`Ended process ${pid} (${name}), left by a killed run.`);
	}
	await refuseBusyPort('screen', ports.screen);
	await refuseBusyPort('service', ports.service);
	if (withVite) await refuseBusyPort('vite', ports.vite);

	const simulatorLog = join(directory, 'simulators.log');
	const devices = await startAll({
		ports,
		directory,
		log: (who, sentence) => appendFileSync(simulatorLog, `${new Date().toISOString()} ${who}: ${sentence}\n`),
	});
	const origin = `http://127.0.0.1:${withVite ? ports.vite : ports.screen}`;
	const daemon = startDaemon(ports, directory);
	const panel = await startPanel(ports.panel, {
		...devices,
		daemon,
		screenUrl: '/screen',
		startScreen: () => startAddress(origin, directory),
	}).catch(async (error: unknown) => {
		await Promise.all([daemon.stop(), devices.stop()]);
		throw explainBusyPort(error, 'panel', ports.panel);
	});
	const vite = withVite ? startVite(directory) : null;
	stopOnSignal(async () => {
		await Promise.all([daemon.stop(), vite?.stop()]);
		await Promise.all([panel.stop(), devices.stop()]);
	});

	const answers = await waitForAnswer(`http://127.0.0.1:${ports.service}/health`);
	if (withVite) await waitForAnswer(origin);
	if (!answers) say(`\nThe daemon has not answered for ${START_LIMIT_MS / 1_000} s. Its log: ${join(directory, 'kioskd.log')}`);
	say(welcome(panel.url, directory));
}

/**
 * Claims the folder for this run. Throws if another run still uses it. After this, a daemon that
 * still works in the folder must come from a killed run and may be ended.
 */
function claimFolder(directory: string): void {
	const file = join(directory, 'run.pid');
	const other = livingProcess(file, RUN_MARK);
	if (other !== null && other !== process.pid)
		throw new Error(
			`A kiosk already runs on these ports (process ${other}). Stop it with Ctrl-C in its window, or move this one: ${OFFSET_VARIABLE}=100 make run`,
		);
	writeFileSync(file, String(process.pid));
}

/**
 * File with the secret that daemon and browser share. On an appliance, systemd gives this secret to
 * the units of both.
 */
const secretFile = (directory: string): string => join(directory, 'start-secret');

/**
 * Makes a new start secret. The browser that opens the returned address becomes the kiosk's screen
 * instead of the previous browser.
 * @returns the address that starts the session
 */
function startAddress(origin: string, directory: string): string {
	const secret = randomBytes(32).toString('hex');
	writeFileSync(secretFile(directory), secret, { mode: 0o600 });
	return `${origin}/kiosk/start?secret=${secret}`;
}

function startDaemon(ports: Ports, directory: string) {
	const file = join(directory, 'kiosk.toml');
	writeFileSync(file, settingsFile(ports, join(directory, 'journal'), process.env.KIOSK_EDC_QRIS === '1'));
	return keepRunning({
		command: join(ROOT, 'daemon', 'kioskd'),
		parameters: ['--config', file],
		directory: ROOT,
		environment: { ...process.env, KIOSK_START_SECRET: secretFile(directory) },
		logFile: join(directory, 'kioskd.log'),
		pidFile: join(directory, 'kioskd.pid'),
		onLine: (line) => {
			const shown = shownLine(line);
			if (shown !== null) say(`${clockTime()} daemon: ${shown}`);
		},
		onExit: (how) => say(`${clockTime()} daemon ended (${how}), starting it again in ${RESTART_MS / 1_000} s`),
		restartMs: RESTART_MS,
	});
}

function startVite(directory: string) {
	return keepRunning({
		command: process.execPath,
		parameters: [VITE, 'ui'],
		directory: ROOT,
		environment: process.env,
		logFile: join(directory, 'vite.log'),
		pidFile: join(directory, 'vite.pid'),
		onLine: (line) => {
			if (/error/i.test(line)) say(`${clockTime()} vite: ${line}`);
		},
		onExit: (how) => say(`${clockTime()} vite ended (${how})`),
		restartMs: null,
	});
}

/**
 * If the port is in use, throws an error that names it. Without this check, the daemon would fail
 * and be restarted again and again.
 */
async function refuseBusyPort(role: Role, port: number): Promise<void> {
	try {
		await until(async () => (await listen(createServer(), port)).close(), RELEASE_LIMIT_MS);
	} catch (error) {
		throw explainBusyPort(error, role, port);
	}
}

async function waitForAnswer(url: string): Promise<boolean> {
	return until(() => fetch(url, { signal: AbortSignal.timeout(2_000) }), START_LIMIT_MS).then(
		() => true,
		() => false,
	);
}

function stopOnSignal(stop: () => Promise<void>): void {
	let stopping = false;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			if (stopping) return;
			stopping = true;
			say('\nStopping …');
			stop().then(() => process.exit(0), fail);
		});
	}
}

function welcome(panelUrl: string, directory: string): string {
	const { username, password, pin } = DEFAULT_ACCOUNT;
	const samples = SAMPLES.slice(0, 8).map(({ hp, name, shows }) => `    ${hp}  ${name.slice(0, 26).padEnd(26)}  ${shows}`);
	return [
		'',
		`  Kiosk screen    ${panelUrl}/screen`,
		`  Control panel   ${panelUrl}`,
		'',
		`  Log in with user "${username}", password "${password}". Transaction list: enter 000000, then PIN ${pin}.`,
		'  Phone numbers to try (the panel lists all of them):',
		...samples,
		'',
		`  Logs, journal and the devices' memory: ${directory}`,
		'  Ctrl-C stops everything.',
		'',
	].join('\n');
}

function fail(error: unknown): never {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
}

if (!existsSync(join(ROOT, 'daemon', 'src', 'main.ts'))) fail('daemon/src/main.ts is missing: run this from a complete checkout.');
run(process.argv.includes('--dev')).catch(fail);
