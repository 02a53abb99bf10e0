import type { Clock } from '../base/clock.ts';
import type { EventFields } from './event-fields.ts';
import { EVENTS, type EventId } from './events.ts';
import type { Log } from './log.ts';

type Fields = EventFields[EventId];

/**
 * Number of events that are logged in a minute before throttling begins, so that the first events
 * of a repeating fault stay visible.
 */
const OFTEN = 10;
const MINUTE_MS = 60_000;

/**
 * @returns whether this event is never throttled: a money or journal event, or one of level debug
 */
const isNeverLimited = (id: EventId): boolean =>
	/^(cash|card|journal|transfer)\.|^outbox\.(uploaded|parked|settled_by_staff)$|^invoice\.reviewed$|^edc\.(answer|silent)$/.test(id) ||
	EVENTS[id][0] === 'debug';

/**
 * Maximum number of counters in a minute. Up to this number, events about different invoices, or
 * with different `path` fields, have separate counters; further events share the counter of their
 * event id. Disputes are throttled too, because a back office that keeps changing its answers may
 * cause a dispute with each answer.
 */
const MOST_KEPT_APART = 200;

/**
 * Throttles repeated events. After `OFTEN` events in a minute, further ones are only counted; one
 * event at the end of the minute gives their number in `more`.
 */
export function limitRepeats(log: Log, clock: Clock): Log {
	const minutes = new Map<string, { times: number; last: Fields }>();

	function throttleKeyOf(id: EventId, fields: Fields): string {
		const { path, payment_id } = fields as { path?: unknown; payment_id?: unknown };
		const news = `${id} ${path ?? payment_id ?? ''}`;
		return minutes.has(news) || minutes.size < MOST_KEPT_APART ? news : id;
	}

	function end(id: EventId, news: string): void {
		const { times, last } = minutes.get(news) ?? { times: 0, last: {} };
		minutes.delete(news);
		if (times > OFTEN) log.event(id, Object.assign({}, last, { more: times - OFTEN, within_ms: MINUTE_MS }));
	}

	return {
		event(id, fields) {
			if (isNeverLimited(id)) return log.event(id, fields);
			const news = throttleKeyOf(id, fields);
			const minute = minutes.get(news) ?? { times: 0, last: fields };
			if (minute.times === 0) {
				minutes.set(news, minute);
				clock.after(MINUTE_MS, () => end(id, news));
			}
			minute.times += 1;
			minute.last = fields;
			if (minute.times <= OFTEN) log.event(id, fields);
		},
	};
}
