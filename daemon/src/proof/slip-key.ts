/**
 * The key with which the kiosk signs its receipts and slips: an Ed25519 key pair that only this
 * kiosk has. Its public half goes to the owner; the private half never leaves the state directory.
 */
import {
	createHash,
	createHmac,
	createPrivateKey,
	createPublicKey,
	generateKeyPairSync,
	hkdfSync,
	type KeyObject,
	sign,
	verify,
} from 'node:crypto';
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFileForGood } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';
import type { Log } from '../log/log.ts';
import { encode32 } from './base32.ts';

/** Length of a key's id. Eight letters carry 40 bits and can still be compared by eye. */
const ID_LETTERS = 8;

export interface SlipKey {
	/** The first letters of the public key's SHA-256 hash in base 32. */
	id: string;
	/** The public key, 32 bytes in base64url. */
	publicKey: string;
	/** @returns the signature, 64 bytes */
	sign(text: string): Buffer;
	/** @returns whether this key signed the text */
	hasSigned(text: string, signature: Uint8Array): boolean;
	/** @returns a keyed hash of the text in base 32, for codes that only this kiosk checks */
	mac(text: string): string;
}

/**
 * If the key has changed on the disk, it no longer matches `id`. A later version may add fields.
 */
const KeyFile = v.object({ id: v.string(), private: v.string() });

/**
 * Reads the kiosk's key; creates one at the first start and in place of a damaged key. The damaged
 * file is kept under another name.
 * @param now the time, which becomes part of the name under which a damaged file is kept
 * @returns null if the key can be neither read nor created. Printouts then have no code.
 */
export function openSlipKey(directory: string, log: Log, now: () => Date): SlipKey | null {
	const file = join(directory, 'slip.key');
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		const text = textOf(file);
		const found = text === null ? null : keyIn(text);
		if (found) return found;
		if (text !== null) {
			const kept = `${file}.damaged-${now().toISOString().replace(/\D/g, '').slice(0, 14)}`;
			renameSync(file, kept);
			log.event('slip.key_damaged', { file: kept });
		}
		const made = keyOf(generateKeyPairSync('ed25519').privateKey);
		replaceFileForGood(file, `${JSON.stringify({ id: made.key.id, private: made.stored })}\n`);
		log.event('slip.key_made', { key: made.key.id, public: made.key.publicKey });
		return made.key;
	} catch (error) {
		log.event('slip.no_key', { reason: messageOf(error) });
		return null;
	}
}

/**
 * @returns null if there is no file. Throws if the file cannot be read, because it may contain a
 * key.
 */
function textOf(file: string): string | null {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
		throw error;
	}
}

/** @returns the key; null if the text of the file is damaged */
function keyIn(text: string): SlipKey | null {
	try {
		const stored = v.parse(KeyFile, JSON.parse(text));
		const { key } = keyOf(createPrivateKey({ key: Buffer.from(stored.private, 'base64'), format: 'der', type: 'pkcs8' }));
		return key.id === stored.id ? key : null;
	} catch {
		return null;
	}
}

function keyOf(pair: KeyObject): { key: SlipKey; stored: string } {
	const open = createPublicKey(pair);
	const raw = Buffer.from(open.export({ format: 'jwk' }).x ?? '', 'base64url');
	const stored = pair.export({ format: 'der', type: 'pkcs8' });
	const secret = Buffer.from(hkdfSync('sha256', stored, '', 'short code of a slip', 32));
	const key = {
		id: keyId(raw),
		publicKey: raw.toString('base64url'),
		sign: (text: string) => sign(null, Buffer.from(text), pair),
		hasSigned: (text: string, signature: Uint8Array) => verify(null, Buffer.from(text), open, signature),
		mac: (text: string) => encode32(createHmac('sha256', secret).update(text).digest()),
	};
	return { key, stored: stored.toString('base64') };
}

const keyId = (raw: Uint8Array): string => encode32(createHash('sha256').update(raw).digest()).slice(0, ID_LETTERS);
