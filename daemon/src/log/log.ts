import pino from 'pino';
import { EVENTS, type EventId, sentenceOf } from './events.ts';
import { journaldWriter, type WriteEvent } from './journald.ts';
import { masked } from './masked.ts';

export type { EventId };

/** Fields of an event. Money in rupiah, durations in ms. Secrets are `Secret` objects and print as ***. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
	event(id: EventId, fields: LogFields): void;
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'];

/**
 * Every event as journald's own fields, where systemd has handed a socket to journald over; else as one JSON object a line on standard
 * output. Written synchronously: the last line before a crash is the one that is needed.
 * @param level the least that is written @param journald a connected datagram socket to journald, or null
 */
export function openLog(level: string, journald: number | null = null): Log {
	const write = journald === null ? jsonLines() : journaldWriter(journald, jsonLines());
	const least = LEVELS.indexOf(level);
	return {
		event(id, fields) {
			if (LEVELS.indexOf(EVENTS[id][0]) >= least) write(id, masked(fields));
		},
	};
}

function jsonLines(): WriteEvent {
	const logger = pino(
		{
			level: 'debug',
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
		},
		pino.destination({ dest: 1, sync: true }),
	);
	return (id, fields) => logger[EVENTS[id][0]]({ event: id, ...fields }, sentenceOf(id));
}
