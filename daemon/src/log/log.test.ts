import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, expectTypeOf, test } from 'vitest';
import { Secret } from '../base/secret.ts';
import { eventsCatalogue, eventsDocument } from './document.ts';
import type { EventFields } from './event-fields.ts';
import { EVENTS, type EventId } from './events.ts';
import { logTo } from './log.ts';

/**
 * The values that a field of the log can have. Deeper objects are not allowed, because pino masks
 * names only one level deep.
 */
type Value = string | number | boolean | null | undefined | readonly string[];

/** A field with one of these names would replace pino's own field. */
type FieldOfPino = { level: unknown } | { time: unknown } | { event: unknown } | { msg: unknown };

test('the reference of events in docs/ is current (make docs)', () => {
	expect(readFileSync(new URL('../../../docs/reference/log-events.md', import.meta.url), 'utf8')).toBe(eventsDocument());
});

test('the journald catalogue is current (make docs)', () => {
	expect(readFileSync(new URL('../../../config/journal/kiosk.catalog', import.meta.url), 'utf8')).toBe(eventsCatalogue());
});

test('every event, and no other name, has declared fields; the values are flat, and no field has a name that pino uses', () => {
	expectTypeOf<keyof EventFields>().toEqualTypeOf<EventId>();
	expectTypeOf<EventFields[EventId]>().toExtend<Readonly<Record<string, Value>>>();
	expectTypeOf<Extract<EventFields[EventId], FieldOfPino>>().toEqualTypeOf<never>();
});

test('an event below the level is not written', () => {
	const lines: string[] = [];
	const log = logTo({ write: (line) => void lines.push(line) }, 'warn');
	log.event('acceptor.escrow', { code: '0x45' });
	log.event('acceptor.state', { state: 'ready' });
	expect(lines).toEqual([]);
	log.event('acceptor.reopened', { reason: 'silent' });
	expect(lines).toHaveLength(1);
});

test('secret fields are masked by their name, even inside an object, and so are Secret objects', () => {
	const lines: string[] = [];
	const secrets = { token: 'abc', answer: { pin: 1234 }, kept: new Secret('abc'), what: 'render', detail: '' };
	logTo({ write: (line) => void lines.push(line) }, 'info').event('screen.fault', secrets);
	expect(JSON.parse(lines.join(''))).toMatchObject({ token: '***', answer: { pin: '***' }, kept: '***', what: 'render' });
});

test('every event above info has a remedy', () => {
	const silent = Object.entries(EVENTS).filter(([, [level, , remedy]]) => !['debug', 'info'].includes(level) && remedy === '');
	expect(silent.map(([id]) => id)).toEqual([]);
});

test('a Secret cannot be logged by accident', () => {
	const token = new Secret('abc123');
	expect([JSON.stringify({ token }), String(token), inspect(token), `${token}`, inspect({ deep: { token } })].join()).not.toContain(
		'abc123',
	);
	expect(token.reveal()).toBe('abc123');
});

test('every declared event is logged somewhere in the daemon’s code', () => {
	const root = join(import.meta.dirname, '..');
	const source = globSync('**/*.ts', { cwd: root, exclude: (path) => /event(s|-fields)\.ts$|\.test\.ts$/.test(String(path)) })
		.map((file) => readFileSync(join(root, file), 'utf8'))
		.join('');
	expect(Object.keys(EVENTS).filter((id) => !source.includes(`'${id}'`))).toEqual([]);
});
