import type { Log } from '../log/log.ts';

/** Largest number of distinct faults that are counted. */
const MOST_KINDS = 100;
/** Longest message or place in the log, characters. */
const LONGEST = 200;

/**
 * Counts exceptions of request handlers. The first, tenth, hundredth and so on of each kind are
 * logged: a page that repeats its request every second must not fill the log.
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
