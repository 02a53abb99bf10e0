import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { cleanLine, cleanText, cleanValue } from '../base/redaction.ts';
import { healthText } from '../health/page.ts';
import type { HealthReport } from '../health/report.ts';
import type { Settings } from '../settings/settings.ts';
import type { Asked } from '../staff/ask-daemon.ts';
import { journalExcerpt } from '../staff/journal-excerpt.ts';
import { devicesNow, devicesText } from './devices-command.ts';
import { RUN_LOG } from './logs-command.ts';
import { networkCheck, networkText } from './network-command.ts';
import { type TarFile, tarOf } from './tar.ts';

/** Number of log lines in the bundle: about one or two days. */
const LOG_LINES = 5_000;
const TRACE_FILES = 10;

const README = `A support bundle of one kiosk.

health.txt, health.json   every part: state, since when, reason, remedy
settings.toml             the settings without passwords and tokens
log.txt                   the last ${LOG_LINES} log lines of the daemon and the screen
journal.json              the newest records of the money journal, without names and cards
devices.txt, network.txt  connected devices; check of the connection to the back office
traces/                   bytes on the device lines; card data is masked
system.txt                kernel, disks, systemd units

Removed: tokens, passwords, card numbers, telephone numbers, names of customers and of staff.
It contains invoice numbers, amounts and times: give it only to the support team.
`;

export interface BundleDeps {
	/** The settings file. */
	config: string;
	/** null if the settings are refused. */
	settings: Settings | null;
	/** Problems of the settings, one sentence each. */
	problems: readonly string[];
	ask: (path: string, accept: string) => Promise<Asked>;
	now: () => Date;
}

/** @returns the archive, gzip-compressed */
export async function supportBundle({ config, settings, problems, ask, now }: BundleDeps): Promise<Buffer> {
	const [health, lines, traces, excerpt] = await Promise.all([
		ask('/health', 'application/json'),
		ask('/devices', 'application/json'),
		ask('/traces', 'application/json'),
		ask('/journal/excerpt', 'application/json'),
	]);
	const files: TarFile[] = [{ name: 'README.txt', text: README }];
	const add = (name: string, text: string): number => files.push({ name, text });

	if (health.ok && health.status === 200) {
		const report = JSON.parse(health.text) as HealthReport;
		add('health.txt', cleanText(healthText(report)));
		add('health.json', json(cleanValue(report)));
	} else add('health.txt', `The daemon does not answer: ${health.ok ? health.status : health.message}\n`);
	add('settings.toml', existsSync(config) ? cleanText(readFileSync(config, 'utf8')) : `${config} does not exist\n`);
	if (problems.length > 0) add('settings-problems.txt', cleanText(`${problems.join('\n')}\n`));
	add('log.txt', logExcerpt(config));
	const records = excerpt.ok && excerpt.status === 200 ? JSON.parse(excerpt.text) : settings && journalExcerpt(settings.journal.directory);
	add('journal.json', json(records));
	if (settings) {
		add('devices.txt', `${cleanText(devicesText(devicesNow(lines), settings))}\n`);
		add('network.txt', `${cleanText(networkText(await networkCheck(settings, now, (path) => ask(path, 'application/json'))))}\n`);
	}
	if (traces.ok && traces.status === 200) for (const file of traceFiles(traces.text)) files.push(file);
	add('system.txt', systemText());
	return gzipSync(
		tarOf(
			files.map(({ name, text }) => ({ name: `kiosk-support/${name}`, text })),
			now().getTime() / 1_000,
		),
	);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, '\t')}\n`;

function logExcerpt(config: string): string {
	const file = join(dirname(config), RUN_LOG);
	if (existsSync(file)) return cleanLines(readFileSync(file, 'utf8'));
	const words = [
		'--no-pager',
		'-o',
		'short-iso',
		'-n',
		String(LOG_LINES),
		'SYSLOG_IDENTIFIER=kioskd',
		'+',
		'_SYSTEMD_UNIT=kiosk-screen.service',
	];
	const { status, stdout } = spawnSync('journalctl', words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
	return status === 0 ? cleanLines(stdout) : 'This account may not read the log.\n';
}

const cleanLines = (text: string): string => `${text.trimEnd().split('\n').slice(-LOG_LINES).map(cleanLine).join('\n')}\n`;

interface Traces {
	lines: { line: string; entries: { at: string; from: string; what: string }[] }[];
	directory: string;
	files: string[];
}

/** @returns the traces in memory and the saved trace files, both without card digits */
function traceFiles(answer: string): TarFile[] {
	const { lines, directory, files } = JSON.parse(answer) as Traces;
	const now = lines.map(({ line, entries }) => ({
		name: `traces/${line}-now.txt`,
		text: entries.map(({ at, from, what }) => `${at} ${from.padEnd(6)} ${what}\n`).join(''),
	}));
	const kept = files.slice(-TRACE_FILES).flatMap((file) => {
		try {
			return [{ name: `traces/${basename(file)}`.slice(0, 80), text: readFileSync(join(directory, basename(file)), 'utf8') }];
		} catch {
			// The usual reason: this Unix user is not in the daemon's group, which may read the files.
			return [];
		}
	});
	return [...now, ...kept];
}

/** System commands whose output support usually needs. */
const ASKED: readonly (readonly string[])[] = [
	['uname', '-a'],
	['uptime'],
	['df', '-h'],
	['timedatectl'],
	['systemctl', '--no-pager', 'status', 'kioskd', 'kiosk-screen', 'cups'],
	['systemctl', '--no-pager', '--failed'],
	['lpstat', '-t'],
	['ip', '-brief', 'address'],
];

function systemText(): string {
	const answers = ASKED.map(([program = '', ...words]) => {
		const { stdout, error } = spawnSync(program, words, { encoding: 'utf8', timeout: 5_000 });
		return `$ ${[program, ...words].join(' ')}\n${error ? 'not here' : stdout.trimEnd()}\n`;
	});
	return cleanText(answers.join('\n'));
}
