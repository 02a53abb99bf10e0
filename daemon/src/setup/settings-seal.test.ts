import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { parseSettings } from '../settings/settings.ts';
import { type Digests, openSeal, sealedSettings } from './settings-seal.ts';

const OWN: Digests = { '[acceptor] port': 'a', authorized_keys: 'k' };
const LATER = { ...OWN, '[update] url': 'u' };

function start(directory: string, sealed: Digests) {
	return openSeal({ directories: [directory], sealed, now: () => '2026-11-21T14:31:08+07:00', log: { event: () => {} } as never });
}
const accepted = (directory: string): Digests =>
	JSON.parse(readFileSync(join(directory, 'accepted-settings.json'), 'utf8')).digests as Digests;

test('a name that only a later version seals is kept and does not count as a change when the kiosk returns to this version', () => {
	const directory = temporaryFolder('seal');
	start(directory, LATER);
	const seal = start(directory, { ...OWN, '[acceptor] port': 'b' });
	expect(seal.unconfirmed()).toEqual(['[acceptor] port']);
	seal.confirmSettings('Sari');
	expect(accepted(directory)).toEqual({ ...LATER, '[acceptor] port': 'b' });
	expect(start(directory, { ...LATER, '[acceptor] port': 'b', '[update] url': 'other' }).unconfirmed()).toEqual(['[update] url']);
});

test('a name that this version seals counts as changed when it is missing', () => {
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

/** @returns the digests of these settings, read by the daemon's own parser */
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
	['[back_office.paths]', '"/notes/"', '"/elsewhere/"'],
	['[back_office.paths]', '[back_office.paths]', '[back_office.paths]\npin = "/elsewhere/"'],
	['[edc] port', '"/dev/kiosk-edc"', '"tcp:192.0.2.1:7002"'],
	['[printer] uri', '127.0.0.1:631', '192.0.2.1:631'],
])('%s is sealed: a change of %s needs confirmation', (name, before, after) => {
	const directory = temporaryFolder('seal');
	start(directory, digests(SETTINGS));
	expect(SETTINGS).toContain(before);
	expect(start(directory, digests(SETTINGS.replace(before, after))).unconfirmed()).toEqual([name]);
});

test('the certificate authority is sealed by its content: a renamed file is no change, another content or no file is one', () => {
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
