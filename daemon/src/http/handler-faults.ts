import type { Log } from '../log/log.ts';

/** Largest number of distinct faults that are counted. */
const MOST_KINDS = 100;
/** Longest message or place in the log, characters. */
const LONGEST = 200;

/**
 * Counts exceptions of requests and messages. The first, tenth, hundredth and so on of each kind
 * are logged: a page that repeats its request every second must not fill the log.
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
 * Acts on an event of a socket. An exception would end the process, and a page or server that
 * repeats its message would end each new one. So the exception is counted, and the message counts
 * as lost: `drop` ends the connection, and both ends do what they do after any lost connection.
 */
export function actOrDrop(act: () => void, fault: (error: unknown) => void, drop: () => void): void {
	try {
		act();
	} catch (error) {
		fault(error);
		drop();
	}
}
