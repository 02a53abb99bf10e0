/**
 * `kiosk-update install`: writes a verified version into the other slot, reads it back, then places
 * its kernel image. It runs as root, without network.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../base/result.ts';
import { type Entry, entryOf, readEntries, removeEntry } from './boot-entries.ts';
import { rootHashIn } from './kernel-image.ts';
import { fileOf, type Manifest } from './manifest.ts';
import type { Run } from './runner.ts';
import { sha256OfBytes } from './sha256.ts';
import type { UpdateKey } from './signature.ts';
import type { State, StateFile } from './state.ts';
import { compareVersions } from './version.ts';
import { folderOf, manifestIn } from './version-folder.ts';

/** Time limit of systemd-sysupdate: writing 1.4 GB to a slow eMMC takes minutes. */
const WRITE_MS = 45 * 60_000;
const VERIFY_MS = 30 * 60_000;
const FLUSH_MS = 60_000;
/**
 * Maximum wait for the links to the renamed partitions. udev makes these links after
 * systemd-sysupdate has ended.
 */
const LINKS_SECONDS = 120;
/** Reserve on the boot partition: the boot loader needs a free cluster to rename entries. */
const BOOT_MARGIN_BYTES = 2 * 1024 * 1024;
/** Name of the transfer file for the kernel image, which makes a version bootable. */
const UKI_TRANSFER = /uki/;

export interface InstallDeps {
	folder: string;
	state: StateFile;
	keys: () => Result<UpdateKey[], { code: 'signature'; message: string }>;
	running: string;
	floor: () => string | null;
	/** Folder of kernel images. */
	bootEntries: string;
	/**
	 * Folder of transfer files. `partitions`: folder of links to partitions by label. `scratch`:
	 * folder for temporary files.
	 */
	definitions: string;
	partitions: string;
	scratch: string;
	/** Free bytes of a folder’s file system. */
	freeBytes: (folder: string) => number;
	run: Run;
}

type Problem = { code: string; message: string };

/** @returns the state afterwards */
export async function install(of: InstallDeps): Promise<State> {
	const before = of.state.read();
	const entries = readEntries(of.bootEntries);
	if (before.state === 'refused' && before.version !== null) withdraw(of, before.version, entries);
	if ((before.state !== 'verified' && before.state !== 'writing') || before.version === null) return before;
	const { version } = before;
	const ready = prepare(of, version, entries);
	if (!ready.ok) return of.state.change({ state: 'refused', version, reason: ready.error.code, text: ready.error.message });
	of.state.change({ state: 'writing', version });
	// Until the slot is complete, no kernel image may start it: after a power cut an incomplete
	// system would start.
	for (const entry of entries) if (entry.version !== of.running) removeEntry(of.bootEntries, entry);
	const written = await writeAndReadBack(of, ready.value);
	if (!written.ok) return failed(of, version, written.error);
	const now = of.state.read();
	if (now.state !== 'writing' || now.version !== version) {
		// Meanwhile a check has found a hold or a newer version.
		withdraw(of, version, readEntries(of.bootEntries));
		return now;
	}
	return of.state.change({ state: 'written', version, from: of.running, devices: null, tries: 0, trial_reason: '' });
}

/** Removes the kernel image of a refused version that waits for its first start. */
function withdraw(of: InstallDeps, version: string, entries: readonly Entry[]): void {
	const entry = entryOf(entries, version);
	if (entry !== undefined && version !== of.running && entry.left !== null && entry.left > 0) removeEntry(of.bootEntries, entry);
}

interface Ready {
	manifest: Manifest;
	rootHash: string;
}

/** Checks everything that can be checked before the first byte is written. */
function prepare(of: InstallDeps, version: string, entries: readonly Entry[]): Result<Ready, Problem> {
	const own = entryOf(entries, of.running);
	if (own === undefined)
		return fail({ code: 'unblessed', message: `the boot partition has no kernel image of the running version ${of.running}` });
	// Writing replaces the only other version, so the running version must be confirmed as good.
	if (own.left !== null) return fail({ code: 'unblessed', message: `${of.running} is itself on trial` });
	const keys = of.keys();
	if (!keys.ok) return keys;
	const manifest = manifestIn(of.folder, version, keys.value);
	if (manifest === null) return fail({ code: 'signature', message: `the manifest of ${version} is missing or not signed` });
	const floor = of.floor();
	if (floor !== null && compareVersions(version, floor) < 0)
		return fail({ code: 'floor', message: `versions below ${floor} are not accepted any more` });
	const file = fileOf(manifest, 'uki');
	const image = readOrNull(join(folderOf(of.folder, version), file.name));
	if (image === null || sha256OfBytes(image) !== file.sha256)
		return fail({ code: 'checksum', message: `${file.name} is missing or was changed` });
	const rootHash = rootHashIn(image);
	if (rootHash === null) return fail({ code: 'checksum', message: `${file.name} names no root hash` });
	const space = problemOfBootSpace(of, file.bytes, entries);
	return space === null ? ok({ manifest, rootHash }) : fail(space);
}

/** @returns the free bytes of a folder's file system */
export function freeBytesOf(folder: string): number {
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize;
}

function problemOfBootSpace(of: InstallDeps, needed: number, entries: readonly Entry[]): Problem | null {
	const freed = entries.filter(({ version }) => version !== of.running).reduce((sum, { bytes }) => sum + bytes, 0);
	const free = of.freeBytes(of.bootEntries) + freed;
	if (free >= needed + BOOT_MARGIN_BYTES) return null;
	const mb = (bytes: number): number => Math.ceil(bytes / 1_048_576);
	return {
		code: 'space',
		message: `the boot partition has ${mb(free)} MB for the kernel image; ${mb(needed + BOOT_MARGIN_BYTES)} MB are needed`,
	};
}

async function writeAndReadBack(of: InstallDeps, { manifest, rootHash }: Ready): Promise<Result<void, Problem>> {
	const { version } = manifest;
	const slotOnly = mkdtempSync(join(of.scratch, 'kiosk-update-'));
	try {
		for (const name of readdirSync(of.definitions))
			if (name.endsWith('.transfer') && !UKI_TRANSFER.test(name)) copyFileSync(join(of.definitions, name), join(slotOnly, name));
		const slot = await sysupdate(of, slotOnly, version);
		if (!slot.ok) return slot;
		const readBack = await verifySlot(of, version, rootHash);
		if (!readBack.ok) return readBack;
		const all = await sysupdate(of, of.definitions, version);
		return all.ok ? checkEntry(of, manifest) : all;
	} finally {
		rmSync(slotOnly, { recursive: true, force: true });
	}
}

const sysupdate = (of: InstallDeps, definitions: string, version: string) =>
	of.run(
		'systemd-sysupdate',
		[`--definitions=${definitions}`, `--transfer-source=${folderOf(of.folder, version)}`, '--verify=no', 'update', version],
		WRITE_MS,
	);

/**
 * Reads the slot from the disk, not from memory, and verifies it against the root hash in the
 * kernel image.
 */
async function verifySlot(of: InstallDeps, version: string, rootHash: string): Promise<Result<void, Problem>> {
	const [root, hashes] = [`kiosk_${version}`, `kiosk_${version}_v`].map((label) => join(of.partitions, label));
	const links = [`--timeout=${LINKS_SECONDS}`, '--initialized=no', root ?? '', hashes ?? ''];
	const linked = await of.run('udevadm', ['wait', ...links], 2 * LINKS_SECONDS * 1_000);
	if (!linked.ok) return linked;
	for (const device of [root, hashes]) {
		const flushed = await of.run('blockdev', ['--flushbufs', device ?? ''], FLUSH_MS);
		if (!flushed.ok) return flushed;
	}
	const verified = await of.run('veritysetup', ['verify', root ?? '', hashes ?? '', rootHash], VERIFY_MS);
	return verified.ok ? ok(undefined) : fail({ code: 'verity', message: `the slot reads back wrong: ${verified.error.message}` });
}

function checkEntry(of: InstallDeps, manifest: Manifest): Result<void, Problem> {
	const entry = entryOf(readEntries(of.bootEntries), manifest.version);
	if (entry === undefined) return fail({ code: 'unknown', message: 'systemd-sysupdate reported success without placing the kernel image' });
	const image = readOrNull(join(of.bootEntries, entry.name));
	if (image !== null && sha256OfBytes(image) === fileOf(manifest, 'uki').sha256) return ok(undefined);
	removeEntry(of.bootEntries, entry);
	return fail({ code: 'checksum', message: `${entry.name} reads back wrong from the boot partition` });
}

function readOrNull(file: string): Buffer | null {
	try {
		return readFileSync(file);
	} catch {
		return null;
	}
}

function failed(of: InstallDeps, version: string, { code, message }: Problem): State {
	const { history } = of.state.read();
	const at = of.state.now();
	const outcome = { version, from: of.running, outcome: 'failed' as const, reason: code, tries: 0, at };
	return of.state.change({ state: 'failed', version, reason: code, text: message, history: [...history, outcome] });
}
