/**
 * Makes the new root from blocks of the running root, and fetches the other blocks. Each block is
 * checked against the new hash tree before it is written. The complete file is checked by its
 * SHA-256. No progress is stored: the next run compares the blocks of the partial file with the
 * tree.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../base/clock.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import { type BlockRange, planBlocks, rangesOf, ZERO } from './block-plan.ts';
import { type FetchDeps, keepIfRight, partOf, problemOfSpace } from './fetch-file.ts';
import type { Assemble } from './fetch-set.ts';
import { rootHashIn } from './kernel-image.ts';
import { fileOf } from './manifest.ts';
import { receive } from './receive.ts';
import type { FetchFailure } from './server.ts';
import { BLOCK_BYTES, HASH_BYTES, hashOf, parseVerity, type VerityTree } from './verity-tree.ts';

/** Number of blocks that are read at once. */
const CHUNK_BLOCKS = 256;
const AGAIN_MS = 10_000;
const MOST_FAILURES = 50;
/**
 * Number of blocks that are written between two syncs. One long sync would delay the journal's
 * syncs.
 */
const STRETCH_BLOCKS = 1_024;

/** Paths of the running system: the root as dm-verity shows it, and the hash partition. */
export interface RunningRoot {
	root: string;
	verity: string;
}

/** @param running if null or unreadable, every block that is not all zeros is downloaded */
export function assembler(running: RunningRoot | null): Assemble {
	return async (manifest, deps) => {
		const file = fileOf(manifest, 'root');
		const rootHash = rootHashIn(readFileSync(join(deps.folder, fileOf(manifest, 'uki').name)));
		if (rootHash === null) return fail({ code: 'checksum', message: 'the kernel image names no root hash' });
		const tree = parseVerity(readFileSync(join(deps.folder, fileOf(manifest, 'verity').name)), rootHash);
		if (!tree.ok) return fail({ code: 'checksum', message: `the hashes of the new root: ${tree.error.message}` });
		if (tree.value.blocks * BLOCK_BYTES !== file.bytes)
			return fail({ code: 'checksum', message: `${file.name} has ${file.bytes} bytes, its hashes are of ${tree.value.blocks} blocks` });
		const old = running === null ? null : oldTree(running);
		const path = join(deps.folder, file.name);
		try {
			const filled = await fill({
				name: file.name,
				tree: tree.value,
				old,
				oldRoot: old && running ? running.root : null,
				part: partOf(path),
				deps,
			});
			return filled.ok ? await keepIfRight(file, partOf(path), path) : filled;
		} catch (error) {
			return fail({ code: 'disk', message: `${path}: ${messageOf(error)}` });
		}
	};
}

/**
 * Reads the hash tree of the running root. It is not verified, because each copied block is
 * compared with the new tree.
 */
function oldTree({ verity }: RunningRoot): VerityTree | null {
	try {
		const parsed = parseVerity(readFileSync(verity), null);
		return parsed.ok ? parsed.value : null;
	} catch {
		return null;
	}
}

interface Filling {
	name: string;
	tree: VerityTree;
	old: VerityTree | null;
	oldRoot: string | null;
	part: string;
	deps: FetchDeps;
}

async function fill(of: Filling): Promise<Result<void, FetchFailure>> {
	const { tree, part, deps } = of;
	const plan = planBlocks(tree, of.old);
	const isResumed = existsSync(part);
	const handle = await open(part, isResumed ? 'r+' : 'w+', 0o644);
	const oldRoot = of.oldRoot === null ? null : await open(of.oldRoot, 'r').catch(() => null);
	try {
		await handle.truncate(tree.blocks * BLOCK_BYTES);
		// A hole in a new file reads as zeros, so blocks of zeros are already right.
		const isDone = isResumed
			? await rightBlocks(handle, tree)
			: new Uint8Array(tree.blocks).map((_, block) => Number(plan[block] === ZERO));
		const missing = isDone.reduce((sum, done) => sum + 1 - done, 0);
		const space = problemOfSpace(deps.folder, missing * BLOCK_BYTES, deps.reserveBytes);
		if (space !== null) return fail(space);
		const write = writer(handle, tree, isDone);
		await copyBlocks(plan, oldRoot, isDone, write);
		return await fetchBlocks(of, isDone, write);
	} finally {
		await handle.sync().catch(() => undefined);
		await handle.close();
		await oldRoot?.close();
	}
}

const isRight = (tree: VerityTree, block: number, bytes: Buffer): boolean =>
	hashOf(tree.salt, bytes).compare(tree.leaves, block * HASH_BYTES, (block + 1) * HASH_BYTES) === 0;

/** @returns for each block of the file: 1 if it is already right, else 0 */
async function rightBlocks(handle: FileHandle, tree: VerityTree): Promise<Uint8Array> {
	const right = new Uint8Array(tree.blocks);
	const chunk = Buffer.alloc(CHUNK_BLOCKS * BLOCK_BYTES);
	for (let first = 0; first < tree.blocks; first += CHUNK_BLOCKS) {
		const { bytesRead } = await handle.read(chunk, 0, chunk.length, first * BLOCK_BYTES);
		for (let index = 0; (index + 1) * BLOCK_BYTES <= bytesRead && first + index < tree.blocks; index += 1)
			right[first + index] = Number(isRight(tree, first + index, chunk.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES)));
	}
	return right;
}

/** Writes one block if it matches the new tree. @returns whether it matches */
type Write = (block: number, bytes: Buffer) => Promise<boolean>;

function writer(handle: FileHandle, tree: VerityTree, isDone: Uint8Array): Write {
	let unsynced = 0;
	return async (block, bytes) => {
		if (isDone[block] === 1) return true;
		if (!isRight(tree, block, bytes)) return false;
		await handle.write(bytes, 0, BLOCK_BYTES, block * BLOCK_BYTES);
		isDone[block] = 1;
		unsynced += 1;
		if (unsynced < STRETCH_BLOCKS) return true;
		unsynced = 0;
		await handle.datasync();
		return true;
	};
}

/**
 * Copies reusable blocks of the running root. Blocks that are unreadable or wrong are fetched
 * later.
 */
async function copyBlocks(plan: Int32Array, oldRoot: FileHandle | null, isDone: Uint8Array, write: Write): Promise<void> {
	if (oldRoot === null) return;
	const bytes = Buffer.alloc(BLOCK_BYTES);
	for (const [block, source] of plan.entries()) {
		if (source < 0 || isDone[block] === 1) continue;
		const read = await oldRoot.read(bytes, 0, BLOCK_BYTES, source * BLOCK_BYTES).catch(() => null);
		if (read?.bytesRead === BLOCK_BYTES) await write(block, bytes);
	}
}

async function fetchBlocks(of: Filling, isDone: Uint8Array, write: Write): Promise<Result<void, FetchFailure>> {
	const { line } = of.deps;
	let failures = 0;
	for (const range of rangesOf(isDone.length, (block) => isDone[block] === 0)) {
		for (let from = range.from; from < range.to; ) {
			const got = await fetchRange(of, { from, to: range.to }, write);
			if (got.ok) break;
			const before = from;
			while (from < range.to && isDone[from] === 1) from += 1;
			failures += 1;
			const mayGoOn = got.error.code === 'unreachable' && from > before && failures < MOST_FAILURES && !line.signal.aborted;
			if (!mayGoOn) return got;
			await pause(line.clock, AGAIN_MS);
		}
	}
	return ok(undefined);
}

/** Fetches one range with one request. Wrong blocks are not written. */
async function fetchRange({ name, tree, deps }: Filling, { from, to }: BlockRange, write: Write): Promise<Result<void, FetchFailure>> {
	const bytes = tree.blocks * BLOCK_BYTES;
	const block = Buffer.alloc(BLOCK_BYTES);
	let [number, filled, wrong] = [from, 0, -1];
	const got = await receive(
		deps.line,
		(to - from) * BLOCK_BYTES,
		(signal) => deps.server.open(name, bytes, { from: from * BLOCK_BYTES, to: to * BLOCK_BYTES }, signal),
		async (piece) => {
			deps.onBytes(piece.length);
			for (let at = 0; at < piece.length; ) {
				const taken = piece.copy(block, filled, at, at + BLOCK_BYTES - filled);
				at += taken;
				filled += taken;
				if (filled < BLOCK_BYTES) continue;
				if (!(await write(number, block)) && wrong < 0) wrong = number;
				number += 1;
				filled = 0;
			}
		},
	);
	return got.ok && wrong >= 0 ? fail({ code: 'checksum', message: `block ${wrong} of ${name} is not the published one` }) : got;
}
