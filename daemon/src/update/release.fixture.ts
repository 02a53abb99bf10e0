/** Releases for tests: a manifest as it is published, signed with real keys. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Manifest } from './manifest.ts';
import { sha256OfBytes as sha256 } from './sha256.ts';
import { signatureOf } from './signature.ts';

export const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

/** Writes the public keys under the names used in the image. */
export function writeKeys(folder: string, keys: { active?: KeyObject; reserve?: KeyObject }): void {
	mkdirSync(folder, { recursive: true });
	for (const [name, key] of Object.entries(keys))
		if (key) writeFileSync(join(folder, `${name}.pem`), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
}

const UUID = '0123456789abcdef0123456789abcdef';
export const rootName = (version: string): string => `kiosk_${version}_${UUID}.root.raw`;
export const verityName = (version: string): string => `kiosk_${version}_${UUID}.verity.raw`;

export function manifestOf(change: Partial<Manifest> = {}): Manifest {
	const version = change.version ?? '0.3.0';
	const file = (name: string, kind: Manifest['files'][number]['kind']) => ({ name, bytes: 4_096, sha256: sha256(Buffer.from(name)), kind });
	return {
		format: 1,
		channel: 'stable',
		version,
		released_at: '2026-11-20T00:00:00Z',
		rollout: { percent: 100, seed: version },
		severity: 'routine',
		journal: { reads: 1, writes: 1 },
		files: [file(rootName(version), 'root'), file(verityName(version), 'verity'), file(`kiosk_${version}.efi`, 'uki')],
		notes: { id: '', en: '' },
		hold: false,
		failed: [],
		retry: 0,
		...change,
	};
}

export const bytesOf = (manifest: object): Buffer => Buffer.from(`${JSON.stringify(manifest, null, '\t')}\n`);

/** @returns manifest and signature as they are published */
export function signed(manifest: object, key: KeyObject): { bytes: Buffer; signature: Buffer } {
	const bytes = bytesOf(manifest);
	return { bytes, signature: Buffer.from(signatureOf(bytes, key)) };
}

/** Contents of the three required files of a release. */
export interface Contents {
	root: Buffer;
	verity: Buffer;
	uki: Buffer;
}

/** @returns the manifest, and every published file by name, including compressed files */
export function releaseOf(
	contents: Contents,
	key: KeyObject,
	change: Partial<Manifest> = {},
): { manifest: Manifest; files: Record<string, Buffer> } {
	const { version } = manifestOf(change);
	const named: [string, Manifest['files'][number]['kind'], Buffer][] = [
		[rootName(version), 'root', contents.root],
		[verityName(version), 'verity', contents.verity],
		[`kiosk_${version}.efi`, 'uki', contents.uki],
		[`${rootName(version)}.gz`, 'root.gz', gzipSync(contents.root)],
		[`${verityName(version)}.gz`, 'verity.gz', gzipSync(contents.verity)],
	];
	const manifest = manifestOf({
		files: named.map(([name, kind, bytes]) => ({ name, kind, bytes: bytes.length, sha256: sha256(bytes) })),
		...change,
	});
	return { manifest, files: { ...Object.fromEntries(named.map(([name, , bytes]) => [name, bytes])), ...listOf(manifest, key) } };
}

/** @returns the signed manifest as the two published files */
export function listOf(manifest: Manifest, key: KeyObject, name = `${manifest.channel}.json`): Record<string, Buffer> {
	const { bytes, signature } = signed(manifest, key);
	return { [name]: bytes, [`${name}.sig`]: signature };
}
