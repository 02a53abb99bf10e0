import pino from 'pino';
import { type EventFields, type LoggedEvent, loggedEvent } from './event-fields.ts';
import { EVENTS, type EventId, sentenceOf } from './events.ts';
import { journaldWriter, type WriteEvent } from './journald.ts';
import { masked } from './masked.ts';

export interface Log {
	event<E extends EventId>(id: E, fields: EventFields[E]): void;
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'];

/**
 * Opens the log: journald fields if systemd has passed a socket to journald, else one JSON object
 * per line on standard output. Writes synchronously, so that the last line before a crash is not
 * lost.
 * @param level lowest level that is written
 * @param journald connected datagram socket to journald, or null
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

/** @returns a log that passes every event to the listeners too, after it is written */
export function tellListeners(log: Log, listeners: readonly ((event: LoggedEvent) => void)[]): Log {
	return {
		event(id, fields) {
			log.event(id, fields);
			const event = loggedEvent(id, fields);
			for (const hear of listeners) hear(event);
		},
	};
}
