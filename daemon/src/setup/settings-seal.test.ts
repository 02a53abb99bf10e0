import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { makeSeal } from '../journal/seal.ts';
import { parseSettings } from '../settings/settings.ts';
import { type Digests, openSeal, sealedSettings } from './settings-seal.ts';

const OWN: Digests = { '[acceptor] port': 'a', authorized_keys: 'k' };
const LATER = { ...OWN, '[update] url': 'u' };

const FILE = 'accepted-settings.json';
const keyOf = (directory: string) => join(directory, 'journal.key');

/** Starts a kiosk that has a journal key; by default the journal has no record. */
function start(directory: string, sealed: Digests, { directories = [directory], hasRecords = false } = {}) {
	if (!existsSync(keyOf(directory)) && !hasRecords) makeSeal(keyOf(directory), 1, '');
	const now = () => '2026-11-21T14:31:08+07:00';
	return openSeal({ directories, sealed, keyFile: keyOf(directory), isFirstStart: !hasRecords, now, log: { event: () => {} } as never });
}
const unconfirmed = (...kiosk: Parameters<typeof start>) => start(...kiosk).unconfirmed();
const accepted = (directory: string): Digests => JSON.parse(readFileSync(join(directory, FILE), 'utf8')).digests as Digests;

test('after a rollback, a setting that only the later version seals stays accepted and does not count as changed', () => {
	const directory = temporaryFolder('seal');
	start(directory, LATER);
	const seal = start(directory, { ...OWN, '[acceptor] port': 'b' });
	expect(seal.unconfirmed()).toEqual(['[acceptor] port']);
	seal.confirmSettings('Sari');
	expect(accepted(directory)).toEqual({ ...LATER, '[acceptor] port': 'b' });
	expect(start(directory, { ...LATER, '[acceptor] port': 'b', '[update] url': 'other' }).unconfirmed()).toEqual(['[update] url']);
});

test('an item of the appliance whose present digest is missing counts as changed; if the accepted settings are damaged, all settings count as changed', () => {
	const directory = temporaryFolder('seal');
	start(directory, OWN);
	expect(start(directory, { '[acceptor] port': 'a' }).unconfirmed()).toEqual(['authorized_keys']);
	writeFileSync(join(directory, 'accepted-settings.json'), '{');
	expect(start(directory, OWN).unconfirmed()).toEqual(['[acceptor] port', 'authorized_keys']);
});

const SETTINGS = `[back_office]
url = "https://office.example"
socket_url = "wss://office.example/ws/{token}/"
ca_file = "CA"
[back_office.paths]
cash_notification = "/notes/"
[acceptor]
port = "/dev/kiosk-acceptor"
[acceptor.notes]
"0x40" = 1000
[edc]
port = "/dev/kiosk-edc"
[printer]
uri = "ipp://127.0.0.1:631/printers/receipt"
`;
const SYSTEM: Digests = { '[devices] acceptor': 'a', '[devices] edc': 'e', '[devices] printer': 'p', authorized_keys: 'k' };

/** @returns the digests of these settings, parsed as the daemon parses them */
function digests(source: string, system = SYSTEM): Digests {
	const settings = parseSettings(source, '/state');
	if (!settings.ok) throw new Error(settings.error.problems.join('; '));
	return sealedSettings(settings.value, system);
}

test.each([
	['[acceptor.notes]', '"0x40" = 1000', '"0x40" = 100000'],
	['[acceptor.notes]', '"0x40" = 1000', '"0x40" = 1000\n"0x41" = 2000'],
	['[acceptor] port', 'port = "/dev/kiosk-acceptor"', 'port = "tcp:192.0.2.1:7001"'],
	['[back_office] url', 'url = "https://office.example"', 'url = "https://other.example"'],
	['[back_office] url', 'url = "https://office.example"', 'url = "https://office.example/other"'],
	['[back_office] socket_url', 'wss://office.example', 'wss://other.example'],
	['[back_office] csrf_cookie', '[back_office.paths]', 'csrf_cookie = "kiosk_screen"\n[back_office.paths]'],
	['[back_office] csrf_header', '[back_office.paths]', 'csrf_header = "X-Other"\n[back_office.paths]'],
	['[back_office.paths]', '"/notes/"', '"/elsewhere/"'],
	['[back_office.paths]', '[back_office.paths]', '[back_office.paths]\npin = "/elsewhere/"'],
	['[edc] port', '"/dev/kiosk-edc"', '"tcp:192.0.2.1:7002"'],
	['[printer] uri', '127.0.0.1:631', '192.0.2.1:631'],
])('%s is sealed: a change of its part %s needs confirmation', (name, before, after) => {
	const directory = temporaryFolder('seal');
	start(directory, digests(SETTINGS));
	expect(SETTINGS).toContain(before);
	expect(start(directory, digests(SETTINGS.replace(before, after))).unconfirmed()).toEqual([name]);
});

test('the certificate authority needs confirmation if its content changes, but not if its file is renamed', () => {
	const directory = temporaryFolder('seal');
	const [first, second] = [join(directory, 'ca.pem'), join(directory, 'renamed.pem')];
	for (const file of [first, second]) writeFileSync(file, 'the authority');
	const of = (file: string) => digests(SETTINGS.replace('"CA"', `"${file}"`));
	start(directory, of(first));
	expect(start(directory, of(second)).unconfirmed()).toEqual([]);
	writeFileSync(first, 'another authority');
	expect(start(directory, of(first)).unconfirmed()).toEqual(['[back_office] ca_file']);
	expect(start(directory, digests(SETTINGS.replace('ca_file = "CA"\n', ''))).unconfirmed()).toEqual(['[back_office] ca_file']);
});

test.each(Object.keys(SYSTEM))('%s is sealed, although the daemon does not read it', (name) => {
	const directory = temporaryFolder('seal');
	start(directory, digests(SETTINGS));
	expect(start(directory, digests(SETTINGS, { ...SYSTEM, [name]: 'other' })).unconfirmed()).toEqual([name]);
});

test('settings that do not concern money are not sealed', () => {
	const directory = temporaryFolder('seal');
	start(directory, digests(SETTINGS));
	const others = SETTINGS.replace('[back_office]', '[site]\nname = "Baru"\n[back_office]\ntimeout_ms = 9000');
	expect(start(directory, digests(others)).unconfirmed()).toEqual([]);
});

/** A kiosk with records in its journal. */
const RECORDS = { hasRecords: true };
const ALL = Object.keys(OWN);
/** Changes the accepted settings in the file, without a new seal. */
function rewrite(directory: string, change: (accepted: Record<string, unknown>) => object): void {
	const file = join(directory, FILE);
	writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
}
const withoutSeal = ({ seal: _seal, ...accepted }: Record<string, unknown>) => accepted;
/** Changes the files into those of version 0.2.0, which did not seal the settings. */
function makeEarlier(directory: string): void {
	rewrite(directory, withoutSeal);
	const { key, from, before } = JSON.parse(readFileSync(keyOf(directory), 'utf8'));
	writeFileSync(keyOf(directory), JSON.stringify({ key, from, before }));
}

test.each<[string, (directory: string) => void]>([
	['other digests', (directory) => rewrite(directory, (accepted) => ({ ...accepted, digests: { ...OWN, '[acceptor] port': 'b' } }))],
	['other digests in the form of version 0.2.0', (directory) => rewrite(directory, () => ({ digests: OWN, by: 'x', time: 'x' }))],
	[
		'the seal of another kiosk',
		(directory) => {
			const other = temporaryFolder('seal');
			start(other, OWN);
			copyFileSync(join(other, FILE), join(directory, FILE));
		},
	],
])('if the accepted settings are forged with %s, all settings need confirmation', (_how, forge) => {
	const directory = temporaryFolder('seal');
	start(directory, OWN);
	expect(unconfirmed(directory, OWN, RECORDS)).toEqual([]);
	forge(directory);
	for (const settings of [OWN, { ...OWN, '[acceptor] port': 'b' }]) expect(unconfirmed(directory, settings, RECORDS)).toEqual(ALL);
	start(directory, OWN, RECORDS).confirmSettings('Sari');
	expect(unconfirmed(directory, OWN, RECORDS)).toEqual([]);
});

test.each([0, 1])('a damaged or old copy %i is repaired from the other copy if that copy has a valid seal', (which) => {
	const directories = ['seal', 'journal'].map((name) => temporaryFolder(name));
	const [state = '', journal = ''] = directories;
	const copy = join(directories[which] ?? '', FILE);
	start(state, OWN, { directories });
	writeFileSync(copy, '{');
	expect(unconfirmed(state, OWN, { ...RECORDS, directories })).toEqual([]);
	const old = readFileSync(copy);
	const changed = { ...OWN, '[acceptor] port': 'b' };
	start(state, changed, { ...RECORDS, directories }).confirmSettings('Sari');
	if (which === 1) writeFileSync(copy, old);
	expect(unconfirmed(state, changed, { ...RECORDS, directories })).toEqual([]);
	expect([accepted(state), accepted(journal)]).toEqual([changed, changed]);
});

test('a start without accepted settings counts as the first start only while the journal has no record', () => {
	const directory = temporaryFolder('seal');
	start(directory, OWN);
	rmSync(join(directory, FILE));
	expect(unconfirmed(directory, OWN, RECORDS)).toEqual(ALL);
	expect(unconfirmed(directory, OWN, RECORDS)).toEqual(ALL);
	expect(unconfirmed(directory, OWN)).toEqual([]);
});

test('an update from version 0.2.0 seals the accepted settings once and does not close cash', () => {
	const directory = temporaryFolder('seal');
	start(directory, OWN);
	makeEarlier(directory);
	expect(unconfirmed(directory, { ...OWN, authorized_keys: 'other' }, RECORDS)).toEqual(['authorized_keys']);
	expect(unconfirmed(directory, OWN, RECORDS)).toEqual([]);
	expect(unconfirmed(directory, OWN, RECORDS)).toEqual([]);
	rewrite(directory, withoutSeal);
	expect(unconfirmed(directory, OWN, RECORDS)).toEqual(ALL);
});

test('after a factory reset, changed settings are still detected with the copy beside the journal', () => {
	const [state, journal] = [join(temporaryFolder('seal'), 'state'), temporaryFolder('seal')];
	const both = { directories: [state, journal], hasRecords: true };
	mkdirSync(state);
	start(state, OWN, { directories: [state, journal] });
	rmSync(state, { recursive: true });
	mkdirSync(state);
	expect(unconfirmed(state, { ...OWN, authorized_keys: 'other' }, both)).toEqual(['authorized_keys']);
	expect(unconfirmed(state, OWN, both)).toEqual([]);
	// Accepting the journal makes a new key for its later records.
	makeSeal(keyOf(state), 8, 'ab'.repeat(32));
	expect(unconfirmed(state, OWN, both)).toEqual([]);
	expect(accepted(state)).toEqual(OWN);
	for (const folder of [state, journal]) rewrite(folder, withoutSeal);
	expect(unconfirmed(state, OWN, both)).toEqual(ALL);
});

test('a key that was missing for one start still verifies the accepted settings', () => {
	const directory = temporaryFolder('seal');
	start(directory, OWN);
	renameSync(keyOf(directory), `${keyOf(directory)}.away`);
	expect(unconfirmed(directory, OWN, RECORDS)).toEqual([]);
	renameSync(`${keyOf(directory)}.away`, keyOf(directory));
	expect(unconfirmed(directory, OWN, RECORDS)).toEqual([]);
});
