import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import type { Clock } from '../base/clock.ts';
import { openPinTries, type PinOutcome, pinWaitMs } from './pin-tries.ts';
import { staffSessions } from './staff-sessions.ts';

let now = 0;
const clock: Clock = { now: () => now, wall: () => new Date(), after: () => () => {} };
let directory = '';
let logged: string[] = [];
const log = { event: (id: string) => void logged.push(id) };
const open = () => openPinTries({ file: join(directory, 'pin-tries.json'), clock, log, refused: () => void logged.push('refused') });
const attempt = (tries: ReturnType<typeof open>, outcome: PinOutcome) => tries.begin()?.(outcome);

beforeEach(() => {
	now = 0;
	logged = [];
	directory = temporaryFolder('pins');
});

test('after three free tries, the wait before the next try doubles from 30 s up to a quarter of an hour', () => {
	expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 500].map(pinWaitMs)).toEqual([
		0, 0, 0, 30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000, 900_000,
	]);
});

test('a wrong try that could not be recorded when the check began is recorded when the check ends', () => {
	const blocker = join(directory, 'pin-tries.json.new');
	mkdirSync(blocker);
	const ended = open().begin();
	rmSync(blocker, { recursive: true });
	ended?.('wrong');
	const tries = open();
	attempt(tries, 'wrong');
	attempt(tries, 'wrong');
	expect(tries.waitS()).toBe(30);
});

test('in one day at most about a hundred PINs can be tried, even with restarts', () => {
	let tries = open();
	let asked = 0;
	for (; now < 86_400_000; now += 1_000) {
		if (now % 3_600_000 === 0) tries = open();
		if (tries.waitS() > 0) continue;
		attempt(tries, 'wrong');
		asked += 1;
	}
	expect(asked).toBeLessThan(110);
});

test('the right PIN resets the tries; a try without an answer does not count', () => {
	const tries = open();
	attempt(tries, 'wrong');
	attempt(tries, 'wrong');
	for (let time = 0; time < 10; time += 1) attempt(tries, 'no_answer');
	expect(tries.waitS()).toBe(0);
	attempt(tries, 'right');
	attempt(tries, 'wrong');
	attempt(tries, 'wrong');
	expect(tries.waitS()).toBe(0);
	attempt(tries, 'wrong');
	expect(tries.waitS()).toBe(30);
	expect(logged.filter((id) => id === 'refused')).toHaveLength(5);
});

test('a PIN check that a power cut interrupts counts as a wrong PIN; a second try during a check is refused', () => {
	attempt(open(), 'wrong');
	attempt(open(), 'wrong');
	const tries = open();
	expect(tries.begin()).not.toBeNull();
	expect([tries.begin(), tries.waitS()]).toEqual([null, 1]);
	expect(open().waitS()).toBe(30);
});

test('if the count of wrong tries can be neither read nor written, it is kept in memory and the failure is logged', () => {
	writeFileSync(join(directory, 'pin-tries.json'), '{"refused":-1}');
	rmSync(directory, { recursive: true });
	writeFileSync(directory, '');
	const tries = open();
	for (let time = 0; time < 3; time += 1) attempt(tries, 'wrong');
	expect(tries.waitS()).toBe(30);
	expect(logged).toContain('screen.pin_tries_not_stored');
});

test('a staff session ends two minutes after the last action or touch and is valid on only one page', () => {
	const staff = staffSessions({ clock });
	staff.open('a');
	now = 119_000;
	expect([staff.isOpen('a'), staff.isOpen('b')]).toEqual([true, false]);
	staff.touch('a');
	now = 238_000;
	expect(staff.isOpen('a')).toBe(true);
	now = 239_000;
	expect(staff.isOpen('a')).toBe(false);
	staff.touch('a');
	expect(staff.isOpen('a')).toBe(false);
	staff.open('a');
	staff.end('a');
	expect(staff.isOpen('a')).toBe(false);
});
