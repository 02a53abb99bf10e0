/**
 * Compares the hashes of two roots and prints which share of the new root's blocks is already in
 * the old root, so that an update need not download it. Usage: node image/equal-blocks.ts OLD NEW,
 * each a disk image (kiosk.raw) or a hash partition (*.verity.raw).
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';

const BLOCK_BYTES = 4_096;
const HASH_BYTES = 32;
const SECTOR_BYTES = 512;
const HASHES_PER_BLOCK = BLOCK_BYTES / HASH_BYTES;

interface Leaves {
	hashes: Set<string>;
	/** Hashes of all data blocks, in order. */
	all: string[];
}

/** @returns the offset of the hash partition in a file, bytes */
function hashPartitionAt(file: string): number {
	if (file.endsWith('.verity.raw')) return 0;
	const table = execFileSync('partx', ['-g', '-o', 'START,NAME', file], { encoding: 'utf8' });
	const start = /^ *(\d+) +kiosk_.*_v *$/m.exec(table)?.[1];
	if (start === undefined) throw new Error(`${file} has no hash partition`);
	return Number(start) * SECTOR_BYTES;
}

/** Reads the lowest level of the hash tree, which comes last in the partition. */
function leavesOf(file: string): Leaves {
	const from = hashPartitionAt(file);
	const open = openSync(file, 'r');
	const read = (at: number, bytes: number): Buffer => {
		const buffer = Buffer.alloc(bytes);
		readSync(open, buffer, 0, bytes, from + at);
		return buffer;
	};
	// The superblock begins with "verity" and contains the number of data blocks at byte 72.
	const superblock = read(0, BLOCK_BYTES);
	if (superblock.toString('latin1', 0, 6) !== 'verity') throw new Error(`${file} has no hashes`);
	const blocks = Number(superblock.readBigUInt64LE(72));
	const levels: number[] = [];
	for (let count = blocks; count > 1; ) {
		count = Math.ceil(count / HASHES_PER_BLOCK);
		levels.push(count);
	}
	const upper = levels.slice(1).reduce((sum, count) => sum + count, 0);
	const bytes = read((1 + upper) * BLOCK_BYTES, blocks * HASH_BYTES);
	closeSync(open);
	const all = Array.from({ length: blocks }, (_, index) => bytes.toString('latin1', index * HASH_BYTES, (index + 1) * HASH_BYTES));
	return { all, hashes: new Set(all) };
}

const [oldFile, newFile] = process.argv.slice(2);
if (oldFile === undefined || newFile === undefined) throw new Error('usage: node image/equal-blocks.ts OLD NEW');
const [before, after] = [leavesOf(oldFile), leavesOf(newFile)];
// The partition ends with zeros after the file system.
const zeros = after.all.at(-1);
const used = after.all.filter((hash) => hash !== zeros);
const missing = new Set(used.filter((hash) => !before.hashes.has(hash)));
const mb = (blocks: number): string => ((blocks * BLOCK_BYTES) / 1e6).toFixed(1);
process.stdout.write(
	`${used.length} blocks in use (${mb(used.length)} MB), ${((100 * (used.length - missing.size)) / used.length).toFixed(1)} % of them known; ${missing.size} to fetch (${mb(missing.size)} MB)\n`,
);
