/** `kiosk-update import DIR`: takes an update that a stick or a technician has brought. */
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import { type CheckDeps, readPublished, verified } from './check.ts';
import { decide, type Refusal } from './decision.ts';
import { LARGEST_MANIFEST_BYTES, type Manifest } from './manifest.ts';
import type { UpdateKey } from './signature.ts';
import { failuresOf, type State } from './state.ts';
import { compareVersions } from './version.ts';
import { cleanFolders, openFolder, type Published } from './version-folder.ts';

type Offer = Published & { manifest: Manifest };

/**
 * Imports an update. The files are verified in the version's folder, from which they are installed.
 * @param from folder with the copied files, which is emptied afterwards
 * @returns the state afterwards
 */
export async function importSet(of: Omit<CheckDeps, 'server' | 'line' | 'assemble'> & { now: () => Date }, from: string): Promise<State> {
	const before = of.state.read();
	const refuse = ({ code, message }: Refusal, version: string | null): State =>
		of.state.change({ state: 'refused', version, reason: code, text: message });
	try {
		const keys = of.keys();
		if (!keys.ok) return refuse(keys.error, null);
		const offer = newestIn(from, keys.value);
		if (!offer.ok) return refuse(offer.error, null);
		const { manifest } = offer.value;
		const decided = decide(manifest, {
			...of.facts,
			floor: before.floor,
			failures: failuresOf(before),
			now: of.now().getTime(),
			clockSynchronised: of.clockSynchronised(),
			from: 'person',
		});
		if (!decided.ok) return refuse(decided.error, manifest.version);
		cleanFolders(of.folder, manifest.version);
		const folder = openFolder(of.folder, manifest.version, offer.value);
		for (const { name } of manifest.files) if (isPlainFile(join(from, name))) renameSync(join(from, name), join(folder, name));
		return await verified(of, manifest, folder, true);
	} finally {
		for (const name of readdirSync(from)) rmSync(join(from, name), { recursive: true, force: true });
	}
}

const isPlainFile = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;

/** @returns the newest manifest with a valid signature; if there is none, the last refusal */
function newestIn(from: string, keys: readonly UpdateKey[]): Result<Offer, Refusal> {
	let refusal: Refusal = {
		code: 'manifest',
		message: 'there is no manifest: the files of a release with its .json and .json.sig are needed',
	};
	let newest: Offer | null = null;
	for (const name of readdirSync(from).filter((one) => /^[a-z][a-z0-9-]*(_[\w.,+-]+)?\.json$/.test(one))) {
		const [file, signature] = [join(from, name), join(from, `${name}.sig`)];
		if (!isPlainFile(file) || !isPlainFile(signature) || lstatSync(file).size > LARGEST_MANIFEST_BYTES) continue;
		const read = readOr({ file, signature }, keys);
		if (!read.ok) refusal = read.error;
		else if (newest === null || compareVersions(read.value.manifest.version, newest.manifest.version) > 0) newest = read.value;
	}
	return newest === null ? fail(refusal) : ok(newest);
}

function readOr(of: { file: string; signature: string }, keys: readonly UpdateKey[]): Result<Offer, Refusal> {
	try {
		return readPublished({ bytes: readFileSync(of.file), signature: readFileSync(of.signature) }, keys);
	} catch (error) {
		return fail({ code: 'manifest', message: messageOf(error) });
	}
}
