import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeCertificates } from '../../../tests/integration/fleet/certificates.ts';
import { boot, home, homeOfEachTest, onCard, siteName, written } from './setup.fixture.ts';

homeOfEachTest();

const GOOD = '[site]\nname = "Maju"\n[acceptor]\nport = "/dev/kiosk-acceptor"\n[acceptor.notes]\n"0x40" = 1000\n';
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx3k3Nn5m3VqGqfEwzPpV1z2C1m3sVqk0l8yqk2m3Qx sari@laptop';

test('valid settings reach the daemon, the network and udev', () => {
	onCard(
		'kiosk.toml',
		`${GOOD}[network]\naddress = "192.0.2.10/24"\ngateway = "192.0.2.1"\ndns = ["192.0.2.53"]\n[devices]\nacceptor = "serial:A1"\nedc = "port:1-2.3"\n`,
	);
	onCard('authorized_keys', `# who may in\n${KEY}\n`);
	expect(boot()).toEqual([]);
	expect(siteName()).toBe('Maju');
	expect(written('/run/kiosk/kiosk.toml')).toContain('/var/lib/kiosk-journal');
	expect(written('/run/systemd/network/10-kiosk.network')).toContain('Address=192.0.2.10/24\nGateway=192.0.2.1\nDNS=192.0.2.53\n');
	expect(written('/run/udev/rules.d/90-kiosk.rules')).toContain(
		'SUBSYSTEM=="tty", ENV{ID_SERIAL_SHORT}=="A1", SYMLINK+="kiosk-acceptor"\nSUBSYSTEM=="tty", SUBSYSTEMS=="usb", KERNELS=="1-2.3", SYMLINK+="kiosk-edc"\n',
	);
	expect(written('/run/kiosk/ssh/authorized_keys')).toBe(`restrict,pty,port-forwarding ${KEY}\n`);
	expect(written('/run/kiosk/setup-problems.txt')).toBe('');
});

/**
 * `finger`: a touch on the panel. `picture`: the expected point in the rotated picture. Coordinates
 * are fractions of width and height.
 */
test.each([
	[0, { finger: [0.1, 0.2], picture: [0.1, 0.2] }],
	[90, { finger: [0.9, 0.2], picture: [0.2, 0.1] }],
	[180, { finger: [0.9, 0.8], picture: [0.1, 0.2] }],
	[270, { finger: [0.1, 0.8], picture: [0.2, 0.1] }],
])('with a picture rotated by %d degrees, touches land where they are aimed', (rotation, { finger, picture }) => {
	onCard('kiosk.toml', `${GOOD}[screen]\nrotation = ${rotation}\n`);
	expect(boot()).toEqual([]);
	const [, rows = ''] = /CALIBRATION_MATRIX\}="([^"]*)"/.exec(written('/run/udev/rules.d/90-kiosk.rules')) ?? [];
	const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = rows.split(' ').map(Number);
	const [x = 0, y = 0] = finger;
	const landed = [a * x + b * y + c, d * x + e * y + f];
	expect(landed.map((part) => part.toFixed(3))).toEqual(picture.map((part) => part.toFixed(3)));
});

test('the screen accepts touch panels, and keyboards and mice only if the settings allow them', () => {
	const rule = () =>
		written('/run/udev/rules.d/90-kiosk.rules')
			.split('\n')
			.find((line) => line.includes('LIBINPUT_IGNORE_DEVICE'));
	onCard('kiosk.toml', GOOD);
	boot();
	for (const part of ['ENV{ID_INPUT_TOUCHSCREEN}=="1"', 'ENV{ID_INPUT_KEYBOARD}!="1"', 'ENV{ID_INPUT_MOUSE}!="1"'])
		expect(rule()).toContain(part);
	onCard('kiosk.toml', `${GOOD}[screen]\nkeyboard = true\n`);
	boot();
	expect(rule()).not.toContain('ID_INPUT');
});

test('another adapter or key changes the sealed settings, but a new comment does not', () => {
	const sealed = () => JSON.parse(written('/run/kiosk/sealed.json')) as Record<string, string>;
	onCard('kiosk.toml', `${GOOD}[devices]\nacceptor = "serial:A1"\n`);
	onCard('authorized_keys', KEY);
	boot();
	const before = sealed();
	onCard('kiosk.toml', `# new\n${GOOD}[devices]\nacceptor = "serial:A2"\n`);
	onCard('authorized_keys', `# new\n${KEY}\n`);
	boot();
	const changed = Object.keys(before).filter((name) => before[name] !== sealed()[name]);
	expect(changed).toEqual(['[devices] acceptor']);
	onCard('authorized_keys', KEY.replace('AAAAIJx3', 'AAAAIJx4'));
	boot();
	expect(sealed().authorized_keys).not.toBe(before.authorized_keys);
});

test('invalid settings are reported with their line, and the last valid settings stay active', () => {
	onCard('kiosk.toml', GOOD);
	boot();
	onCard('kiosk.toml', '[site]\nname = "Baru"\n\n[screen]\nrotation = 45\n');
	expect(boot()).toEqual(['kiosk.toml, line 5: screen.rotation = 45: expected 0, 90, 180 or 270']);
	expect(siteName()).toBe('Maju');
	expect(written('/run/kiosk/setup-problems.txt')).toContain('line 5');
	onCard('kiosk.toml', '[site]\nname = "Baru"\n');
	expect(boot()).toEqual([]);
	expect(siteName()).toBe('Baru');
	expect(written('/run/kiosk/setup-problems.txt')).toBe('');
});

test('if the settings are invalid at the first start, the built-in settings apply and take no money', () => {
	onCard('kiosk.toml', 'site =');
	expect(boot()).toEqual([expect.stringMatching(/^kiosk\.toml, line 1, column \d+: /)]);
	expect(siteName()).toBe('Bengkel');
	expect(written('/run/kiosk/kiosk.toml')).not.toContain('acceptor');
});

/** Settings of which one is new in the next version; the version under test refuses it. */
const NEXT = '[site]\nname = "Baru"\nnext_setting = 1\n';

describe('after an update and a rollback', () => {
	test('a version that refuses a new setting uses its own last valid settings', () => {
		onCard('kiosk.toml', GOOD);
		boot('0.2.0');
		// The next version accepts the setting and stores its own copy of the file.
		mkdirSync(join(home, 'good', '0.3.0'));
		writeFileSync(join(home, 'good', '0.3.0', 'kiosk.toml'), NEXT);
		onCard('kiosk.toml', NEXT);
		expect(boot('0.2.0')).toEqual([expect.stringContaining('there is no such setting')]);
		expect(siteName()).toBe('Maju');
		expect(readFileSync(join(home, 'good', '0.3.0', 'kiosk.toml'), 'utf8')).toBe(NEXT);
	});

	test('a version without its own copy tries the copies of other versions, last used first, and uses the first that it accepts', () => {
		onCard('kiosk.toml', GOOD.replace('Maju', 'Lama'));
		boot('0.1.0');
		onCard('kiosk.toml', GOOD);
		boot('0.2.0');
		utimesSync(join(home, 'good', '0.1.0'), 1, 1);
		onCard('kiosk.toml', NEXT);
		boot('0.4.0');
		expect(siteName()).toBe('Maju');
		rmSync(join(home, 'good', '0.2.0'), { recursive: true });
		boot('0.4.0');
		expect(siteName()).toBe('Lama');
	});

	test('a copy from a release without version folders is used and kept', () => {
		mkdirSync(join(home, 'good'));
		writeFileSync(join(home, 'good', 'kiosk.toml'), GOOD);
		onCard('kiosk.toml', NEXT);
		boot();
		expect(siteName()).toBe('Maju');
		onCard('kiosk.toml', GOOD.replace('Maju', 'Baru'));
		boot();
		expect(siteName()).toBe('Baru');
		expect(readFileSync(join(home, 'good', 'kiosk.toml'), 'utf8')).toBe(GOOD);
	});

	test('the copies of the running version and of the three versions used last are kept', () => {
		onCard('kiosk.toml', GOOD);
		for (const version of ['0.1.0', '0.2.0', '0.3.0', '0.4.0', '0.5.0', '0.6.0']) {
			boot(version);
			utimesSync(join(home, 'good', version), Number(version[2]), Number(version[2]));
		}
		boot('0.2.0');
		expect(readdirSync(join(home, 'good')).sort()).toEqual(['0.2.0', '0.4.0', '0.5.0', '0.6.0']);
	});

	test('if the copy of valid settings cannot be stored, the settings apply and the problem is reported', () => {
		// A folder with the name of the file makes the write fail, as it fails on a full disk.
		mkdirSync(join(home, 'good', '0.2.0', 'kiosk.toml.new'), { recursive: true });
		onCard('kiosk.toml', GOOD);
		expect(boot()).toEqual([expect.stringMatching(/^kiosk\.toml, it could not be stored: /)]);
		expect(siteName()).toBe('Maju');
	});

	test('a key removed from the partition is removed from all copies', () => {
		onCard('kiosk.toml', GOOD);
		onCard('authorized_keys', KEY);
		boot('0.2.0');
		rmSync(join(home, 'card', 'authorized_keys'));
		boot('0.3.0');
		rmSync(join(home, 'card', 'kiosk.toml'));
		boot('0.2.0');
		expect(written('/run/kiosk/ssh/authorized_keys')).toBe('');
	});
});

test('if no setup file is found, settings and keys stay; if there are settings but no key file, no technician is admitted', () => {
	onCard('kiosk.toml', GOOD);
	onCard('authorized_keys', KEY);
	boot();
	for (const file of readdirSync(join(home, 'card'))) rmSync(join(home, 'card', file));
	expect(boot()).toEqual([expect.stringContaining('the last valid settings stay active')]);
	expect(siteName()).toBe('Maju');
	expect(written('/run/kiosk/ssh/authorized_keys')).toContain(KEY);
	onCard('kiosk.toml', GOOD);
	expect(boot()).toEqual([]);
	expect(written('/run/kiosk/ssh/authorized_keys')).toBe('');
});

test('settings passed as credentials take precedence over the partition', () => {
	onCard('kiosk.toml', GOOD);
	writeFileSync(join(home, 'given', 'kiosk.toml'), '[site]\nname = "Armada"\n');
	boot();
	expect(siteName()).toBe('Armada');
});

test('the Wi-Fi password is only in a file that only root can read', () => {
	onCard('kiosk.toml', `${GOOD}[network]\ninterface = "wifi"\nssid = "Bengkel & Co"\npassword = "rahasia-benar"\n`);
	expect(boot()).toEqual([]);
	const file = join(home, 'root/run/kiosk/iwd', `=${Buffer.from('Bengkel & Co').toString('hex')}.psk`);
	expect(readFileSync(file, 'utf8')).toContain('Passphrase=rahasia-benar\n');
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(written('/run/kiosk/kiosk.toml')).not.toContain('rahasia');
	expect(written('/run/systemd/network/10-kiosk.network')).toContain('Type=wlan');
});

test.each([
	[
		'[network]\naddress = "192.0.2.10"\ngateway = "192.0.2.1"',
		'kiosk.toml, line 2: network.address = "192.0.2.10": expected "dhcp", or an address with its prefix',
	],
	['[network]\naddress = "192.0.2.10/24"', 'kiosk.toml, line 1: network.gateway: expected an address beside a fixed'],
	['[network]\ninterface = "wifi"', 'kiosk.toml, line 1: network.ssid: expected the name of the Wi-Fi network'],
	['[devices]\n\nacceptor = "ttyUSB0"', 'kiosk.toml, line 3: devices.acceptor = "ttyUSB0": expected "serial:NUMBER" or "port:1-2.3"'],
	['[devices]\nacceptor = "serial:x\\", RUN+=\\"/bin/sh"', 'kiosk.toml, line 2: devices.acceptor'],
	['[colour]\n', 'kiosk.toml, line 1: colour: there is no such setting'],
])('%j is refused, and the message names the line', (text, sentence) => {
	onCard('kiosk.toml', text);
	expect(boot()).toEqual([expect.stringContaining(sentence)]);
});

test('an invalid certificate and a key with options are reported', () => {
	onCard('kiosk.toml', GOOD);
	onCard('authorized_keys', `${KEY}\ncommand="/bin/sh" ${KEY}\n`);
	onCard('ca.pem', 'nothing');
	expect(boot()).toEqual([
		expect.stringContaining('ca.pem, this is not a certificate'),
		expect.stringContaining('authorized_keys, line 2: this is not a public SSH key'),
	]);
	expect(written('/run/kiosk/ssh/authorized_keys')).toBe('');
});

test('a file with a byte order mark and Windows line ends is valid', () => {
	onCard('kiosk.toml', `\uFEFF${GOOD.replaceAll('\n', '\r\n')}`);
	expect(boot()).toEqual([]);
	expect(siteName()).toBe('Maju');
});

test('the shipped file is valid as shipped and with every setting enabled', () => {
	const config = join(import.meta.dirname, '..', '..', '..', 'config');
	const daemonPart = readFileSync(join(config, 'kiosk.toml'), 'utf8');
	const machinePart = readFileSync(join(config, 'setup', 'appliance.toml'), 'utf8');
	onCard('kiosk.toml', daemonPart + machinePart);
	expect(boot()).toEqual([]);
	expect(written('/run/kiosk/printer')).toBe('auto\n');
	const everything = machinePart.replace('address = "dhcp"\n', '').replace(/^# (?=\w+ = )/gm, '');
	onCard('kiosk.toml', daemonPart + everything);
	const { ca, client } = makeCertificates(home);
	for (const [name, file] of [
		['fleet.pem', client.cert],
		['fleet.key', client.key],
		['fleet-ca.pem', ca],
	] as const)
		onCard(name, readFileSync(file, 'utf8'));
	expect(boot()).toEqual([]);
	expect(written('/run/systemd/network/10-kiosk.network')).toContain('Gateway=192.0.2.1');
	expect(written('/run/kiosk-fleet/agent.yml')).toContain('kiosk-0001');
});
