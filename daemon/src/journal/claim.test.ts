import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { PREDECESSOR_MS, takeClaims } from '../start-claims.ts';
import { type Claim, claimFolder } from './claim.ts';

const SELF = { pid: process.pid, since: '2026-11-21T14:31:08+07:00', settings: '/etc/kiosk/kiosk.toml', address: '127.0.0.1:8080' };

let folder: string;
let directory: string;
beforeEach(() => {
	folder = temporaryFolder('claim');
	directory = join(folder, 'journal');
});

const claim = (at = directory, self = SELF): Claim => claimFolder(at, 'journal.lock', self);

test('a second claim is refused with an error that names the holder, until the first claim is released', () => {
	const [first, second] = [claim(), claim()];
	expect([first.take(), first.take()]).toEqual([null, null]);
	const message = `${directory} is in use by process ${process.pid}, started ${SELF.since} with ${SELF.settings}, which serves ${SELF.address}`;
	expect(second.take()).toEqual({ code: 'held', message });
	first.release();
	expect(second.take()).toBeNull();
	expect(first.take()).toMatchObject({ code: 'held' });
	second.release();
});

test('a claim through a symbolic link is the same claim; another lock file in the folder is a separate claim', () => {
	const first = claim();
	expect(first.take()).toBeNull();
	const link = join(folder, 'link');
	symlinkSync(directory, link);
	expect(claim(link).take()).toMatchObject({ code: 'held' });
	const state = claimFolder(directory, 'state.lock', SELF);
	expect(state.take()).toBeNull();
	state.release();
	first.release();
});

test('only the owner may open the lock file, since a reader could lock out the daemon', () => {
	const first = claim();
	first.take();
	expect(statSync(join(directory, 'journal.lock')).mode & 0o077).toBe(0);
	expect(statSync(directory).mode & 0o077).toBe(0);
	first.release();
});

test('garbage collection does not release a claim', async () => {
	setFlagsFromString('--expose-gc');
	const collect: () => void = runInNewContext('gc');
	expect(claim().take()).toBeNull();
	for (let round = 0; round < 3; round += 1) {
		collect();
		await new Promise((resolve) => void setImmediate(resolve));
	}
	expect(claim().take()).toMatchObject({ code: 'held' });
});

test('after another disk is mounted over the folder, the claim is taken on the new folder', () => {
	const first = claim();
	first.take();
	renameSync(directory, `${directory}.below`);
	mkdirSync(directory);
	expect(first.take()).toBeNull();
	expect(claim().take()).toMatchObject({ code: 'held' });
	expect(claim(`${directory}.below`).take()).toBeNull();
	first.release();
});

test('the error does not name a process that has ended or whose data cannot be read', () => {
	const ended = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
	const first = claim(directory, { ...SELF, pid: ended });
	first.take();
	expect(claim().take()?.message).toBe(`${directory} is in use by another process`);
	writeFileSync(join(directory, 'journal.lock.holder'), '{');
	expect(claim().take()?.message).toContain('by another process');
	first.release();
});

test('the start reports an unusable folder at once; it waits for a held folder until the folder is free or the time limit has passed', async () => {
	writeFileSync(join(folder, 'file'), '');
	const unusable = claim(join(folder, 'file', 'journal'));
	let now = 0;
	expect(await takeClaims([unusable], () => now)).toMatchObject({ code: 'unusable', message: expect.stringContaining('cannot be used') });
	const [first, other, free] = [claim(), claim(), claim(join(folder, 'state'))];
	first.take();
	let looks = 0;
	const clock = () => {
		looks += 1;
		if (looks === 3) first.release();
		return now;
	};
	expect(await takeClaims([free, other], clock)).toBeNull();
	now = 0;
	const late = takeClaims([first], () => {
		now += PREDECESSOR_MS / 2;
		return now;
	});
	expect(await late).toMatchObject({ code: 'held' });
	for (const one of [other, free]) one.release();
});
