/**
 * Tests what the image allows and what it prevents: for the network, technicians, plugged-in
 * devices and local processes.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { deleteFile } from './disk.ts';
import { type Guest, publicKey } from './guest.ts';
import { INSPECTIONS, MEMORY } from './inspection.ts';
import { KERNEL_ADDON } from './kernel-addon.ts';
import { GUEST_MS, type KioskUnderTest, kioskUnderTest } from './kiosk-under-test.ts';
import { browserOn } from './other-pages.ts';
import { scanPorts } from './port-scan.ts';

/** The build's list of the Debian packages in the image. */
const MANIFEST = join(import.meta.dirname, '..', '..', 'image', 'out', 'kiosk.manifest');

let kiosk: KioskUnderTest;
let guest: Guest;
let wire: { here: number; there: number };

async function freeUdpPort(): Promise<number> {
	const socket = createSocket('udp4').bind(0, '127.0.0.1');
	await once(socket, 'listening');
	const { port } = socket.address();
	await new Promise<void>((closed) => socket.close(() => closed()));
	return port;
}

beforeAll(async () => {
	kiosk = await kioskUnderTest();
	wire = { here: await freeUdpPort(), there: await freeUdpPort() };
	// The settings come as systemd credentials; the setup partition stays as shipped.
	await kiosk.switchOn({ wire, credentials: { 'kiosk.toml': kiosk.settings, authorized_keys: publicKey(kiosk.directory) } });
	guest = kiosk.guest();
	await kiosk.logIn();
}, 1_800_000);
afterAll(() => kiosk?.stop());

test('with the signed add-on, the kiosk uses settings and SSH keys from systemd credentials', async () => {
	expect(await guest.ssh('cat /run/kiosk/setup-problems.txt')).toBe('');
	expect(await guest.ssh('cat /etc/kiosk/kiosk.toml')).toContain('Bengkel Maju Motor');
});

test('a technician logs in only by key, reads logs and health and cannot become root, and root cannot log in', async () => {
	expect(await guest.ssh('journalctl -u kioskd --no-pager -n 200')).toContain('daemon.started');
	expect(await guest.ssh('kioskctl health')).toContain('journal');
	expect(await guest.ssh('journalctl KIOSK_EVENT=daemon.started -o json --no-pager')).toContain('"KIOSK_PART":"daemon"');
	expect(await guest.ssh('journalctl KIOSK_EVENT=daemon.started -x --no-pager')).toContain('The daemon serves the screen');
	expect(await guest.ssh('man kioskctl')).toContain('KIOSKCTL(1)');
	expect(await guest.ssh('bash -lic "complete -p kioskctl" 2>/dev/null')).toContain('_kioskctl');
	expect(await guest.ssh('kioskctl screen screenshot --out screen.png')).toBe('screen.png: written.\n');
	expect(await guest.ssh('head -c 4 screen.png')).toContain('PNG');
	expect(await guest.ssh('id -Gn')).not.toMatch(/root|sudo|adm\b/);
	expect(await guest.ssh('touch /usr/x /etc/x 2>&1 || true')).toContain('Read-only file system');
	expect(await guest.ssh('findmnt -no SOURCE,OPTIONS /')).toMatch(/^\/dev\/mapper\/root\s+ro,/);
	for (const file of ['/etc/shadow', '/var/lib/kiosk-journal/journal.db', '/media/kiosk-setup/kiosk.toml']) {
		await expect(guest.ssh(`cat ${file}`)).rejects.toThrow('Permission denied');
	}
	expect(await guest.ssh('systemctl reboot 2>&1 || true')).toMatch(/denied|required|not (permitted|allowed)/i);
	await expect(guest.ssh('true', { user: 'root' })).rejects.toThrow('Permission denied (publickey)');
	await expect(guest.ssh('true', { options: ['-o', 'PubkeyAuthentication=no'] })).rejects.toThrow('Permission denied (publickey)');
});

test('a technician’s tunnel reaches health page and screenshot, but no other address', async () => {
	const asked = 'GET /health HTTP/1.0\r\nHost: 127.0.0.1:8082\r\nAccept: text/html\r\n\r\n';
	expect(await guest.tunnel('127.0.0.1:8082', asked)).toMatch(/^HTTP\/1.1 200 OK.*<html/s);
	const picture = asked.replace('/health', '/screenshot');
	expect(await guest.tunnel('127.0.0.1:8082', picture)).toMatch(/^HTTP\/1.1 200 OK.*image\/png/s);
	for (const address of ['127.0.0.1:8080', '127.0.0.1:631', '127.0.0.1:22', `10.0.2.2:${kiosk.backOffice.port}`]) {
		await expect(guest.tunnel(address, asked)).rejects.toThrow('administratively prohibited');
	}
	const back = ['-o', 'ExitOnForwardFailure=yes', '-R', '18080:127.0.0.1:8080'];
	await expect(guest.ssh('true', { options: back })).rejects.toThrow('remote port forwarding failed');
});

test.each(Object.entries(INSPECTIONS))('the inspection %s gives the expected output', async (name, command) => {
	await expect(`${await guest.root(command)}\n`).toMatchFileSnapshot(join('expected', `${name}.txt`));
});

test.each([
	['kioskd', 2],
	['kiosk-factory-reset', 5],
	['kiosk-factory-reset-asked', 5],
])('systemd’s exposure level of %s is at most %d', async (unit, most) => {
	const answer = await guest.root(`systemd-analyze security --no-pager ${unit}.service | grep Overall`);
	expect(Number(/: ([0-9.]+)/.exec(answer)?.[1])).toBeLessThanOrEqual(most);
});

test('the licence of every package is in the image', async () => {
	const { packages } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { packages: { name: string }[] };
	expect(packages.length).toBeGreaterThan(100);
	const names = ['kiosk', ...packages.map(({ name }) => name)].join(' ');
	expect(await guest.root(`for name in ${names}; do [ -s "/usr/share/doc/$name/copyright" ] || echo "$name"; done`)).toBe('');
});

test('from the network only SSH answers', async () => {
	expect(await scanPorts(wire)).toEqual({ open: [22], closed: [] });
});

test('the browser has one page and pre-renders no other page', async () => {
	expect(await guest.root('pgrep -c -f "chromium --[t]ype=renderer"')).toBe('1');
});

test('the browser’s user reaches only the kiosk’s own page, and the browser shows no other address', async () => {
	const reaches = (user: string, address: string) =>
		guest.root(
			`runuser -u ${user} -- timeout 20 bash -c 'exec 3<>/dev/tcp/${address.replace(':', '/')}' 2>/dev/null && echo yes || echo no`,
		);
	const office = `10.0.2.2:${kiosk.backOffice.port}`;
	// After the scan of all ports, QEMU's network may refuse connections for a moment.
	await until(async () => expect(await reaches('kiosk-daemon', office)).toBe('yes'), GUEST_MS);
	expect(await reaches('kiosk-screen', office)).toBe('no');
	expect(await reaches('kiosk-screen', '127.0.0.1:631')).toBe('no');
	expect(await reaches('kiosk-screen', '127.0.0.1:8080')).toBe('yes');
	expect(await reaches('kiosk-screen', '127.0.0.1:8082')).toBe('no');
	expect(await reaches('lp', '127.0.0.1:8082')).toBe('no');
	expect(await reaches('technician', '127.0.0.1:8082')).toBe('yes');
	const own = 'http://127.0.0.1:8080/';
	const others = ['chrome://settings', 'file:///etc/passwd', `http://${office}/`, 'http://localhost:8080/', `view-source:${own}`];
	expect(await browserOn(guest, [own, ...others])).toEqual({
		[own]: 'shown',
		...Object.fromEntries(others.map((address) => [address, 'net::ERR_BLOCKED_BY_ADMINISTRATOR'])),
	});
});

/** Key combinations that open another window or act on the system on a common desktop. */
const KEYS = [
	...[
		'n',
		't',
		'w',
		'l',
		'o',
		'p',
		's',
		'j',
		'h',
		'u',
		'f',
		'shift-i',
		'shift-j',
		'shift-c',
		'shift-delete',
		'shift-n',
		'shift-q',
		'shift-esc',
	].map((key) => `ctrl-${key}`),
	...['f1', 'f3', 'f5', 'f6', 'f7', 'f10', 'f11', 'f12', 'esc', 'meta_l', 'print', 'menu', 'sysrq', 'pause'],
	...['alt-f4', 'alt-f2', 'alt-tab', 'alt-left', 'alt-d', 'alt-ret', 'alt-spc', 'alt-f', 'alt-esc'],
	...Array.from({ length: 12 }, (_, index) => `ctrl-alt-f${index + 1}`),
	...['ctrl-alt-backspace', 'alt-sysrq-b', 'alt-sysrq-k', 'alt-sysrq-c', 'meta_l-d', 'meta_l-r', 'meta_l-l'],
	...Array.from({ length: 8 }, () => 'ctrl-alt-delete'),
	...['power', 'sleep'],
];

/**
 * Wait before the test checks that keys and mouse were ignored, s. Otherwise the page would change
 * within seconds, even in QEMU.
 */
const IGNORED_S = 20;

test('after common key combinations the kiosk still shows its page, and nothing has restarted', async () => {
	const facts = 'cat /proc/sys/kernel/random/boot_id; systemctl show -P MainPID kioskd; cat /sys/class/tty/tty0/active';
	const before = await guest.root(facts);
	for (const combination of KEYS) await guest.keys(combination);
	await guest.picture('after-keys');
	await kiosk.shows('/');
	expect(await guest.root(facts)).toBe(before);
	expect(await guest.root('pgrep -c -f "type=renderer.*[d]evtools" || true')).toBe('0');
	expect(await guest.root('systemctl list-units --no-legend --plain --state=running "getty*" "debug-shell*" "emergency*" "rescue*"')).toBe(
		'',
	);
	await guest.picture('after-keys-home');
});

test('a plugged-in memory stick or network adapter appears on the bus but is not used', async () => {
	const uses = 'ls /sys/block /sys/class/net';
	const before = await guest.root(uses);
	await guest.plugStrangers();
	await until(async () => {
		const bus = await guest.root('cat /sys/bus/usb/devices/*/product');
		expect(bus).toContain('QEMU USB HARDDRIVE');
		expect(bus).toContain('RNDIS/QEMU USB Network Device');
	}, GUEST_MS);
	await guest.root('udevadm settle');
	expect(await guest.root(uses)).toBe(before);
	expect(await guest.root('ls -l /sys/bus/usb/devices/*/driver | grep -E "storage|uas|rndis|cdc" || true')).toBe('');
});

test('after the log-in the daemon uses less than 320 MB of memory', async () => {
	const [browser, daemon] = [Number(await guest.root(MEMORY('kiosk-screen'))), Number(await guest.root(MEMORY('kiosk-daemon')))];
	process.stdout.write(`PSS: compositor and browser ${browser} MB, daemon ${daemon} MB\n`);
	expect(daemon).toBeLessThan(320);
	expect(browser).toBeGreaterThan(0);
});

test('if the settings are invalid, the invalid line is reported, and the previous settings stay active', async () => {
	await guest.powerCut();
	await kiosk.switchOn({
		setup: {
			'kiosk.toml': kiosk.settings.replace('keyboard = true', 'rotation = 45'),
			authorized_keys: publicKey(kiosk.directory),
		},
	});
	guest = kiosk.guest();
	expect(await guest.ssh('cat /run/kiosk/setup-problems.txt')).toMatch(
		/^kiosk\.toml, line \d+: screen\.rotation = 45: expected 0, 90, 180 or 270\n$/,
	);
	expect(await guest.ssh('cat /etc/kiosk/kiosk.toml')).toContain('Bengkel Maju Motor');
	await kiosk.shows('/');
	await until(() => guest.picture('wrong-settings'), GUEST_MS);
}, 1_800_000);

test('the shipped image takes no settings or units from the firmware, and ignores keyboard and mouse', async () => {
	await guest.powerCut();
	const touchOnly = kiosk.settings.replace('keyboard = true', '');
	const strange = { 'kiosk.toml': kiosk.settings.replace('Bengkel Maju Motor', 'Bengkel Lain') };
	await deleteFile(kiosk.directory, 'esp', KERNEL_ADDON);
	await kiosk.switchOn({
		asShipped: true,
		setup: { 'kiosk.toml': touchOnly, authorized_keys: publicKey(kiosk.directory) },
		credentials: strange,
	});
	guest = kiosk.guest();
	await kiosk.shows('/');
	expect(await guest.ssh('cat /etc/kiosk/kiosk.toml')).toContain('Bengkel Maju Motor');
	expect(await guest.ssh('systemctl show -P LoadState kiosk-test.service; ls /run/credentials/@system 2>&1 || true')).toMatch(
		/^not-found\n.*No such file/,
	);
	const seats = `for device in /sys/class/input/event*; do udevadm info -q property "$device" | grep -E '^(ID_INPUT_(KEYBOARD|MOUSE)|LIBINPUT_IGNORE_DEVICE)=' | paste -sd' '; done`;
	const devices = (await guest.ssh(seats)).split('\n').filter((line) => line.includes('ID_INPUT'));
	expect(devices.length).toBeGreaterThanOrEqual(2);
	for (const device of devices) expect(device).toContain('LIBINPUT_IGNORE_DEVICE=1');
	const facts = 'cat /proc/sys/kernel/random/boot_id /sys/class/tty/tty0/active';
	const before = await guest.ssh(facts);
	// If keyboards were allowed, these keys would lead to the method screen.
	await guest.type('081234567890\n');
	for (const place of [0.2, 0.4, 0.6, 0.8]) await guest.tap(place, 0.6);
	for (const combination of ['ctrl-alt-f2', 'alt-f4', 'ctrl-alt-delete']) await guest.keys(combination);
	await guest.ssh(`sleep ${IGNORED_S}`);
	await kiosk.shows('/');
	expect(await guest.ssh(facts)).toBe(before);
	await guest.picture('as-shipped');
}, 1_800_000);
