import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { Secret } from '../base/secret.ts';
import { openOfflinePin } from './offline-pin.ts';

const DAY_MS = 86_400_000;
const account = (outlet: string) => ({ server: 'https://office.example', outlet, development: false });

let directory: string;
let wall: number;
let session: { token: Secret; account: ReturnType<typeof account>; refused: boolean } | null;
let changed: () => void;

const open = () =>
	openOfflinePin({
		directory,
		token: {
			current: () => session,
			onChange: (listener) => {
				changed = () => listener(true);
			},
		},
		clock: { now: () => 0, wall: () => new Date(wall), after: () => () => {} },
		log: { event: () => {} } as never,
	});

beforeEach(() => {
	directory = temporaryFolder('offline-pin');
	wall = Date.parse('2026-11-21T00:00:00Z');
	session = { token: new Secret('t'), account: account('one'), refused: false };
});

test('the last accepted PIN is valid for thirty days, even after a restart', async () => {
	expect(await open().matches('123456')).toBeNull();
	await open().remember('111111');
	await open().remember('123456');
	const pin = open();
	expect(await pin.matches('123456')).toBe(true);
	expect(await pin.matches('111111')).toBe(false);
	wall += 29 * DAY_MS;
	expect(await pin.matches('123456')).toBe(true);
	wall += 2 * DAY_MS;
	expect(await pin.matches('123456')).toBeNull();
	wall -= 40 * DAY_MS;
	expect(await pin.matches('123456')).toBeNull();
});

test('setting the clock back does not extend the validity of the PIN, even after a restart', async () => {
	await open().remember('123456');
	wall += 29 * DAY_MS;
	expect(await open().matches('123456')).toBe(true);
	wall -= 28 * DAY_MS;
	expect(await open().matches('123456')).toBeNull();
	wall += 28 * DAY_MS;
	expect(await open().matches('123456')).toBe(true);
});

test('a PIN that the back office refuses while the clock is wrong stays invalid after the clock is corrected', async () => {
	const pin = open();
	await pin.remember('123456');
	wall -= 10 * DAY_MS;
	await pin.forget('654321');
	await pin.forget('123456');
	wall += 10 * DAY_MS;
	expect(await pin.matches('123456')).toBeNull();
});

test('the offline PIN is valid only for its outlet and is deleted when this outlet logs out', async () => {
	const pin = open();
	await pin.remember('123456');
	session = { token: new Secret('t'), account: account('other'), refused: false };
	expect(await pin.matches('123456')).toBeNull();
	session = null;
	changed();
	session = { token: new Secret('t'), account: account('one'), refused: false };
	expect(await pin.matches('123456')).toBeNull();
});

test('a log-out succeeds even if the file of the PIN cannot be deleted', async () => {
	await open().remember('123456');
	// A folder in place of the file cannot be removed, like a file on a read-only disk.
	rmSync(join(directory, 'offline-pin.json'));
	mkdirSync(join(directory, 'offline-pin.json'));
	open();
	session = null;
	expect(changed).not.toThrow();
});
