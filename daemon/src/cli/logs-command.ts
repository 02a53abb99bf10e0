import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { beginningOf } from '@kiosk/contract/reference';
import dayjs from 'dayjs';

/** Log file that `make run` writes, in the folder of the settings. */
export const RUN_LOG = 'kioskd.log';
/** Number of lines shown without --since. */
const LINES = 200;
const LOOK_MS = 300;
/** Minimum length of the beginning of an id. A shorter beginning would match too many ids. */
const LEAST_LETTERS = 4;
const CHUNK_BYTES = 64 * 1024;

/** Fields that identify a payment; journald stores them as KIOSK_<NAME>. */
const OF_PAYMENT = ['invoice', 'payment_id', 'note_id', 'attempt_id'];

export interface LogWish {
	config: string;
	part: string;
	payment: string;
	since: string;
	follow: boolean;
	say: (line: string) => void;
	refuse: (sentence: string) => never;
}

/** Prints the kiosk's log from journald, or from the log file of `make run`. */
export async function logs(wish: LogWish): Promise<void> {
	const from = wish.since === '' ? null : parseSince(wish.since, new Date());
	if (from === undefined) wish.refuse(`--since ${wish.since}: write 30m, 2h, 3d, today, or a time such as 2026-11-21T14:00`);
	const file = join(dirname(wish.config), RUN_LOG);
	if (existsSync(file)) return readFile(file, from ?? null, wish);
	if (spawnSync('journalctl', ['--version'], { stdio: 'ignore' }).status !== 0)
		wish.refuse(`No log found: this PC has no journalctl, and there is no ${file} of "make run". Check --config.`);
	const journalctl = spawn('journalctl', journalctlWords(wish, from ?? null), { stdio: 'inherit' });
	const code = await new Promise<number | null>((resolve) => journalctl.on('exit', resolve));
	if (code !== 0) wish.refuse('journalctl failed. To read the kiosk’s log, your account must be in the group systemd-journal.');
}

/** @returns journalctl's arguments. `payment` may be the value of any field in `OF_PAYMENT` */
export function journalctlWords({ part, payment, follow }: Pick<LogWish, 'part' | 'payment' | 'follow'>, from: Date | null): string[] {
	const own = ['SYSLOG_IDENTIFIER=kioskd', ...(part ? [`KIOSK_PART=${part}`] : [])];
	const matches = payment ? OF_PAYMENT.map((name) => [...own, `KIOSK_${name.toUpperCase()}=${payment}`]) : [own];
	return [
		'--no-pager',
		'-o',
		'short-iso',
		...(from ? ['--since', `@${Math.floor(from.getTime() / 1_000)}`] : ['-n', String(LINES)]),
		...(follow ? ['-f'] : []),
		...matches.flatMap((group, index) => (index === 0 ? group : ['+', ...group])),
	];
}

const UNITS = { m: 'minute', h: 'hour', d: 'day' } as const;

/** @param text value of --since @returns the time, or undefined if the text is invalid */
export function parseSince(text: string, now: Date): Date | undefined {
	const span = /^(\d{1,5})\s*(m|h|d)$/.exec(text);
	if (span)
		return dayjs(now)
			.subtract(Number(span[1]), UNITS[span[2] as keyof typeof UNITS])
			.toDate();
	if (text === 'today') return dayjs(now).startOf('day').toDate();
	const at = dayjs(text);
	return /^\d{4}-\d{2}-\d{2}/.test(text) && at.isValid() ? at.toDate() : undefined;
}

type Line = Record<string, unknown> & { time?: string; level?: string; event?: string; msg?: string };

async function readFile(file: string, from: Date | null, wish: LogWish): Promise<void> {
	const reader = lineReader(file);
	const wanted = (text: string): Line | null => {
		const line = parsed(text);
		if (!line || (from && Date.parse(line.time ?? '') < from.getTime())) return null;
		if (wish.part && line.event?.split('.')[0] !== wish.part) return null;
		return wish.payment === '' || isOf(line, wish.payment) ? line : null;
	};
	const found = reader
		.next()
		.map(wanted)
		.filter((line) => line !== null);
	for (const line of from ? found : found.slice(-LINES)) wish.say(shown(line));
	if (found.length === 0 && !wish.follow) wish.say(`No matching entries in ${file}.`);
	while (wish.follow) {
		await delay(LOOK_MS);
		for (const text of reader.next()) {
			const line = wanted(text);
			if (line) wish.say(shown(line));
		}
	}
}

/**
 * @param payment id or invoice number of the payment; or, for a note or sale, its id, the beginning
 * of its id, or its reference
 * @returns whether a field of the line identifies this payment
 */
function isOf(line: Line, payment: string): boolean {
	const begins = (value: unknown): boolean => payment.length >= LEAST_LETTERS && String(value ?? '').startsWith(beginningOf(payment));
	return OF_PAYMENT.some((name) => String(line[name] ?? '') === payment) || begins(line.note_id) || begins(line.attempt_id);
}

function parsed(text: string): Line | null {
	try {
		return JSON.parse(text) as Line;
	} catch {
		return null;
	}
}

function shown({ time, level, event, msg, ...fields }: Line): string {
	const told = Object.entries(fields).map(([name, value]) => ` ${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
	return `${time} ${String(level).padEnd(5)} ${event}${told.join('')}  ${msg ?? ''}`;
}

/** Reads the new complete lines of a growing file. */
function lineReader(file: string): { next(): string[] } {
	let at = 0;
	let rest = '';
	const letters = new StringDecoder('utf8');
	return {
		next() {
			if (!existsSync(file)) return [];
			const { size } = statSync(file);
			// The file was truncated or replaced.
			if (size < at) [at, rest] = [0, ''];
			const handle = openSync(file, 'r');
			const lines: string[] = [];
			try {
				const buffer = Buffer.alloc(CHUNK_BYTES);
				for (let got = readSync(handle, buffer, 0, CHUNK_BYTES, at); got > 0; got = readSync(handle, buffer, 0, CHUNK_BYTES, at)) {
					at += got;
					const parts = (rest + letters.write(buffer.subarray(0, got))).split('\n');
					rest = parts.pop() ?? '';
					lines.push(...parts);
				}
			} finally {
				closeSync(handle);
			}
			return lines;
		},
	};
}
