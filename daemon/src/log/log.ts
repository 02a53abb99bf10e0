import pino from 'pino';
import { EVENTS, type EventId } from './events.ts';

export type { EventId };

/** Fields of an event. Money in rupiah, durations in ms. Secrets are `Secret` objects and print as ***. */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
	event(id: EventId, fields: LogFields): void;
}

/**
 * One JSON object a line on standard output, where journald keeps it. Written synchronously: the last line before a crash
 * is the one that is needed.
 */
export function openLog(level: string): Log {
	const logger = pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			formatters: { level: (label) => ({ level: label }) },
			redact: { paths: ['token', 'password', 'pin', 'authorization', '*.token', '*.password', '*.pin', '*.authorization'], censor: '***' },
		},
		pino.destination({ dest: 1, sync: true }),
	);
	return {
		event(id, fields) {
			const [severity, sentence] = EVENTS[id];
			logger[severity]({ event: id, ...fields }, sentence);
		},
	};
}
