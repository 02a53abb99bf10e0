import type { Log } from '../log/log.ts';

/** Kinds of faults that are told apart; there are not so many places where one can happen. */
const MOST_KINDS = 100;
/** Characters of a message or a place in the log. */
const LONGEST = 200;

/**
 * Counts exceptions of request handlers. The first of each kind is logged, and then the tenth, the hundredth and so on: a page that asks
 * again every second must not fill the log.
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
