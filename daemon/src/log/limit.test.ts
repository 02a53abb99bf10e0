import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import { limitRepeats } from './limit.ts';
import type { EventId, LogFields } from './log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function limited() {
	const written: [EventId, LogFields][] = [];
	const log = limitRepeats({ event: (id, fields) => void written.push([id, fields]) }, systemClock);
	const flood = (id: EventId, times: number) => {
		for (let time = 1; time <= times; time += 1) log.event(id, { time });
	};
	return { written, flood };
}

test('a flood is written ten times and then summed up with its last fields; the next minute begins anew', () => {
	const { written, flood } = limited();
	flood('screen.refused', 500);
	expect(written).toHaveLength(10);
	vi.advanceTimersByTime(60_000);
	expect(written.at(-1)).toEqual(['screen.refused', { time: 500, more: 490, within_ms: 60_000 }]);
	flood('screen.refused', 3);
	vi.advanceTimersByTime(60_000);
	expect(written).toHaveLength(14);
});

test('what stays below the limit is written as it is, and one event does not use up the limit of another', () => {
	const { written, flood } = limited();
	flood('socket.lost', 10);
	flood('screen.fault', 10);
	vi.advanceTimersByTime(60_000);
	expect(written).toHaveLength(20);
});

test.each<EventId>(['cash.note_credited', 'card.approved', 'card.unknown', 'outbox.uploaded', 'journal.unhealthy', 'edc.answer'])(
	'%s is about money: written every time',
	(id) => {
		const { written, flood } = limited();
		flood(id, 500);
		expect(written).toHaveLength(500);
	},
);

test('whoever switched debugging on gets every byte', () => {
	const { written, flood } = limited();
	flood('edc.trace', 500);
	expect(written).toHaveLength(500);
});
