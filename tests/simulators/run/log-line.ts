import { isFields } from '../http.ts';

const NAMES: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const WARN = 40;
/** Every log entry can have these fields, so `shownLine` does not list them as details. */
const USUAL: readonly string[] = ['level', 'time', 'pid', 'hostname', 'msg', 'event', 'v', 'name'];

/**
 * @param line one line of the daemon's standard output
 * @returns the line for the console; null for an empty line or an entry below warning level. Text
 * that is not JSON stays unchanged.
 */
export function shownLine(line: string): string | null {
	const entry = parse(line);
	if (entry === null) return line.trim() === '' ? null : line;
	const level = levelOf(entry.level);
	if (level < WARN) return null;
	const details = Object.entries(entry).filter(([name]) => !USUAL.includes(name));
	const shown = details.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
	const event = typeof entry.event === 'string' ? `[${entry.event}]` : '';
	return [NAMES[level] ?? level, event, entry.msg ?? '', ...shown].filter((part) => part !== '').join(' ');
}

function parse(line: string): Record<string, unknown> | null {
	try {
		const value: unknown = JSON.parse(line);
		return isFields(value) ? value : null;
	} catch {
		return null;
	}
}

function levelOf(level: unknown): number {
	if (typeof level === 'number') return level;
	return Number(Object.entries(NAMES).find(([, name]) => name === level)?.[0] ?? WARN);
}
