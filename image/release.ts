/**
 * Writes and signs the manifest of a release.
 * Usage: node image/release.ts FOLDER KEY OPTION=VALUE …
 *
 * VERSION=V makes a new manifest for the files of that version in the folder. Without VERSION the
 * program changes the existing manifest and signs it again. CHANNEL selects the manifest; default:
 * stable. PERCENT, MIN_VERSION, FLOOR, SEVERITY, HOLD and RETRY set its fields. FAILED adds a
 * version to its list of bad versions.
 */
import { createHash, createPrivateKey } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { READS, WRITES } from '../daemon/src/journal/format.ts';
import { type FileKind, MANIFEST_FORMAT, parseManifest } from '../daemon/src/update/manifest.ts';
import { signatureOf } from '../daemon/src/update/signature.ts';
import { releaseNotes } from './release-notes.ts';

const [folder, keyFile, ...words] = process.argv.slice(2);
if (folder === undefined || keyFile === undefined) throw new Error('usage: node image/release.ts FOLDER KEY OPTION=VALUE …');
const options = new Map(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
const channel = options.get('CHANNEL') ?? 'stable';
const manifest = join(folder, `${channel}.json`);

const ENDS: Readonly<Record<string, FileKind>> = {
	'.root.raw': 'root',
	'.root.raw.gz': 'root.gz',
	'.verity.raw': 'verity',
	'.verity.raw.gz': 'verity.gz',
	'.efi': 'uki',
};

async function sha256(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

async function files(version: string) {
	const found = [];
	for (const name of readdirSync(folder ?? '').sort()) {
		const end = Object.keys(ENDS).find((end) => name.startsWith(`kiosk_${version}`) && name.endsWith(end));
		const kind = end === undefined ? undefined : ENDS[end];
		if (kind === undefined) continue;
		const path = join(folder ?? '', name);
		found.push({ name, bytes: statSync(path).size, sha256: await sha256(path), kind });
	}
	return found;
}

async function newManifest(version: string) {
	const notes = releaseNotes(readFileSync(join(import.meta.dirname, '..', 'CHANGELOG.md'), 'utf8'), version);
	writeFileSync(join(folder ?? '', `notes_${version}.md`), `${notes.id}\n---\n\n${notes.en}`);
	return {
		format: MANIFEST_FORMAT,
		channel,
		version,
		released_at: new Date().toISOString(),
		rollout: { percent: 100, seed: version },
		journal: { reads: READS, writes: WRITES },
		files: await files(version),
		notes,
	};
}

const version = options.get('VERSION');
const before: Record<string, unknown> =
	version === undefined ? (JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>) : await newManifest(version);
const set = (field: string, option: string, value: (text: string) => unknown) =>
	options.has(option) ? { [field]: value(options.get(option) ?? '') } : {};
const text = (value: string) => value;
const changed = {
	...before,
	...set('rollout', 'PERCENT', (percent) => ({ ...(before.rollout as object), percent: Number(percent) })),
	...set('min_version', 'MIN_VERSION', text),
	...set('floor', 'FLOOR', text),
	...set('severity', 'SEVERITY', text),
	...set('hold', 'HOLD', (hold) => hold === 'yes'),
	...set('retry', 'RETRY', Number),
	...set('failed', 'FAILED', (failed) => [...((before.failed as string[] | undefined) ?? []), failed]),
};
const bytes = Buffer.from(`${JSON.stringify(changed, null, '\t')}\n`);
// Parses the manifest as a kiosk does, so that no invalid manifest is published.
const parsed = parseManifest(bytes);
if (!parsed.ok) throw new Error(parsed.error.message);
writeFileSync(manifest, bytes);
writeFileSync(`${manifest}.sig`, signatureOf(bytes, createPrivateKey(readFileSync(keyFile))));
const { rollout, hold } = parsed.value;
process.stdout.write(`${manifest}: version ${parsed.value.version} for ${rollout.percent} % of the kiosks${hold ? ', held' : ''}\n`);
