import { EVENTS } from './events.ts';

/** @returns docs/log-events.md: every event the daemon logs, for the technician who filters them */
export function eventsDocument(): string {
	const rows = Object.entries(EVENTS)
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([id, [level, sentence]]) => `| \`${id}\` | ${level} | ${sentence} |`);
	return [
		'# Log events',
		'',
		'One JSON object a line; `event` is the id. Made from `daemon/src/log/events.ts` by `make docs`; a test keeps it current.',
		'',
		'| event | level | what happened, and what to do |',
		'| --- | --- | --- |',
		...rows,
		'',
	].join('\n');
}

if (import.meta.main) process.stdout.write(eventsDocument());
