import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { randomFrom } from '../../../tests/support/random.ts';
import { systemClock } from '../base/clock.ts';
import { assembler } from './assemble.ts';
import { shareOf } from './block-plan.ts';
import { partOf } from './fetch-file.ts';
import { fetchSet } from './fetch-set.ts';
import { cutsAfter, knowsNoRange, type Publisher, publisher, sends } from './publisher.fixture.ts';
import { newKey, releaseOf, rootName } from './release.fixture.ts';
import { updateServer } from './server.ts';
import { kernelImage } from './slots.fixture.ts';
import { verityOf } from './verity.fixture.ts';
import { parseVerity } from './verity-tree.ts';

const BLOCK = 4_096;
const SALT = Buffer.from('5a'.repeat(32), 'hex');
const random = randomFrom(4);
const noise = (blocks: number): Buffer =>
	Buffer.from(Uint32Array.from({ length: (blocks * BLOCK) / 4 }, () => random.int(0, 2 ** 32 - 1)).buffer);
const zeros = (blocks: number): Buffer => Buffer.alloc(blocks * BLOCK);
const [shared, moved] = [noise(300), noise(60)];
/** Two successive versions: most blocks are equal, some have moved, many are empty. */
const OLD = Buffer.concat([noise(10), shared, moved, zeros(300)]);
const FRESH = Buffer.concat([noise(20), moved, shared, noise(40), zeros(250)]);
const FETCHED_BLOCKS = 60;
const old = verityOf(OLD, SALT);
const fresh = verityOf(FRESH, SALT);
const treeOf = (verity: Buffer, rootHash: string | null = null) => {
	const parsed = parseVerity(verity, rootHash);
	if (!parsed.ok) throw new Error(parsed.error.message);
	return parsed.value;
};

describe('the hash tree', () => {
	test('can be read in the form that veritysetup writes', ({ skip }) => {
		const folder = temporaryFolder('verity');
		const [root, hashes] = [join(folder, 'root'), join(folder, 'hashes')];
		writeFileSync(root, FRESH);
		writeFileSync(hashes, '');
		const words = ['format', root, hashes, `--salt=${SALT.toString('hex')}`];
		const made = spawnSync('veritysetup', words, { encoding: 'utf8', env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } });
		if (made.error) return skip('this computer has no veritysetup (Debian: cryptsetup-bin)');
		const rootHash = /Root hash:\s*([0-9a-f]{64})/.exec(made.stdout)?.[1] ?? made.stderr;
		expect(rootHash).toBe(fresh.rootHash);
		expect(treeOf(readFileSync(hashes), rootHash).leaves.equals(treeOf(fresh.verity).leaves)).toBe(true);
	});

	test('is refused if any bit differs from the tree of the root hash', () => {
		expect(parseVerity(fresh.verity, fresh.rootHash)).toMatchObject({ ok: true, value: { blocks: FRESH.length / BLOCK } });
		expect(parseVerity(fresh.verity, old.rootHash)).toMatchObject({ ok: false, error: { code: 'verity' } });
		for (let at = BLOCK; at < fresh.verity.length; at += 1_000) {
			const flipped = Buffer.from(fresh.verity);
			flipped[at] = (flipped[at] as number) ^ 1;
			expect(parseVerity(flipped, fresh.rootHash).ok).toBe(false);
		}
	});

	test.each<[string, Buffer]>([
		['is empty', Buffer.alloc(0)],
		['has no superblock', zeros(4)],
		['is truncated', fresh.verity.subarray(0, 2 * BLOCK)],
		['claims impossibly many blocks', Buffer.from(fresh.verity).fill(0xff, 72, 80)],
	])('is refused if it %s', (_what, bytes) => expect(parseVerity(bytes, null).ok).toBe(false));

	test('reports the share of equal blocks, which is zero if the salts differ', () => {
		expect(shareOf(treeOf(fresh.verity), treeOf(old.verity))).toMatchObject({
			blocks: 670,
			zero: 250,
			equal: 360,
			fetched: FETCHED_BLOCKS,
			requests: 2,
		});
		const salted = treeOf(verityOf(OLD, Buffer.alloc(32, 1)).verity);
		expect(shareOf(treeOf(fresh.verity), salted)).toMatchObject({ equal: 0, zero: 250, fetched: 420 });
		expect(shareOf(treeOf(fresh.verity), null)).toMatchObject({ equal: 0, zero: 250 });
	});
});

describe('a new root', () => {
	let web: Publisher;
	let folder: string;
	let running: { root: string; verity: string };
	const { manifest, files } = releaseOf({ root: FRESH, verity: fresh.verity, uki: kernelImage(`roothash=${fresh.rootHash}`) }, newKey());
	const name = rootName('0.3.0');
	beforeEach(async () => {
		web = await publisher(files);
		folder = temporaryFolder('set');
		const system = temporaryFolder('running');
		running = { root: join(system, 'root'), verity: join(system, 'verity') };
		writeFileSync(running.root, OLD);
		writeFileSync(running.verity, old.verity);
	});
	const fetched = () => {
		const server = updateServer({ url: web.url, ca: null });
		onTestFinished(() => server.close());
		const clock = { ...systemClock, after: (ms: number, action: () => void) => systemClock.after(ms === 10_000 ? 0 : ms, action) };
		const line = {
			clock,
			rate: null,
			patience: { silenceMs: 60_000, slowMs: 300_000, slowBytes: 1 },
			signal: new AbortController().signal,
		};
		return fetchSet(manifest, { server, line, folder, onBytes: () => undefined, reserveBytes: 0 }, assembler(running));
	};
	const isHere = (): boolean => readFileSync(join(folder, name)).equals(FRESH);
	const asked = (): string[] => web.asked.filter((one) => one.startsWith(name));

	test('reuses the blocks of the running root and fetches only new blocks', async () => {
		expect(await fetched()).toMatchObject({ ok: true });
		expect(isHere()).toBe(true);
		expect(asked()).toEqual([`${name} bytes=0-81919`, `${name} bytes=${380 * BLOCK}-${420 * BLOCK - 1}`]);
		expect(statSync(join(folder, name)).blocks * 512).toBeLessThan(FRESH.length - 200 * BLOCK);
	});

	test('continues after a broken connection and does not fetch copied blocks', async () => {
		web.misbehave(name, cutsAfter(0), 1);
		expect(await fetched()).toMatchObject({ ok: false, error: { code: 'unreachable' } });
		expect(existsSync(partOf(join(folder, name)))).toBe(true);
		web.misbehave(name, cutsAfter(10_000), 3);
		expect(await fetched()).toMatchObject({ ok: true });
		expect(isHere()).toBe(true);
		expect(web.sent()).toBeLessThan((FETCHED_BLOCKS + 20) * BLOCK + fresh.verity.length + 10_000);
	});

	test('replaces wrong blocks in the partial file of an earlier run', async () => {
		writeFileSync(partOf(join(folder, name)), Buffer.alloc(FRESH.length, 7));
		expect(await fetched()).toMatchObject({ ok: true });
		expect(isHere()).toBe(true);
	});

	test('is completed from the server if blocks of the running root are damaged or unreadable', async () => {
		writeFileSync(running.root, Buffer.concat([OLD.subarray(0, 100 * BLOCK), noise(100), OLD.subarray(200 * BLOCK)]));
		expect(await fetched()).toMatchObject({ ok: true });
		expect(isHere()).toBe(true);
		running = { root: '/nowhere', verity: '/nowhere' };
		folder = temporaryFolder('set');
		expect(await fetched()).toMatchObject({ ok: true });
		expect(isHere()).toBe(true);
	});

	test.each([
		['does not support ranges', knowsNoRange],
		['sends other blocks', sends(Buffer.alloc(20 * BLOCK), { 'Content-Range': `bytes 0-81919/${FRESH.length}` }, 206)],
	])('is fetched as a whole from a server that %s', async (_what, how) => {
		web.misbehave(name, how);
		expect(await fetched()).toMatchObject({ ok: true });
		expect(isHere()).toBe(true);
		expect(web.asked).toContain(`${name}.gz whole`);
	});
});
