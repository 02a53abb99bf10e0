import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFileForGood } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';

/**
 * A journal of an earlier version is sealed only from the record `from` on. `before` is the hash of
 * the preceding record, so the unsealed part cannot be rewritten either. Both are stored with the
 * key and not in the journal, because an attacker who rewrites the journal could remove them there.
 * A later version may add fields. `seals_settings`: whether this key seals the accepted settings;
 * version 0.2.0 did not seal them.
 */
const KeyFile = v.object({
	key: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
	from: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
	before: v.pipe(v.string(), v.regex(/^([0-9a-f]{64})?$/)),
	seals_settings: v.optional(v.boolean(), false),
});

/**
 * Proves that this kiosk wrote a record: an HMAC over the record's hash. Through the chain, the
 * hash covers all earlier records.
 */
export interface Seal {
	/** The first record that must be sealed. */
	from: number;
	/** Hash of the preceding record, hex; '' if there is none. */
	before: string;
	/**
	 * Whether accepted settings must have a seal of this key. If true, settings without a seal are
	 * forged.
	 */
	seals_settings: boolean;
	/** @param hash SHA-256 of a record or of the accepted settings, 32 bytes */
	of(hash: Uint8Array): Buffer;
}

/**
 * The key is in the state folder, not beside the journal. On the appliance this folder is on
 * another partition, which is encrypted if the image was built with `KIOSK_ENCRYPT=tpm2`.
 */
export const sealKeyPath = (stateDirectory: string): string => join(stateDirectory, 'journal.key');

/**
 * `missing`: there is no file, or no valid key in it. `unreadable`: there may be a key, but disk or
 * permissions prevent reading it.
 */
export type SealFound = { state: 'found'; seal: Seal } | { state: 'missing' | 'unreadable'; why: string };

export function readSeal(file: string): SealFound {
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (error) {
		const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
		return missing ? { state: 'missing', why: `${file} is not there` } : { state: 'unreadable', why: messageOf(error) };
	}
	try {
		return { state: 'found', seal: sealOf(v.parse(KeyFile, JSON.parse(text))) };
	} catch {
		return { state: 'missing', why: `${file} is empty or damaged` };
	}
}

/**
 * Creates and stores a key; durable on return, because a power cut must not leave sealed records
 * without their key. Throws on failure.
 * @param from the first record to seal
 * @param before hash of the preceding record, hex
 */
export function makeSeal(file: string, from: number, before: string): Seal {
	const made = { key: randomBytes(32).toString('hex'), from, before, seals_settings: false };
	replaceFileForGood(file, `${JSON.stringify(made)}\n`);
	return sealOf(made);
}

/**
 * Records in the key file that the accepted settings are sealed from now on. A program that cannot
 * read the key file can remove this entry only together with the key. Durable on return. Throws on
 * failure.
 */
export function recordSealedSettings(file: string): void {
	const key = v.parse(KeyFile, JSON.parse(readFileSync(file, 'utf8')));
	replaceFileForGood(file, `${JSON.stringify({ ...key, seals_settings: true })}\n`);
}

/**
 * Restricts the key's file to its owner.
 * @returns whether other users had access until now; also false if the permissions could not be
 * changed
 */
export function hideSeal(file: string): boolean {
	try {
		if ((statSync(file).mode & 0o077) === 0) return false;
		chmodSync(file, 0o600);
		return true;
	} catch {
		return false;
	}
}

const sealOf = ({ key, ...facts }: v.InferOutput<typeof KeyFile>): Seal => {
	// A key object is used, because each HMAC with a key of plain bytes would take five times as
	// long.
	const secret = createSecretKey(Buffer.from(key, 'hex'));
	return { ...facts, of: (hash) => createHmac('sha256', secret).update(hash).digest() };
};
