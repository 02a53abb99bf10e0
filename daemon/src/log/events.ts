import { DEVICE_EVENTS } from './device-events.ts';
import { MONEY_EVENTS } from './money-events.ts';
import { OFFICE_EVENTS } from './office-events.ts';
import { SCREEN_EVENTS } from './screen-events.ts';
import { SYSTEM_EVENTS } from './system-events.ts';

/** Level, meaning and remedy; the remedy is '' if no action is needed. */
type Event = readonly ['debug' | 'info' | 'warn' | 'error' | 'fatal', string, string];

/**
 * Every event that the daemon logs. `make docs` generates docs/reference/log-events.md and
 * journald's catalogue from this table; a test fails when they are out of date.
 */
export const EVENTS = {
	...SYSTEM_EVENTS,
	...DEVICE_EVENTS,
	...MONEY_EVENTS,
	...OFFICE_EVENTS,
	...SCREEN_EVENTS,
} as const satisfies Record<string, Event>;

export type EventId = keyof typeof EVENTS;

/** Fields of any event, by name. `Secret` objects print as ***. */
export type LogFields = Readonly<Record<string, unknown>>;

/** @returns meaning and remedy of an event in one line */
export const sentenceOf = (id: EventId): string => EVENTS[id].slice(1).filter(Boolean).join(' ');
