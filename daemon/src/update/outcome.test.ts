import { expect, test } from 'vitest';
import type { Entry } from './boot-entries.ts';
import { outcomeOf } from './outcome.ts';
import { initialState, type State } from './state.ts';

const NOW = '2026-11-23T02:30:00.000Z';
const entry = (version: string, left: number | null, done = 0): Entry => ({ name: '', version, left, done, bytes: 1 });
const state = (change: Partial<State>): State => ({ ...initialState(NOW), from: '0.2.0', ...change });
/** The state of 0.3.0 after its restart. */
const restarting = (change: Partial<State> = {}): State => state({ state: 'restarting', version: '0.3.0', ...change });

test('each start of a new version is a trial, and the state counts these starts', () => {
	expect(outcomeOf(restarting(), '0.3.0', [entry('0.2.0', null), entry('0.3.0', 2, 1)], NOW)).toMatchObject({ state: 'trial', tries: 1 });
	expect(outcomeOf(restarting({ state: 'trial', tries: 1 }), '0.3.0', [entry('0.3.0', 1, 2)], NOW)).toMatchObject({
		state: 'trial',
		tries: 2,
	});
});

test('once the file name has no try counter, the version is good', () => {
	const change = outcomeOf(restarting({ state: 'trial', tries: 1 }), '0.3.0', [entry('0.3.0', null)], NOW);
	expect(change).toMatchObject({
		state: 'good',
		version: '0.3.0',
		history: [{ version: '0.3.0', from: '0.2.0', outcome: 'good', tries: 1 }],
	});
});

test('if the old version runs and the new version has no tries left, the outcome is `failed` with the recorded reason', () => {
	const before = restarting({ state: 'trial', tries: 3, trial_reason: 'never_drew', text: 'the page has been drawing for 0 s' });
	expect(outcomeOf(before, '0.2.0', [entry('0.2.0', null), entry('0.3.0', 0, 3)], NOW)).toMatchObject({
		state: 'failed',
		version: '0.3.0',
		reason: 'never_drew',
		text: 'the page has been drawing for 0 s',
		history: [{ version: '0.3.0', outcome: 'failed', reason: 'never_drew', tries: 3, at: NOW }],
	});
});

test('if the trial recorded no reason, the outcome distinguishes interrupted starts from a damaged system', () => {
	const entries = [entry('0.2.0', null), entry('0.3.0', 0, 3)];
	expect(outcomeOf(restarting({ state: 'trial', tries: 2 }), '0.2.0', entries, NOW)).toMatchObject({ state: 'failed', reason: 'cuts' });
	expect(outcomeOf(restarting(), '0.2.0', entries, NOW)).toMatchObject({
		state: 'failed',
		reason: 'unknown',
		text: expect.stringMatching(/never reached the system/),
	});
});

test('if the restart did not start the new version, the new version waits for another restart', () => {
	const entries = [entry('0.2.0', null), entry('0.3.0', 3)];
	expect(outcomeOf(restarting(), '0.2.0', entries, NOW)).toEqual({ state: 'waiting' });
	expect(outcomeOf(restarting({ state: 'waiting' }), '0.2.0', entries, NOW)).toEqual({});
});

test.each(['written', 'waiting'] as const)(
	'if a power cut has emptied or removed the kernel image of a %s version, that version is installed again',
	(name) => {
		const entries = [entry('0.2.0', null), { ...entry('0.3.0', 3), bytes: 0 }];
		expect(outcomeOf(restarting({ state: name }), '0.2.0', entries, NOW)).toEqual({ state: 'verified' });
		expect(outcomeOf(restarting({ state: name }), '0.2.0', [entry('0.2.0', null)], NOW)).toEqual({ state: 'verified' });
	},
);

test('if a power cut starts the new version before the planned night, an ordinary trial begins', () => {
	expect(outcomeOf(restarting({ state: 'waiting' }), '0.3.0', [entry('0.3.0', 2, 1)], NOW)).toMatchObject({ state: 'trial' });
});

test('if a good version has no tries left, a rollback by a person is recorded once', () => {
	const good = { version: '0.3.0', from: '0.2.0', outcome: 'good' as const, reason: '', tries: 1, at: NOW };
	const before = state({ state: 'good', version: '0.3.0', history: [good] });
	const entries = [entry('0.2.0', null), entry('0.3.0', 0, 1)];
	const change = outcomeOf(before, '0.2.0', entries, NOW);
	expect(change).toMatchObject({ state: 'rolled_back', version: '0.3.0', reason: 'person' });
	expect(outcomeOf({ ...before, ...change }, '0.2.0', entries, NOW)).toEqual({});
});

test('if the state does not record the trial because of a power cut or a hold, the failure of the version is still recorded', () => {
	const entries = [entry('0.2.0', null), entry('0.3.0', 0, 3)];
	for (const name of ['writing', 'refused'] as const) {
		const change = outcomeOf(state({ state: name, version: '0.3.0' }), '0.2.0', entries, NOW);
		expect(change).toMatchObject({ state: 'failed', version: '0.3.0', history: [{ outcome: 'failed', tries: 3 }] });
	}
	expect(outcomeOf(state({ state: 'writing', version: '0.3.0' }), '0.2.0', [entry('0.2.0', null)], NOW)).toEqual({});
	expect(outcomeOf(state({ state: 'writing', version: '0.3.0' }), '0.3.0', [entry('0.3.0', 2, 1)], NOW)).toMatchObject({ state: 'trial' });
});

test('a trial continues after a factory reset', () => {
	const change = outcomeOf(initialState(NOW), '0.3.0', [entry('0.2.0', null), entry('0.3.0', 1, 2)], NOW);
	expect(change).toMatchObject({ state: 'trial', version: '0.3.0', tries: 2, devices: null });
	const good = outcomeOf({ ...initialState(NOW), ...change }, '0.3.0', [entry('0.3.0', null)], NOW);
	expect(good).toMatchObject({ state: 'good', history: [{ version: '0.3.0', from: null }] });
});

test('an ordinary start or an empty boot partition changes nothing', () => {
	expect(outcomeOf(state({ state: 'good', version: '0.2.0' }), '0.2.0', [entry('0.2.0', null)], NOW)).toEqual({});
	expect(outcomeOf(restarting(), '0.2.0', [], NOW)).toEqual({});
});
