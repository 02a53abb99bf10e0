/** Plans the source of each block of a new partition. The functions are pure. */
import { BLOCK_BYTES, HASH_BYTES, hashOf, type VerityTree } from './verity-tree.ts';

/** Marks of a block that is all zeros, and of a block that must be fetched. */
export const ZERO = -1;
export const FETCH = -2;

/**
 * Two needed blocks with at most this many blocks between them are fetched in one request, because
 * each request costs a round trip.
 */
const GAP_BLOCKS = 16;
/**
 * Maximum length of a range. Short ranges limit the loss when a connection breaks, and show
 * progress.
 */
const LONGEST_BLOCKS = 2_048;

/**
 * @returns for each new block: ZERO, FETCH, or the number of an equal block of the old partition
 */
export function planBlocks(fresh: VerityTree, old: VerityTree | null): Int32Array {
	const plan = new Int32Array(fresh.blocks).fill(FETCH);
	const zeros = hashOf(fresh.salt, Buffer.alloc(BLOCK_BYTES));
	// If the salts differ, no hash matches, and every block that is not all zeros is fetched.
	const known = old === null ? null : indexOf(old);
	for (let block = 0; block < fresh.blocks; block += 1) {
		const at = block * HASH_BYTES;
		if (zeros.compare(fresh.leaves, at, at + HASH_BYTES) === 0) plan[block] = ZERO;
		else if (known !== null) plan[block] = known(fresh.leaves, at) ?? FETCH;
	}
	return plan;
}

/** Indexes the leaves in one typed array, because a Map of 350,000 strings would need 50 MB. */
function indexOf({ leaves, blocks }: VerityTree): (hashes: Buffer, at: number) => number | null {
	const size = 2 ** Math.ceil(Math.log2(blocks * 2 + 1));
	const table = new Int32Array(size).fill(-1);
	const slotOf = (hashes: Buffer, at: number): number => hashes.readUInt32LE(at) & (size - 1);
	const isSame = (block: number, hashes: Buffer, at: number): boolean =>
		leaves.compare(hashes, at, at + HASH_BYTES, block * HASH_BYTES, (block + 1) * HASH_BYTES) === 0;
	/** @returns the slot of an equal hash, or the free slot for a new hash */
	function find(hashes: Buffer, at: number): number {
		let slot = slotOf(hashes, at);
		while (table[slot] !== -1 && !isSame(table[slot] as number, hashes, at)) slot = (slot + 1) & (size - 1);
		return slot;
	}
	for (let block = 0; block < blocks; block += 1) {
		const slot = find(leaves, block * HASH_BYTES);
		if (table[slot] === -1) table[slot] = block;
	}
	return (hashes, at) => {
		const block = table[find(hashes, at)] as number;
		return block === -1 ? null : block;
	};
}

export interface BlockRange {
	from: number;
	/** The first block after the range. */
	to: number;
}

/**
 * @param isNeeded whether a block must still be fetched
 * @returns few ranges that cover all needed blocks
 */
export function rangesOf(blocks: number, isNeeded: (block: number) => boolean): BlockRange[] {
	const ranges: BlockRange[] = [];
	for (let block = 0; block < blocks; block += 1) {
		if (!isNeeded(block)) continue;
		const last = ranges.at(-1);
		if (last !== undefined && block - last.to <= GAP_BLOCKS && block - last.from < LONGEST_BLOCKS) last.to = block + 1;
		else ranges.push({ from: block, to: block + 1 });
	}
	return ranges;
}

export interface Share {
	blocks: number;
	zero: number;
	/** Blocks equal to a block of the old partition, not counting blocks that are all zeros. */
	equal: number;
	fetched: number;
	/** Bytes of all ranges, including the gaps that need no fetch. */
	bytes: number;
	requests: number;
}

/** @returns the cost of an update from `old` to `fresh` */
export function shareOf(fresh: VerityTree, old: VerityTree | null): Share {
	const plan = planBlocks(fresh, old);
	const ranges = rangesOf(plan.length, (block) => plan[block] === FETCH);
	const count = (is: (source: number) => boolean): number => plan.reduce((sum, source) => sum + Number(is(source)), 0);
	return {
		blocks: plan.length,
		zero: count((source) => source === ZERO),
		equal: count((source) => source >= 0),
		fetched: count((source) => source === FETCH),
		bytes: ranges.reduce((sum, { from, to }) => sum + (to - from) * BLOCK_BYTES, 0),
		requests: ranges.length,
	};
}
