import pino from 'pino';
import { type EventFields, type LoggedEvent, loggedEvent } from './event-fields.ts';
import { EVENTS, type EventId, sentenceOf } from './events.ts';
import { journaldStream } from './journald.ts';
import { masked, SECRET_NAMES } from './masked.ts';

export interface Log {
	event<E extends EventId>(id: E, fields: EventFields[E]): void;
}

/**
 * Opens the log: journald fields if systemd has passed a socket to journald, else one JSON object
 * per line on standard output. Writes synchronously, so that the last line before a crash is not
 * lost.
 * @param level lowest level that is written
 * @param journald connected datagram socket to journald, or null
 */
export function openLog(level: string, journald: number | null = null): Log {
	const standardOutput = pino.destination({ dest: 1, sync: true });
	return logTo(journald === null ? standardOutput : journaldStream(journald, standardOutput), level);
}

/** @param destination receives one JSON object per event */
export function logTo(destination: pino.DestinationStream, level: string): Log {
	const logger = pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
			redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '***' },
		},
		destination,
	);
	return {
		event(id, fields) {
			const [level] = EVENTS[id];
			if (logger.isLevelEnabled(level)) logger[level]({ event: id, ...masked(fields) }, sentenceOf(id));
		},
	};
}

/** @returns a log that also passes each event to the listeners after writing it */
export function tellListeners(log: Log, listeners: readonly ((event: LoggedEvent) => void)[]): Log {
	return {
		event(id, fields) {
			log.event(id, fields);
			const event = loggedEvent(id, fields);
			for (const hear of listeners) hear(event);
		},
	};
}
