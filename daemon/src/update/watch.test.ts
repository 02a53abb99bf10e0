import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import type { EventId, LogFields } from '../log/events.ts';
import { type State, stateFile } from './state.ts';
import { watchUpdates } from './watch.ts';

test('each step of the updater after the daemon’s start is logged once, except checks', () => {
	const folder = temporaryFolder('update');
	const clock = new VirtualClock();
	const file = stateFile(folder, clock);
	file.change({ state: 'good', version: '0.2.0' });
	const events: [EventId, LogFields][] = [];
	const watch = watchUpdates({ folder, clock, log: { event: (id, fields) => void events.push([id, fields]) } });
	const after = (change: Partial<State>): EventId[] => {
		events.length = 0;
		file.change(change);
		clock.advance(60_000);
		return events.map(([id]) => id);
	};
	expect(after({})).toEqual([]);
	expect(after({ state: 'checking' })).toEqual([]);
	expect(after({ state: 'refused', version: '0.3.0', reason: 'percent' })).toEqual(['update.not_yet']);
	expect(after({ state: 'refused', version: '0.3.0', reason: 'signature', text: 'of another key' })).toEqual(['update.refused']);
	for (const state of ['downloading', 'verified', 'writing', 'written'] as const) expect(after({ state })).toEqual(['update.step']);
	expect(after({ state: 'waiting', reason: 'session' })).toEqual(['update.waiting']);
	expect(after({ state: 'waiting', reason: 'session', text: 'the same in other words' })).toEqual([]);
	expect(after({ state: 'failed', version: '0.3.0', reason: 'never_drew', tries: 3 })).toEqual(['update.failed']);
	expect(events[0]?.[1]).toMatchObject({ version: '0.3.0', reason: 'never_drew', tries: 3 });
	expect(after({ state: 'good', version: '0.4.0' })).toEqual(['update.good']);
	expect(after({ state: 'rolled_back', version: '0.4.0' })).toEqual(['update.rolled_back']);
	expect(watch.current()?.state).toBe('rolled_back');
	watch.stop();
	expect(after({ state: 'idle' })).toEqual([]);
});
