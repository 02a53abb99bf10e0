import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import type { EventFields } from './event-fields.ts';
import type { EventId, LogFields } from './events.ts';
import { limitRepeats } from './limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function limited() {
	const written: [EventId, LogFields][] = [];
	const log = limitRepeats({ event: (id, fields) => void written.push([id, fields]) }, systemClock);
	const flood = (id: EventId, times: number) => {
		// The limit reads only the fields `path` and `payment_id`.
		for (let time = 1; time <= times; time += 1) log.event(id, { time } as unknown as EventFields[EventId]);
	};
	return { written, flood, log };
}

test('ten events of a flood are written, then one event with the newest fields counts the rest; the next minute counts from zero', () => {
	const { written, flood } = limited();
	flood('screen.refused', 500);
	expect(written).toHaveLength(10);
	vi.advanceTimersByTime(60_000);
	expect(written.at(-1)).toEqual(['screen.refused', { time: 500, more: 490, within_ms: 60_000 }]);
	flood('screen.refused', 3);
	vi.advanceTimersByTime(60_000);
	expect(written).toHaveLength(14);
});

test('events up to the limit are written unchanged, and each event has its own limit', () => {
	const { written, flood } = limited();
	flood('socket.lost', 10);
	flood('screen.fault', 10);
	vi.advanceTimersByTime(60_000);
	expect(written).toHaveLength(20);
});

test('unexpected answers are throttled separately for each field path; beyond about 200 paths, all further paths are throttled together', () => {
	const { written, log } = limited();
	for (let time = 0; time < 20; time += 1) {
		log.event('back_office.odd_answer', { call: 'login', path: 'results.total' });
		log.event('back_office.odd_answer', { call: 'login', path: 'results.id' });
	}
	expect(written.filter(([, { path }]) => path === 'results.total')).toHaveLength(10);
	expect(written).toHaveLength(20);
	for (let line = 0; line < 10_000; line += 1) log.event('back_office.odd_answer', { call: 'login', path: `results.${line}` });
	expect(written.length).toBeLessThan(250);
	vi.advanceTimersByTime(60_000);
	expect(written.length).toBeLessThan(300);
});

test('disputes of different invoices do not throttle each other', () => {
	const { written, log } = limited();
	const about = { invoice: 'INV/1', total: rupiah(50_000), received: rupiah(20_000), why: 'it differs' };
	for (let payment_id = 1; payment_id <= 50; payment_id += 1) log.event('invoice.dispute', { ...about, payment_id });
	expect(written).toHaveLength(50);
});

test.each<EventId>([
	'cash.note_credited',
	'card.approved',
	'card.unknown',
	'outbox.uploaded',
	'outbox.parked',
	'outbox.settled_by_staff',
	'invoice.reviewed',
	'journal.unhealthy',
	'edc.answer',
])('%s may concern money and is never throttled', (id) => {
	const { written, flood } = limited();
	flood(id, 500);
	expect(written).toHaveLength(500);
});

test('byte traces are never throttled', () => {
	const { written, flood } = limited();
	flood('edc.trace', 500);
	expect(written).toHaveLength(500);
});
