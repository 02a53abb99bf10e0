import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { LogFields } from './events.ts';
import { EVENTS, type EventId, sentenceOf } from './events.ts';

/** Writes one event; its fields are masked. */
export type WriteEvent = (id: EventId, fields: LogFields) => void;

/** Priorities of syslog(3). */
const PRIORITY = { debug: 7, info: 6, warn: 4, error: 3, fatal: 2 } as const;
/** Longer fields are cut: one event must fit into one datagram. */
const LONGEST_FIELD = 4_096;

/** @returns the 128-bit id of an event for `journalctl MESSAGE_ID=…` and journald's catalogue */
export const messageId = (id: EventId): string => createHash('sha256').update(`kiosk ${id}`).digest('hex').slice(0, 32);

/**
 * @returns the part of an event, by which staff filter: acceptor, cash, edc, card, journal, outbox
 * …
 */
export const partOf = (id: EventId): string => id.split('.')[0] ?? id;

/**
 * journald's native protocol: one datagram per event, one field per line
 * (systemd.io/JOURNAL_NATIVE_PROTOCOL). Node cannot open such a socket, but it can write to an
 * inherited one.
 * @param socket descriptor of the connected socket
 * @param otherwise receives events that journald does not accept
 */
export function journaldWriter(socket: number, otherwise: WriteEvent): WriteEvent {
	return (id, fields) => {
		try {
			writeSync(socket, journaldEntry(id, fields));
		} catch {
			// journald is gone or its queue is full; standard output may still work.
			otherwise(id, fields);
		}
	};
}

/** @param fields already masked; each becomes KIOSK_<NAME> */
export function journaldEntry(id: EventId, fields: LogFields): Buffer {
	const told = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
	const words = told.map(([name, value]) => ` ${name}=${textOf(value)}`).join('');
	return Buffer.concat([
		field('MESSAGE', `${id}:${words} (${sentenceOf(id)})`),
		field('MESSAGE_ID', messageId(id)),
		field('PRIORITY', String(PRIORITY[EVENTS[id][0]])),
		field('SYSLOG_IDENTIFIER', 'kioskd'),
		field('KIOSK_EVENT', id),
		field('KIOSK_PART', partOf(id)),
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
