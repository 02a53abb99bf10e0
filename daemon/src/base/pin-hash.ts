import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import * as v from 'valibot';

/** Parameters of scrypt: each guess costs a tenth of a second and 32 MB. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const HASH_BYTES = 32;

const derive = promisify(scrypt) as (pin: string, salt: Buffer, length: number, cost: typeof COST) => Promise<Buffer>;

/** Hashes a PIN; the simulation uses a faster function. */
export type HashOf = (pin: string, salt: Buffer) => Promise<Buffer>;
const slowHash: HashOf = (pin, salt) => derive(pin, salt, HASH_BYTES, COST);

/** A PIN or code as it is kept on the disk: salt and hash, both in base64. */
export const PinHash = v.object({ salt: v.string(), hash: v.string() });
export type PinHash = v.InferOutput<typeof PinHash>;

/** @returns a salted hash of the digits */
export async function hashPin(pin: string, hashOf = slowHash): Promise<PinHash> {
	const salt = randomBytes(16);
	const hash = await hashOf(pin, salt);
	return { salt: salt.toString('base64'), hash: hash.toString('base64') };
}

/** @returns whether the hash was made from this PIN */
export async function matchesPin(pin: string, { salt, hash }: PinHash, hashOf = slowHash): Promise<boolean> {
	const found = await hashOf(pin, Buffer.from(salt, 'base64'));
	const expected = Buffer.from(hash, 'base64');
	return expected.length === found.length && timingSafeEqual(expected, found);
}
