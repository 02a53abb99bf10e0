import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';
import type { EventId, LogFields } from './events.ts';

/** Priorities of syslog(3). */
const PRIORITY = { debug: 7, info: 6, warn: 4, error: 3, fatal: 2 } as const;
/**
 * Maximum length of a field. Longer fields are cut, because one event must fit into one datagram.
 */
const LONGEST_FIELD = 4_096;

/** @returns the 128-bit id of an event for `journalctl MESSAGE_ID=…` and journald's catalogue */
export const messageId = (id: EventId): string => createHash('sha256').update(`kiosk ${id}`).digest('hex').slice(0, 32);

/**
 * @returns the subsystem of an event, by which technicians filter the log: acceptor, cash, edc,
 * card, journal, outbox …
 */
export const partOf = (id: EventId): string => id.split('.')[0] ?? id;

/**
 * A destination for pino that turns each line into journald's native protocol: one datagram per
 * event, one field per line (systemd.io/JOURNAL_NATIVE_PROTOCOL). Node cannot open such a socket,
 * but it can write to an inherited one.
 * @param socket descriptor of the connected socket
 * @param otherwise receives lines that journald does not accept
 */
export function journaldStream(socket: number, otherwise: DestinationStream): DestinationStream {
	return {
		write(line) {
			try {
				writeSync(socket, journaldEntry(line));
			} catch {
				// journald is gone or its queue is full; standard output may still work.
				otherwise.write(line);
			}
		},
	};
}

/** pino's own fields in a line; all other fields belong to the event. */
interface Line extends LogFields {
	level: keyof typeof PRIORITY;
	time: string;
	event: EventId;
	msg: string;
}

/** @param line JSON, already masked; each field of the event becomes KIOSK_<NAME> */
export function journaldEntry(line: string): Buffer {
	const { level, time: _, event, msg, ...fields } = JSON.parse(line) as Line;
	const told = Object.entries(fields).filter(([, value]) => value !== null);
	const words = told.map(([name, value]) => ` ${name}=${textOf(value)}`).join('');
	return Buffer.concat([
		field('MESSAGE', `${event}:${words} (${msg})`),
		field('MESSAGE_ID', messageId(event)),
		field('PRIORITY', String(PRIORITY[level])),
		field('SYSLOG_IDENTIFIER', 'kioskd'),
		field('KIOSK_EVENT', event),
		field('KIOSK_PART', partOf(event)),
		...told.map(([name, value]) => field(`KIOSK_${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}`, textOf(value))),
	]);
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** A value with a line break is preceded by its length. */
function field(name: string, whole: string): Buffer {
	const value = whole.slice(0, LONGEST_FIELD);
	if (!value.includes('\n')) return Buffer.from(`${name}=${value}\n`);
	const bytes = Buffer.from(value);
	const length = Buffer.alloc(8);
	length.writeBigUInt64LE(BigInt(bytes.length));
	return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')]);
}
