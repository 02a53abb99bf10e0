/**
 * Settings that decide where money goes are sealed: their digests are saved in the state directory,
 * and a start with other digests keeps cash closed until they are confirmed. The setup partition
 * can be edited on any computer and proves nothing. The digests are stored with an HMAC under the
 * journal's key: write access to their folders is not enough to forge them.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFileForGood } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';
import { readSeal, recordSealedSettings, type Seal } from '../journal/seal.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';

/** Name of each sealed setting, and SHA-256 of its value, hex. */
export type Digests = Readonly<Record<string, string>>;

const FILE = 'accepted-settings.json';
/** `seal`: HMAC under the journal's key, hex; version 0.2.0 wrote none. */
const Accepted = v.object({ digests: v.record(v.string(), v.string()), by: v.string(), time: v.string(), seal: v.optional(v.string()) });
type Accepted = v.InferOutput<typeof Accepted>;

/**
 * @returns SHA-256 of the value as JSON, hex; an absent setting also has a digest, so that adding
 * it is a change
 */
export const digestOf = (value: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(value ?? null))
		.digest('hex');

/**
 * @param system digests of items that the daemon does not read itself: device names, keys of
 * technicians (`SEALED_FILE` of an appliance)
 * @returns the digests of all sealed settings
 */
export function sealedSettings(settings: Pick<Settings, 'back_office' | 'acceptor' | 'edc' | 'printer'>, system: Digests): Digests {
	const { back_office, acceptor, edc, printer } = settings;
	const values = {
		'[acceptor.notes]': sortByKey(acceptor?.notes ?? []),
		'[acceptor] port': acceptor?.port,
		'[back_office] url': back_office.url,
		'[back_office] socket_url': back_office.socket_url,
		'[back_office] ca_file': back_office.ca_file === undefined ? null : contentOf(back_office.ca_file),
		'[back_office.paths]': sortByKey(Object.entries(back_office.paths)),
		'[edc] port': edc?.port,
		'[printer] uri': printer?.uri,
	};
	return { ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, digestOf(value)])), ...system };
}

/**
 * Compares code units: `localeCompare` would load ICU, which takes some milliseconds at each start.
 */
const sortByKey = <Value>(entries: Iterable<readonly [string, Value]>): (readonly [string, Value])[] =>
	[...entries].sort(([a], [b]) => (a < b ? -1 : 1));

/** The digest covers the certificate, not the path of its file. */
function contentOf(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return file;
	}
}

/** Sealed items that the daemon does not read itself; they come from `SEALED_FILE`. */
export const SYSTEM_ITEMS = ['[devices] acceptor', '[devices] edc', '[devices] printer', 'authorized_keys'] as const;

/** @returns whether only a later version seals this name */
const isOfLaterVersion = (name: string, now: Digests): boolean => !(name in now || SYSTEM_ITEMS.some((item) => item === name));

/**
 * @returns names of settings that differ from the accepted settings, sorted. Neither an update nor
 * a return to the previous version may close cash. A name that one of the two versions does not
 * seal is therefore ignored: it has no accepted digest, or no present one.
 */
const changedSettings = (accepted: Digests, now: Digests): string[] =>
	Object.keys(accepted)
		.filter((name) => !isOfLaterVersion(name, now) && accepted[name] !== now[name])
		.sort();

/**
 * The back office checks the PIN, so the PIN proves nothing if the back office itself has changed.
 * @returns whether the staff PIN is enough to confirm these settings; otherwise a technician
 * confirms them over SSH
 */
export const staffMayConfirm = (names: readonly string[]): boolean => !names.some((name) => name.startsWith('[back_office'));

/** Settings that name the server, and how it proves that it is this server. */
const SERVER_ITEMS: ReadonlySet<string> = new Set(['[back_office] url', '[back_office] socket_url', '[back_office] ca_file']);

/**
 * @returns whether the back office may be another server. Then nothing is sent to it before a
 * technician confirms it: not the waiting money, not even the password that staff type at the
 * log-in
 */
export const isOtherServer = (names: readonly string[]): boolean => names.some((name) => SERVER_ITEMS.has(name));

export interface SettingsSeal {
	/** Names of changed settings not yet confirmed; empty if cash may open. */
	unconfirmed(): readonly string[];
	/**
	 * Accepts the present settings. The caller has checked the person's right: a key for SSH, or
	 * the staff PIN.
	 * @param by name of the person, for the log
	 * @returns names of the confirmed settings; empty if there were none
	 */
	confirmSettings(by: string): readonly string[];
	/** Called after the settings are confirmed. */
	onConfirm(listener: () => void): void;
}

/**
 * @param deps.directories folders of the accepted digests, the state directory first. The journal's
 * folder is the second: a factory reset keeps it, so that changed settings are noticed even after a
 * reset.
 * @param deps.keyFile key of the journal. Once it has sealed the accepted settings, only a valid
 * seal counts. Without the key, as after a factory reset, the digests alone are compared: the
 * journal then takes no money until a technician accepts it, and the next key seals the settings
 * again.
 * @param deps.isFirstStart whether settings may be accepted although none were accepted before
 * @param deps.now ISO 8601
 */
export function openSeal(deps: {
	directories: readonly string[];
	sealed: Digests;
	keyFile: string;
	isFirstStart: boolean;
	now: () => string;
	log: Log;
}): SettingsSeal {
	const { sealed, keyFile, log } = deps;
	const files = [...new Set(deps.directories)].map((directory) => join(directory, FILE));
	const listeners: (() => void)[] = [];
	const key = keyIn(keyFile);
	const read = files.map((file) => readAccepted(file, key));
	// A copy with a valid seal proves what was accepted, even if the other copy is damaged.
	const proved = key?.seals_settings ? read.find((one) => one !== null && one !== 'damaged') : undefined;
	const found = proved ?? read.find((one) => one !== null) ?? (deps.isFirstStart ? null : 'damaged');
	let unconfirmed = found === null ? [] : found === 'damaged' ? Object.keys(sealed).sort() : changedSettings(found.digests, sealed);

	function accept(by: string): void {
		const later =
			found === null || found === 'damaged' ? [] : Object.entries(found.digests).filter(([name]) => isOfLaterVersion(name, sealed));
		const digests = { ...Object.fromEntries(later), ...sealed };
		const accepted: Accepted = { digests, by, time: deps.now() };
		// Read again: since the start, staff may have accepted the journal with a new key.
		const key = keyIn(keyFile);
		const text = JSON.stringify(key ? { ...accepted, seal: sealUnder(key, accepted) } : accepted);
		const stored = files.filter((file) => store(file, () => replaceFileForGood(file, text)));
		if (key?.seals_settings === false && stored.length === files.length) store(keyFile, () => recordSealedSettings(keyFile));
	}

	function store(file: string, write: () => void): boolean {
		try {
			write();
			return true;
		} catch (error) {
			log.event('settings.seal_not_stored', { file, reason: messageOf(error) });
			return false;
		}
	}

	if (unconfirmed.length > 0) log.event('settings.changed', { settings: unconfirmed });
	else if (found === null || found === 'damaged') {
		accept('first start');
		log.event('settings.sealed', {});
	} else if (key && (!key.seals_settings || !areEqual(read) || Object.keys(sealed).some((name) => !(name in found.digests))))
		accept(found.by);

	return {
		unconfirmed: () => unconfirmed,
		confirmSettings(by) {
			const confirmed = unconfirmed;
			if (confirmed.length === 0) return confirmed;
			unconfirmed = [];
			accept(by);
			log.event('settings.confirmed', { settings: confirmed, by });
			for (const listener of listeners) listener();
			return confirmed;
		},
		onConfirm: (listener) => void listeners.push(listener),
	};
}

/** Whether both copies are there and say the same. */
const areEqual = (copies: readonly (Accepted | 'damaged' | null)[]): boolean =>
	!copies.includes(null) && copies.every((copy) => JSON.stringify(copy) === JSON.stringify(copies[0]));

/** @returns the journal's key; null if it is lost or cannot be read */
function keyIn(file: string): Seal | null {
	const found = readSeal(file);
	return found.state === 'found' ? found.seal : null;
}

const sealUnder = (key: Seal, { digests, by, time }: Accepted): string =>
	key
		.of(
			createHash('sha256')
				.update(`accepted settings\n${JSON.stringify([digests, by, time])}`)
				.digest(),
		)
		.toString('hex');

/**
 * @returns null if there is no such file; `damaged` also if it lacks the seal that the key requires
 */
function readAccepted(file: string, key: Seal | null): Accepted | 'damaged' | null {
	try {
		const accepted = v.parse(Accepted, JSON.parse(readFileSync(file, 'utf8')));
		return key?.seals_settings && accepted.seal !== sealUnder(key, accepted) ? 'damaged' : accepted;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'damaged';
	}
}
