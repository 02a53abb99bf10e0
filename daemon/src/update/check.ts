/**
 * `kiosk-update check`: reads the manifest, decides, downloads and verifies. It has network access
 * but no root rights.
 */
import { ok, type Result } from '../base/result.ts';
import { decide, type KioskFacts, needsIntermediate, type Refusal } from './decision.ts';
import { type Assemble, fetchSet, verifySet } from './fetch-set.ts';
import { LARGEST_MANIFEST_BYTES, type Manifest, parseManifest } from './manifest.ts';
import type { Line } from './receive.ts';
import type { FetchFailure, UpdateServer } from './server.ts';
import { sha256OfBytes } from './sha256.ts';
import { checkSignature, LARGEST_SIGNATURE_BYTES, type UpdateKey } from './signature.ts';
import { failuresOf, type State, type StateFile } from './state.ts';
import { cleanFolders, openFolder, type Published } from './version-folder.ts';

/** Free space that a download leaves for logs and the print queue. */
const RESERVE_BYTES = 256 * 1024 * 1024;
/** Bytes between two writes of the state during a download. */
const PROGRESS_BYTES = 8 * 1024 * 1024;

export interface CheckDeps {
	folder: string;
	state: StateFile;
	keys: () => Result<UpdateKey[], { code: 'signature'; message: string }>;
	/** Facts about this kiosk that are not in the state. */
	facts: Omit<KioskFacts, 'failures' | 'floor' | 'now' | 'clockSynchronised' | 'from'>;
	clockSynchronised: () => boolean;
	server: UpdateServer;
	line: Line;
	/** null: the root is always fetched as a whole. */
	assemble: Assemble | null;
	reserveBytes?: number;
}

/** States in which the version is in the other slot or is being installed there. */
const IN_SLOT = ['writing', 'written', 'waiting'];
const NOT_NOW = ['restarting', 'trial'];

interface Offer extends Published {
	manifest: Manifest;
}

/** @returns the new state; if the manifest cannot be fetched, the previous state stays */
export async function check(of: CheckDeps): Promise<State> {
	const before = of.state.read();
	if (NOT_NOW.includes(before.state)) return before;
	if (!IN_SLOT.includes(before.state)) of.state.change({ state: 'checking' });
	const offered = await readOffer(of, `${of.facts.channel}.json`);
	if (!offered.ok) return recordRefusal(of, before, offered.error, null);
	const { manifest } = offered.value;
	const checked = of.line.clock.wall().toISOString();
	of.state.change({ checked, offered: { version: manifest.version, released_at: manifest.released_at } });
	const chosen = await choose(of, before, offered.value);
	if (!chosen.ok) return recordRefusal(of, before, chosen.error, manifest.version);
	if (isInSlot(before, chosen.value.manifest.version)) return of.state.read();
	return download(of, chosen.value);
}

/**
 * Decides about the offered version. A kiosk that is too old for that version takes the
 * intermediate release.
 */
async function choose(of: CheckDeps, before: State, offer: Offer): Promise<Result<Offer, Refusal | FetchFailure>> {
	const facts: KioskFacts = {
		...of.facts,
		floor: before.floor,
		failures: failuresOf(before),
		now: of.line.clock.wall().getTime(),
		clockSynchronised: of.clockSynchronised(),
		from: 'network',
	};
	const decided = decide(offer.manifest, facts);
	if (decided.ok) return ok(offer);
	const stone = offer.manifest.stepping_stone;
	if (!needsIntermediate(decided.error) || stone === undefined) return decided;
	const found = await readOffer(of, `${of.facts.channel}_${stone.version}.json`);
	if (!found.ok) return found;
	if (sha256OfBytes(found.value.bytes) !== stone.sha256)
		return { ok: false, error: { code: 'signature', message: 'the intermediate release differs from the one in the manifest' } };
	// The percentage and dates of the intermediate release are ignored, because they are outdated.
	const again = decide(found.value.manifest, { ...facts, percentOverride: 100, clockSynchronised: false });
	return again.ok ? found : again;
}

async function readOffer(of: CheckDeps, name: string): Promise<Result<Offer, Refusal | FetchFailure>> {
	const keys = of.keys();
	if (!keys.ok) return keys;
	const bytes = await of.server.read(name, LARGEST_MANIFEST_BYTES, of.line.signal);
	if (!bytes.ok) return bytes;
	const signature = await of.server.read(`${name}.sig`, LARGEST_SIGNATURE_BYTES, of.line.signal);
	if (!signature.ok) return signature;
	return readPublished({ bytes: bytes.value, signature: signature.value }, keys.value);
}

/** Checks the signature, then parses the manifest. */
export function readPublished(published: Published, keys: readonly UpdateKey[]): Result<Offer, Refusal> {
	const signed = checkSignature(published.bytes, published.signature, keys);
	if (!signed.ok) return signed;
	const manifest = parseManifest(published.bytes);
	return manifest.ok ? ok({ ...published, manifest: manifest.value }) : manifest;
}

/** Network failures. After them the previous state stays, because the next check may succeed. */
const PASSING = new Set<string>(['unreachable', 'stalled', 'status', 'redirect', 'length', 'no_range']);

function recordRefusal(of: CheckDeps, before: State, error: Refusal | FetchFailure, version: string | null): State {
	const isSpent = !PASSING.has(error.code) && !IN_SLOT.includes(before.state);
	if (isSpent) cleanFolders(of.folder, null);
	return of.state.change(stateAfterRefusal(before, error, version));
}

/**
 * @param before state before the check
 * @param version that was refused; null if it is not known
 * @returns the changes of the state. If the refused version is already in the other slot, it is
 * withdrawn: this happens after a hold, for example.
 */
export function stateAfterRefusal(before: State, { code, message }: Refusal | FetchFailure, version: string | null): Partial<State> {
	const inSlot = IN_SLOT.includes(before.state);
	if (PASSING.has(code)) return inSlot ? { text: message } : { ...restOf(before), text: message };
	// The owner has withdrawn the waiting version: the manifest names the running or an older
	// version.
	if (inSlot && (code === 'current' || code === 'older'))
		return { state: 'refused', version: before.version, reason: 'hold', text: 'the server no longer offers it' };
	if (code === 'current') return before.state === 'good' || before.state === 'failed' ? restOf(before) : { state: 'idle', version: null };
	// The refusal of another version does not withdraw the waiting version.
	if (inSlot && before.version !== version) return {};
	return { state: 'refused', version: version ?? before.version, reason: code, text: message };
}

/** @returns whether this version is already in the other slot, so that no download is needed */
export const isInSlot = (before: State, version: string): boolean => IN_SLOT.includes(before.state) && before.version === version;

/** @returns the state before this check; `idle` if an earlier check was interrupted */
function restOf({ state, version, reason, text }: State): Partial<State> {
	const isPassing = state === 'checking' || state === 'downloading';
	return isPassing ? { state: 'idle', version: null } : { state, version, reason, text };
}

async function download(of: CheckDeps, { manifest, bytes, signature }: Offer): Promise<State> {
	const { version } = manifest;
	const total = manifest.files
		.filter(({ kind }) => kind === 'root' || kind === 'verity' || kind === 'uki')
		.reduce((sum, file) => sum + file.bytes, 0);
	cleanFolders(of.folder, version);
	const folder = openFolder(of.folder, version, { bytes, signature });
	of.state.change({ state: 'downloading', version, done_bytes: 0, total_bytes: total });
	let [done, shown] = [0, 0];
	const onBytes = (count: number): void => {
		done += count;
		if (done - shown < PROGRESS_BYTES) return;
		shown = done;
		of.state.change({ done_bytes: Math.min(done, total) });
	};
	const fetched = await fetchSet(
		manifest,
		{ server: of.server, line: of.line, folder, onBytes, reserveBytes: of.reserveBytes ?? RESERVE_BYTES },
		of.assemble,
	);
	if (!fetched.ok) return stopped(of, version, fetched.error);
	return verified(of, manifest, folder, false);
}

/**
 * Records a failed download. The next check reuses the received bytes, unless they were wrong.
 * @returns the new state
 */
function stopped(of: Pick<CheckDeps, 'state'>, version: string, { code, message }: FetchFailure): State {
	if (code === 'disk') return of.state.change({ state: 'refused', version, reason: 'space', text: message });
	if (code === 'checksum') return of.state.change({ state: 'refused', version, reason: code, text: message });
	return of.state.change({ state: 'downloading', version, reason: code, text: message });
}

/** Checks every file again. @returns the new state: `verified`, or the failure */
export async function verified(of: Pick<CheckDeps, 'state'>, manifest: Manifest, folder: string, byPerson: boolean): Promise<State> {
	const right = await verifySet(manifest, folder);
	if (!right.ok) return stopped(of, manifest.version, right.error);
	return of.state.change({
		state: 'verified',
		version: manifest.version,
		window: manifest.window ?? null,
		any_day: manifest.severity === 'security',
		by_person: byPerson,
	});
}
