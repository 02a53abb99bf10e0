/** Builds a hash tree from the documented format, without the code under test. */
import { createHash } from 'node:crypto';

const BLOCK = 4_096;

/** @returns the hash partition and the root hash */
export function verityOf(root: Buffer, salt: Buffer): { verity: Buffer; rootHash: string } {
	const hash = (block: Buffer): Buffer =>
		createHash('sha256')
			.update(Buffer.concat([salt, block]))
			.digest();
	const hashAll = (bytes: Buffer): Buffer => {
		const hashes: Buffer[] = [];
		for (let at = 0; at < bytes.length; at += BLOCK) hashes.push(hash(bytes.subarray(at, at + BLOCK)));
		const joined = Buffer.concat(hashes);
		return Buffer.concat([joined, Buffer.alloc((BLOCK - (joined.length % BLOCK)) % BLOCK)]);
	};
	const levels = [hashAll(root)];
	while ((levels.at(-1) as Buffer).length > BLOCK) levels.push(hashAll(levels.at(-1) as Buffer));
	const superblock = Buffer.alloc(BLOCK);
	superblock.write('verity', 0);
	superblock.writeUInt32LE(1, 8);
	superblock.writeUInt32LE(1, 12);
	superblock.write('sha256', 32);
	superblock.writeUInt32LE(BLOCK, 64);
	superblock.writeUInt32LE(BLOCK, 68);
	superblock.writeBigUInt64LE(BigInt(root.length / BLOCK), 72);
	superblock.writeUInt16LE(salt.length, 80);
	salt.copy(superblock, 88);
	return { verity: Buffer.concat([superblock, ...levels.toReversed()]), rootHash: hash(levels.at(-1) as Buffer).toString('hex') };
}
