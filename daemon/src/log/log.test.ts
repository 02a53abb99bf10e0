import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { eventsDocument } from './document.ts';

test('the reference of events in docs/ is current (make docs)', () => {
	expect(readFileSync(new URL('../../../docs/log-events.md', import.meta.url), 'utf8')).toBe(eventsDocument());
});

test('a secret cannot be printed by accident', () => {
	const token = new Secret('abc123');
	expect([JSON.stringify({ token }), String(token), inspect(token), `${token}`, inspect({ deep: { token } })].join()).not.toContain(
		'abc123',
	);
	expect(token.reveal()).toBe('abc123');
});
