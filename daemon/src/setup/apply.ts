/** Runs as root at every boot, before the daemon: checks the settings, then applies them. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import { parseToml, type SettingsRefused } from '../settings/settings.ts';
import { type Devices, parseAuthorizedKeys, parseCertificate, parseSetup } from './appliance.ts';
import { FLEET_PATHS, type Fleet, fleetFiles, parseFleet } from './fleet.ts';
import { copyOfVersion, type GoodCopies, sharedCopy, versionFolder } from './good-copies.ts';
import { SEALED_FILE, SETUP_PROBLEMS_FILE } from './problems.ts';
import { digestOf, type SYSTEM_ITEMS } from './settings-seal.ts';
import { deviceRules, inputRules, networkFiles } from './system-files.ts';

export interface Places {
	/** Folders with setup files, in order of priority. */
	sources: readonly string[];
	/** Folder with copies of the last valid files. */
	good: string;
	/** Running version. Its copies have priority over copies of other versions. */
	version: string;
	/** Prefix of every written system path; "" on the appliance, a folder in tests. */
	root: string;
}

const SETUP = 'kiosk.toml';
const CA_FILE = '/run/kiosk/ca.pem';
const NOT_THERE = fail({ code: 'settings_refused' as const, problems: ['there is no such file, and [fleet] needs it beside kiosk.toml'] });

/**
 * Checks the setup files and applies them. If a file is invalid, the last valid file stays active.
 * If there is no valid file, the built-in defaults apply and no SSH key is admitted. If a folder
 * contains settings, but no folder contains SSH keys, the copies of the SSH keys are deleted. The
 * same applies to the certificate.
 * @returns problems for the screen, as sentences that name the file
 */
export function applySetup({ sources, good, version, root }: Places): string[] {
	const problems: string[] = [];
	const given = sources.some((folder) => existsSync(join(folder, SETUP)));
	const own = versionFolder(good, version);
	const ofVersion = (name: string) => copyOfVersion(good, own, name);
	const shared = (name: string) => sharedCopy(good, name);

	/** @returns the file from the first folder that contains it, or null */
	function newest(name: string): Result<string, SettingsRefused> | null {
		const folder = sources.find((one) => existsSync(join(one, name)));
		return folder === undefined ? null : readOrComplain(join(folder, name));
	}

	/** Saves the copy of a valid file. If the disk is full, the settings still apply. */
	function remember(name: string, copies: GoodCopies, text: string): void {
		try {
			copies.save(text);
		} catch (error) {
			problems.push(`${name}, it could not be stored: ${messageOf(error)}`);
		}
	}

	/**
	 * Takes the first valid text: the file in the setup folders, which is then saved, or else a copy.
	 */
	function choose<T, A>(name: string, copies: GoodCopies, parse: (source: string) => Result<T, SettingsRefused>, absent: () => A): T | A {
		const source = newest(name);
		if (source !== null) {
			const parsed = source.ok ? parse(source.value) : source;
			if (source.ok && parsed.ok) {
				remember(name, copies, source.value);
				return parsed.value;
			}
			if (!parsed.ok) problems.push(...parsed.error.problems.map((problem) => `${name}, ${problem}`));
		} else if (given && name !== SETUP) {
			copies.forget();
		}
		for (const copy of copies.read()) {
			const kept = parse(copy);
			if (kept.ok) return kept.value;
		}
		return absent();
	}

	/**
	 * Like `choose`, but settings and certificates of the fleet are valid only together. If the setup
	 * file has no fleet section, the kiosk sends nothing.
	 */
	function chooseFleet(): Fleet | null {
		const copies = ofVersion('fleet.json');
		const source = newest(SETUP);
		// `choose` has already reported an unreadable file or invalid TOML.
		const table = source?.ok ? parseToml(source.value) : null;
		if (source?.ok && table?.ok) {
			const fleet = parseFleet(table.value.fleet, source.value, (name) => newest(name) ?? NOT_THERE);
			if (fleet.ok) {
				if (fleet.value === null) copies.forget();
				else remember('fleet.json', copies, JSON.stringify(fleet.value));
				return fleet.value;
			}
			problems.push(...fleet.error.problems);
		}
		for (const copy of copies.read()) {
			const { settings, files } = JSON.parse(copy) as Fleet;
			const kept = parseFleet(settings, '', (name) => ok(files[name]));
			if (kept.ok) return kept.value;
		}
		return null;
	}

	const write = (path: string, text: string, mode = 0o644): void => {
		const file = root + path;
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text, { mode });
		chmodSync(file, mode);
	};

	const certificate = choose('ca.pem', shared('ca.pem'), parseCertificate, () => null);
	if (certificate !== null) write(CA_FILE, certificate);
	const caFile = certificate === null ? null : CA_FILE;
	const setup = choose(
		SETUP,
		ofVersion(SETUP),
		(source) => parseSetup(source, caFile),
		() => defaults(caFile),
	);
	const keys = choose('authorized_keys', shared('authorized_keys'), parseAuthorizedKeys, () => '');
	if (!given && problems.length === 0) {
		problems.push(`${SETUP}, there is no such file on the partition "kiosk-setup" and none was given: the last valid settings stay active`);
	}

	write('/run/kiosk/kiosk.toml', setup.kioskToml);
	write('/run/kiosk/screen.env', `KIOSK_ROTATION=${setup.rotation}\n`);
	write('/run/kiosk/printer', `${setup.devices.printer}\n`);
	write('/run/kiosk/ssh/authorized_keys', keys);
	write(SEALED_FILE, JSON.stringify(sealedParts(setup.devices, keys)));
	write('/run/udev/rules.d/90-kiosk.rules', deviceRules(setup.devices) + inputRules(setup.rotation, setup.keyboard));
	for (const { path, text, mode } of networkFiles(setup.network)) write(path, text, mode);
	try {
		for (const path of FLEET_PATHS) rmSync(root + path, { force: true });
		const fleet = chooseFleet();
		if (fleet !== null) for (const { path, text, mode } of fleetFiles(fleet, setup.serviceListen)) write(path, text, mode);
	} catch (error) {
		// The fleet comes last, and its errors are caught, because they must not stop the kiosk.
		problems.push(`kiosk.toml, nothing is sent to the fleet: ${messageOf(error)}`);
	}
	write(SETUP_PROBLEMS_FILE, problems.map((problem) => `${problem}\n`).join(''));
	return problems;
}

/** Digests of the adapters and keys. Another adapter under the same device name is a change. */
const sealedParts = ({ acceptor, edc, printer }: Devices, keys: string): Record<(typeof SYSTEM_ITEMS)[number], string> => ({
	'[devices] acceptor': digestOf(acceptor),
	'[devices] edc': digestOf(edc),
	'[devices] printer': digestOf(printer),
	authorized_keys: digestOf(keys),
});

function defaults(caFile: string | null) {
	const setup = parseSetup('', caFile);
	if (!setup.ok) throw new Error(`the built-in defaults are refused: ${setup.error.problems.join('; ')}`);
	return setup.value;
}

function readOrComplain(file: string): Result<string, SettingsRefused> {
	try {
		// Windows editors write a byte order mark, which TOML does not allow.
		return ok(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
	} catch (error) {
		return fail({ code: 'settings_refused', problems: [`the file cannot be read: ${messageOf(error)}`] });
	}
}
