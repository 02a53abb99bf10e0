/**
 * Seals the settings that decide where money goes, because any computer can edit the setup
 * partition. The digests of accepted settings are stored. If they differ at a start, cash stays
 * closed until a person confirms the new settings. An HMAC under the journal's key protects the
 * stored digests against forgery.
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

/** SHA-256 of each sealed setting, hex, by name. */
export type Digests = Readonly<Record<string, string>>;

const FILE = 'accepted-settings.json';
/** `seal`: HMAC under the journal's key, hex; version 0.2.0 wrote none. */
const Accepted = v.object({ digests: v.record(v.string(), v.string()), by: v.string(), time: v.string(), seal: v.optional(v.string()) });
type Accepted = v.InferOutput<typeof Accepted>;

/**
 * @returns SHA-256 of the value as JSON, hex. An absent setting also has a digest, so that adding
 * the setting counts as a change.
 */
export const digestOf = (value: unknown): string =>
	createHash('sha256')
		.update(JSON.stringify(value ?? null))
		.digest('hex');

/**
 * @param system digests of items that the daemon does not read (`SEALED_FILE` of an appliance)
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
		// A cookie's name decides which cookie of the page the server gets.
		'[back_office] csrf_cookie': back_office.csrf_cookie,
		'[back_office] csrf_header': back_office.csrf_header,
		'[back_office.paths]': sortByKey(Object.entries(back_office.paths)),
		'[edc] port': edc?.port,
		'[printer] uri': printer?.uri,
	};
	return { ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, digestOf(value)])), ...system };
}

/** Compares code units, because `localeCompare` would load ICU at each start. */
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

/** Sealed items whose digests come from `SEALED_FILE`. */
export const SYSTEM_ITEMS = ['[devices] acceptor', '[devices] edc', '[devices] printer', 'authorized_keys'] as const;

/** @returns whether only a later version seals this name */
const isOfLaterVersion = (name: string, now: Digests): boolean => !(name in now || SYSTEM_ITEMS.some((item) => item === name));

/**
 * @returns sorted names of the settings that differ from the accepted settings. Ignores a name that
 * only the accepting version or only the present version seals, because neither an update nor a
 * rollback may close cash.
 */
const changedSettings = (accepted: Digests, now: Digests): string[] =>
	Object.keys(accepted)
		.filter((name) => !isOfLaterVersion(name, now) && accepted[name] !== now[name])
		.sort();

/**
 * The back office checks the PIN, so the PIN proves nothing if the address of the back office has
 * changed.
 * @returns whether the staff PIN is enough to confirm these settings. If not, a technician confirms
 * them over SSH
 */
export const staffMayConfirm = (names: readonly string[]): boolean => !names.some((name) => name.startsWith('[back_office'));

/** Settings that identify the server. */
const SERVER_ITEMS: ReadonlySet<string> = new Set(['[back_office] url', '[back_office] socket_url', '[back_office] ca_file']);

/**
 * @returns whether the back office may be another server. If so, the kiosk sends it nothing, not
 * even the log-in password, until a technician confirms the settings
 */
export const isOtherServer = (names: readonly string[]): boolean => names.some((name) => SERVER_ITEMS.has(name));

export interface SettingsSeal {
	/** @returns names of changed settings that are not confirmed; empty if cash may open */
	unconfirmed(): readonly string[];
	/**
	 * Accepts the present settings. The caller must have authorised the person by SSH key or staff
	 * PIN.
	 * @param by name of the person, for the log
	 * @returns names of the confirmed settings; empty if none had changed
	 */
	confirmSettings(by: string): readonly string[];
	/** Registers a listener that is called after the settings are confirmed. */
	onConfirm(listener: () => void): void;
}

/**
 * @param deps.directories folders for the accepted digests: the state directory, then the journal's
 * folder. A factory reset keeps the journal's folder, so changed settings are detected after a
 * reset.
 * @param deps.keyFile key of the journal. Once the key has sealed the accepted settings, they need
 * a valid seal. Without the key, as after a factory reset, only the digests are compared. The
 * journal then takes no money until it is accepted, and the next key seals the settings again.
 * @param deps.isFirstStart whether accepted settings may be missing. If so and they are missing,
 * the present settings are accepted.
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
	// A copy with a valid seal is enough, even if the other copy is damaged.
	const proved = key?.seals_settings ? read.find((one) => one !== null && one !== 'damaged') : undefined;
	const found = proved ?? read.find((one) => one !== null) ?? (deps.isFirstStart ? null : 'damaged');
	let unconfirmed = found === null ? [] : found === 'damaged' ? Object.keys(sealed).sort() : changedSettings(found.digests, sealed);

	function accept(by: string): void {
		const later =
			found === null || found === 'damaged' ? [] : Object.entries(found.digests).filter(([name]) => isOfLaterVersion(name, sealed));
		const digests = { ...Object.fromEntries(later), ...sealed };
		const accepted: Accepted = { digests, by, time: deps.now() };
		// The key is read again, because accepting the journal makes a new key.
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

/** @returns whether all copies exist and are equal */
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
 * @returns null if the file does not exist; `damaged` also if the key requires a seal and the seal
 * is missing or wrong
 */
function readAccepted(file: string, key: Seal | null): Accepted | 'damaged' | null {
	try {
		const accepted = v.parse(Accepted, JSON.parse(readFileSync(file, 'utf8')));
		return key?.seals_settings && accepted.seal !== sealUnder(key, accepted) ? 'damaged' : accepted;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'damaged';
	}
}
