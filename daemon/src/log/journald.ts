import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { EVENTS, type EventId, sentenceOf } from './events.ts';
import type { LogFields } from './log.ts';

/** Writes one event; its fields are masked. */
export type WriteEvent = (id: EventId, fields: LogFields) => void;

/** syslog(3). */
const PRIORITY = { debug: 7, info: 6, warn: 4, error: 3, fatal: 2 } as const;
/** A field that is longer is cut: one event must fit into one datagram. */
const LONGEST_FIELD = 4_096;

/** @returns the 128 bits by which journald knows this kind of event, for `journalctl MESSAGE_ID=…` and its catalogue */
export const messageId = (id: EventId): string => createHash('sha256').update(`kiosk ${id}`).digest('hex').slice(0, 32);

/** @returns the room of the event, by which staff filter: acceptor, cash, edc, card, journal, outbox … */
export const partOf = (id: EventId): string => id.split('.')[0] ?? id;

/**
 * journald's native protocol: one datagram an event, one field a line (systemd.io/JOURNAL_NATIVE_PROTOCOL). Node opens no such socket,
 * but writing to one that is connected is an ordinary write.
 * @param socket the descriptor @param otherwise gets what journald does not take
 */
export function journaldWriter(socket: number, otherwise: WriteEvent): WriteEvent {
	return (id, fields) => {
		try {
			writeSync(socket, journaldEntry(id, fields));
		} catch {
			// Gone or full; journald's own stream may still be there, and the kiosk goes on without either.
			otherwise(id, fields);
		}
	};
}

/** @param fields masked; each becomes KIOSK_<NAME> */
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

/** A value with a line break needs its length before it. */
function field(name: string, whole: string): Buffer {
	const value = whole.slice(0, LONGEST_FIELD);
	if (!value.includes('\n')) return Buffer.from(`${name}=${value}\n`);
	const bytes = Buffer.from(value);
	const length = Buffer.alloc(8);
	length.writeBigUInt64LE(BigInt(bytes.length));
	return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')]);
}
