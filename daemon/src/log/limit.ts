import type { Clock } from '../clock.ts';
import { EVENTS, type EventId } from './events.ts';
import type { Log, LogFields } from './log.ts';

/** So often a minute an event is written as it comes; a fault that flaps is still seen with its first times and its reasons. */
const OFTEN = 10;
const MINUTE_MS = 60_000;

/** What is about money is written every time; and who has asked for `debug` wants all of it. */
const isNeverLimited = (id: EventId): boolean =>
	/^(cash|card|journal)\.|^outbox\.uploaded$|^edc\.(answer|silent)$/.test(id) || EVENTS[id][0] === 'debug';

/** An event that repeats is counted instead of flooding: at the end of its minute it is said once more, with `more` for how often. */
export function limitRepeats(log: Log, clock: Clock): Log {
	const minutes = new Map<EventId, { times: number; last: LogFields }>();

	function end(id: EventId): void {
		const { times, last } = minutes.get(id) ?? { times: 0, last: {} };
		minutes.delete(id);
		if (times > OFTEN) log.event(id, { ...last, more: times - OFTEN, within_ms: MINUTE_MS });
	}

	return {
		event(id, fields) {
			if (isNeverLimited(id)) return log.event(id, fields);
			const minute = minutes.get(id) ?? { times: 0, last: fields };
			if (minute.times === 0) {
				minutes.set(id, minute);
				clock.after(MINUTE_MS, () => end(id));
			}
			minute.times += 1;
			minute.last = fields;
			if (minute.times <= OFTEN) log.event(id, fields);
		},
	};
}
