/** Runs as root before the daemon, at every start of the machine: settings are checked first and used then. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../replace-file.ts';
import { fail, messageOf, ok, type Result } from '../result.ts';
import { parseToml, type SettingsRefused } from '../settings.ts';
import { type Devices, parseAuthorizedKeys, parseCertificate, parseSetup } from './appliance.ts';
import { FLEET_PATHS, type Fleet, fleetFiles, parseFleet } from './fleet.ts';
import { SEALED_FILE, SETUP_PROBLEMS_FILE } from './problems.ts';
import { type Digests, digestOf } from './seal.ts';
import { deviceRules, inputRules, networkFiles } from './system-files.ts';

export interface Places {
	/** Folders that may hold the setup files, the most important first. */
	sources: readonly string[];
	/** Keeps what was good last. */
	good: string;
	/** Stands before every path that is written for the system; "" on the machine. */
	root: string;
}

const SETUP = 'kiosk.toml';
const CA_FILE = '/run/kiosk/ca.pem';
const NOT_THERE = fail({ code: 'settings_refused' as const, problems: ['there is no such file, and [fleet] needs it beside kiosk.toml'] });

/**
 * A file that is wrong leaves the last good one in force; without one the built-in defaults hold, or nobody is let in.
 * Once a folder with settings is there, a key or certificate that is not in it any more is forgotten.
 * @returns sentences for the screen, each with its file
 */
export function applySetup({ sources, good, root }: Places): string[] {
	const problems: string[] = [];
	const given = sources.some((folder) => existsSync(join(folder, SETUP)));
	mkdirSync(good, { recursive: true });

	/** @returns what the most important folder that has such a file says in it, or null */
	function newest(name: string): Result<string, SettingsRefused> | null {
		const folder = sources.find((one) => existsSync(join(one, name)));
		return folder === undefined ? null : readOrComplain(join(folder, name));
	}

	/** Takes the newest file that `parse` likes, and remembers it. */
	function choose<T, A>(name: string, parse: (source: string) => Result<T, SettingsRefused>, absent: () => A): T | A {
		const last = join(good, name);
		const source = newest(name);
		if (source !== null) {
			const parsed = source.ok ? parse(source.value) : source;
			if (source.ok && parsed.ok) {
				if (!existsSync(last) || readFileSync(last, 'utf8') !== source.value) replaceFile(last, source.value);
				return parsed.value;
			}
			if (!parsed.ok) problems.push(...parsed.error.problems.map((problem) => `${name}, ${problem}`));
		} else if (given && name !== SETUP) {
			rmSync(last, { force: true });
		}
		const kept = existsSync(last) ? parse(readFileSync(last, 'utf8')) : null;
		return kept?.ok ? kept.value : absent();
	}

	/** The same for the fleet, whose settings and certificates count together; a setup file that says nothing of it switches it off. */
	function chooseFleet(): Fleet | null {
		const last = join(good, 'fleet.json');
		const source = newest(SETUP);
		// A file that cannot be read or is no TOML has been complained of already.
		const table = source?.ok ? parseToml(source.value) : null;
		if (source?.ok && table?.ok) {
			const fleet = parseFleet(table.value.fleet, source.value, (name) => newest(name) ?? NOT_THERE);
			if (fleet.ok) {
				const text = JSON.stringify(fleet.value);
				if (fleet.value === null) rmSync(last, { force: true });
				else if (!existsSync(last) || readFileSync(last, 'utf8') !== text) replaceFile(last, text);
				return fleet.value;
			}
			problems.push(...fleet.error.problems);
		}
		if (!existsSync(last)) return null;
		const { settings, files } = JSON.parse(readFileSync(last, 'utf8')) as Fleet;
		const kept = parseFleet(settings, '', (name) => ok(files[name]));
		return kept.ok ? kept.value : null;
	}

	const write = (path: string, text: string, mode = 0o644): void => {
		const file = root + path;
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text, { mode });
		chmodSync(file, mode);
	};

	const certificate = choose('ca.pem', parseCertificate, () => null);
	if (certificate !== null) write(CA_FILE, certificate);
	const caFile = certificate === null ? null : CA_FILE;
	const setup = choose(
		SETUP,
		(source) => parseSetup(source, caFile),
		() => defaults(caFile),
	);
	const keys = choose('authorized_keys', parseAuthorizedKeys, () => '');
	if (!given && problems.length === 0) {
		problems.push(`${SETUP}, there is no such file on the partition "kiosk-setup" and none was given: the last good settings hold`);
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
		if (fleet !== null) for (const { path, text, mode } of fleetFiles(fleet, setup.listen)) write(path, text, mode);
	} catch (error) {
		// Last and caught: whatever it is, the kiosk has its settings.
		problems.push(`kiosk.toml, nothing is sent to the fleet: ${messageOf(error)}`);
	}
	write(SETUP_PROBLEMS_FILE, problems.map((problem) => `${problem}\n`).join(''));
	return problems;
}

/** Another adapter under the same name, or another person's key, is a change as much as another port. */
const sealedParts = ({ acceptor, edc, printer }: Devices, keys: string): Digests => ({
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
		// Windows editors begin a file with a mark that TOML does not know.
		return ok(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
	} catch (error) {
		return fail({ code: 'settings_refused', problems: [`the file cannot be read: ${messageOf(error)}`] });
	}
}
