import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { failuresOf, type Outcome, readState, stateFile } from './state.ts';

const outcome = (version: string, outcome: Outcome['outcome']): Outcome => ({
	version,
	from: '0.2.0',
	outcome,
	reason: '',
	tries: 1,
	at: '',
});

test('every account may read the state file', () => {
	const folder = temporaryFolder('state');
	const clock = new VirtualClock();
	expect(readState(folder)).toBeNull();
	stateFile(folder, clock).change({ state: 'refused', version: '0.3.0', reason: 'hold', text: 'the owner has stopped this roll-out' });
	expect(readState(folder)).toMatchObject({ state: 'refused', version: '0.3.0', reason: 'hold' });
	expect(statSync(join(folder, 'state.json')).mode & 0o777).toBe(0o644);
});

test('a new state clears the reason; "since" changes only if the state or the version changes', () => {
	const folder = temporaryFolder('state');
	const clock = new VirtualClock();
	const file = stateFile(folder, clock);
	file.change({ state: 'waiting', version: '0.3.0', reason: 'session', text: 'a payment is open' });
	const { since } = file.read();
	clock.advance(60_000);
	file.change({ state: 'waiting', reason: 'window', text: 'until 02:00' });
	expect(file.read()).toMatchObject({ since, reason: 'window' });
	file.change({ state: 'restarting' });
	expect(file.read()).toMatchObject({ reason: '', text: '', version: '0.3.0' });
	expect(file.read().since).not.toBe(since);
});

test('a damaged state file is treated as missing and replaced at the next change', () => {
	const folder = temporaryFolder('state');
	writeFileSync(join(folder, 'state.json'), '{"format":1,"state":"idle"');
	expect(readState(folder)).toBeNull();
	stateFile(folder, new VirtualClock()).change({ state: 'idle' });
	expect(readState(folder)).toMatchObject({ state: 'idle', history: [] });
});

test('if state.json.new is a symbolic link, its target is not written', () => {
	const folder = temporaryFolder('state');
	const other = join(folder, 'other');
	writeFileSync(other, 'untouched');
	symlinkSync(other, join(folder, 'state.json.new'));
	stateFile(folder, new VirtualClock()).change({ state: 'idle' });
	expect(readFileSync(other, 'utf8')).toBe('untouched');
});

test('the history keeps the newest twenty outcomes, and failures and rollbacks are counted by version', () => {
	const folder = temporaryFolder('state');
	const file = stateFile(folder, new VirtualClock());
	for (let number = 0; number < 25; number += 1)
		file.change({ history: [...file.read().history, outcome(`0.${number}.0`, number % 2 === 0 ? 'good' : 'failed')] });
	const { history } = file.read();
	expect(history).toHaveLength(20);
	expect(history.at(-1)?.version).toBe('0.24.0');
	const failures = failuresOf({ history: [outcome('0.3.0', 'failed'), outcome('0.3.0', 'rolled_back'), outcome('0.4.0', 'good')] });
	expect([...failures]).toEqual([['0.3.0', 2]]);
});
