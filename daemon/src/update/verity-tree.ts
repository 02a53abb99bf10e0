/**
 * The hash tree of dm-verity. Its lowest level lists the SHA-256 of every block, so two trees show
 * which blocks two versions share. The root hash in the signed kernel image authenticates the tree.
 * Format: kernel documentation, device-mapper/verity, and cryptsetup's superblock.
 */
import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../base/result.ts';

export const BLOCK_BYTES = 4_096;
export const HASH_BYTES = 32;
const HASHES_IN_BLOCK = BLOCK_BYTES / HASH_BYTES;
/** Limit of 64 GiB. The root partition has 1.4 GiB. */
const MOST_BLOCKS = 2 ** 24;

export interface VerityTree {
	/** Blocks of the partition. */
	blocks: number;
	salt: Buffer;
	/** The hashes of all blocks, in order. */
	leaves: Buffer;
}

export interface TreeRefused {
	code: 'verity';
	message: string;
}

/** @returns the hash of one block */
export const hashOf = (salt: Buffer, block: Buffer): Buffer => createHash('sha256').update(salt).update(block).digest();

/** @returns the number of hash blocks of each level, leaves first */
export function levelsOf(blocks: number): number[] {
	const levels: number[] = [];
	for (let count = blocks; count > 1 || levels.length === 0; ) {
		count = Math.ceil(count / HASHES_IN_BLOCK);
		levels.push(count);
	}
	return levels;
}

/**
 * @param partition hash partition: superblock, then the levels from the top
 * @param rootHash hex; null: the tree is not verified
 */
export function parseVerity(partition: Buffer, rootHash: string | null): Result<VerityTree, TreeRefused> {
	const refuse = (message: string) => fail<TreeRefused>({ code: 'verity', message });
	if (partition.length < BLOCK_BYTES || partition.toString('latin1', 0, 8) !== 'verity\0\0') return refuse('no superblock');
	const [version, type] = [partition.readUInt32LE(8), partition.readUInt32LE(12)];
	const algorithm = partition.toString('latin1', 32, 64).replace(/\0+$/, '');
	const [dataBlock, hashBlock] = [partition.readUInt32LE(64), partition.readUInt32LE(68)];
	const blocks = Number(partition.readBigUInt64LE(72));
	const saltBytes = partition.readUInt16LE(80);
	if (version !== 1 || type !== 1 || algorithm !== 'sha256' || dataBlock !== BLOCK_BYTES || hashBlock !== BLOCK_BYTES || saltBytes > 256)
		return refuse(`an unsupported format: ${algorithm}, blocks of ${dataBlock} and ${hashBlock} bytes`);
	if (blocks < 2 || blocks > MOST_BLOCKS) return refuse(`${blocks} blocks`);
	const salt = partition.subarray(88, 88 + saltBytes);
	const levels = levelsOf(blocks);
	const end = (1 + levels.reduce((sum, count) => sum + count, 0)) * BLOCK_BYTES;
	if (partition.length < end) return refuse(`${partition.length} bytes, the tree has ${end}`);
	const problem = rootHash === null ? null : problemOfTree(partition, levels, salt, rootHash);
	if (problem !== null) return refuse(problem);
	const from = end - (levels[0] as number) * BLOCK_BYTES;
	return ok({ blocks, salt, leaves: partition.subarray(from, from + blocks * HASH_BYTES) });
}

/** Checks every block of every level against the level above it. */
function problemOfTree(partition: Buffer, levels: readonly number[], salt: Buffer, rootHash: string): string | null {
	let above: Buffer = Buffer.from(rootHash, 'hex');
	let at = BLOCK_BYTES;
	for (const count of levels.toReversed()) {
		const level = partition.subarray(at, at + count * BLOCK_BYTES);
		for (let index = 0; index < count; index += 1) {
			const own = hashOf(salt, level.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES));
			if (!own.equals(above.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES))) return 'the tree does not belong to the root hash';
		}
		above = level;
		at += count * BLOCK_BYTES;
	}
	return null;
}
