/**
 * Signatures of manifests: Ed25519 with an update key. Images are signed with another key. The
 * image has two public update keys; the owner signs with the reserve key if the active key is lost.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { fail, messageOf, ok, type Result } from '../base/result.ts';

/** Folder of `active.pem` and `reserve.pem` in the image. */
export const UPDATE_KEYS = '/usr/share/kiosk/update-keys';
const KEY_NAMES = ['active', 'reserve'] as const;
export type KeyName = (typeof KEY_NAMES)[number];
/** Maximum size of a signature file; the usual size is about 130 bytes. */
export const LARGEST_SIGNATURE_BYTES = 1_024;

const SignatureFile = v.strictObject({
	key: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
	signature: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{86}==$/)),
});

export interface SignatureRefused {
	code: 'signature';
	message: string;
}

export interface UpdateKey {
	name: KeyName;
	id: string;
	key: KeyObject;
}

/** @returns the first 16 hex digits of the SHA-256 of the key's SPKI form */
export const keyId = (publicKey: KeyObject): string =>
	createHash('sha256')
		.update(publicKey.export({ type: 'spki', format: 'der' }))
		.digest('hex')
		.slice(0, 16);

/** @returns the usable update keys of the image; one key is enough */
export function readKeys(folder: string): Result<UpdateKey[], SignatureRefused> {
	const keys: UpdateKey[] = [];
	const problems: string[] = [];
	for (const name of KEY_NAMES) {
		try {
			const key = createPublicKey(readFileSync(join(folder, `${name}.pem`)));
			if (key.asymmetricKeyType === 'ed25519') keys.push({ name, id: keyId(key), key });
			else problems.push(`${name}.pem is not an Ed25519 key`);
		} catch (error) {
			problems.push(messageOf(error));
		}
	}
	return keys.length > 0 ? ok(keys) : refused(`this system has no usable update key (${problems.join('; ')})`);
}

/** @returns the name of the key that signed exactly these bytes */
export function checkSignature(bytes: Buffer, signatureFile: Buffer, keys: readonly UpdateKey[]): Result<KeyName, SignatureRefused> {
	const parsed = parseSignature(signatureFile);
	if (parsed === null) return refused('the signature file is damaged or cut off');
	const known = keys.find(({ id }) => id === parsed.key);
	if (known === undefined) return refused(`signed with the key ${parsed.key}, which this system does not know`);
	const isRight = verify(null, bytes, known.key, Buffer.from(parsed.signature, 'base64'));
	return isRight ? ok(known.name) : refused(`the signature of the ${known.name} key does not match these bytes`);
}

/** @returns the text of the signature file */
export const signatureOf = (bytes: Buffer, privateKey: KeyObject): string =>
	`${JSON.stringify({ key: keyId(createPublicKey(privateKey)), signature: sign(null, bytes, privateKey).toString('base64') })}\n`;

const refused = (message: string) => fail({ code: 'signature' as const, message });

function parseSignature(file: Buffer): v.InferOutput<typeof SignatureFile> | null {
	if (file.length > LARGEST_SIGNATURE_BYTES) return null;
	try {
		const parsed = v.safeParse(SignatureFile, JSON.parse(file.toString('utf8')));
		return parsed.success ? parsed.output : null;
	} catch {
		return null;
	}
}
