import type { Log } from '../log/log.ts';

/** Maximum number of kinds that are counted separately. */
const MOST_KINDS = 100;
/** Longest message or place in the log, characters. */
const LONGEST = 200;

/**
 * Counts the exceptions of requests and messages by kind. Of each kind, only the first, tenth,
 * hundredth and so on are logged, so that a page that retries every second does not fill the log.
 */
export function faultCounter(log: Log): (error: unknown) => void {
	const times = new Map<string, number>();
	return (error) => {
		const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
		const place = /\n\s+at (.+)/.exec(stack ?? '')?.[1]?.slice(0, LONGEST) ?? '';
		const own = `${name} ${place}`;
		const kind = times.has(own) || times.size < MOST_KINDS ? own : 'others';
		const count = (times.get(kind) ?? 0) + 1;
		times.set(kind, count);
		if (/^10*$/.test(String(count))) log.event('screen.handler_failed', { error: name, message: message.slice(0, LONGEST), place, count });
	};
}

/**
 * Runs `act` for an event of a socket. An uncaught exception would end the process, and a repeated
 * message would end each restarted process. So the exception is passed to `fault`, and `drop` ends
 * the connection. Both ends then recover as after any lost connection.
 */
export function actOrDrop(act: () => void, fault: (error: unknown) => void, drop: () => void): void {
	try {
		act();
	} catch (error) {
		fault(error);
		drop();
	}
}
