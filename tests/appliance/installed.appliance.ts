/**
 * Tests a technician's work: writing the image, setting up panel, network and fleet, and a factory
 * reset. One more test hangs the system.
 */
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificates } from '../integration/fleet/certificates.ts';
import { type LogReceiver, startLogReceiver, startMetricsReceiver } from '../integration/fleet/owner.ts';
import type { Prometheus } from '../integration/fleet/prometheus.ts';
import { until } from '../support/until.ts';
import { bytesAt, flash, kernelImages } from './disk.ts';
import { BOOT_LIMIT_MS, type Guest, type GuestOptions, publicKey } from './guest.ts';
import { GUEST_MS, type KioskUnderTest, kioskUnderTest } from './kiosk-under-test.ts';
import { HOST } from './setup-files.ts';
import { startTimeServer } from './time-server.ts';

const MIB = 2 ** 20;
const DISK_BYTES = 8_192 * MIB;
/** Rp 137.500. */
const BUDI = '081234567890';
/** Middles of two buttons on a panel of 1080 × 1920, as fractions of the screen. */
const SUBMIT = [0.5, 0.616] as const;
const PAY_CASH = [0.5, 0.608] as const;
const WIFI = { ssid: 'Bengkel Maju', password: 'rahasia-benar', address: '192.0.2.10/24' };

let kiosk: KioskUnderTest;
let guest: Guest;
let logs: LogReceiver;
let metrics: Prometheus;
let time: Awaited<ReturnType<typeof startTimeServer>>;
const disk = () => join(kiosk.directory, 'disk.raw');
const said = () => readFileSync(join(kiosk.directory, 'console.log'), 'utf8');
const setup = (toml: string) => ({ 'kiosk.toml': toml, authorized_keys: publicKey(kiosk.directory) });
async function switchOn(options: Partial<GuestOptions>): Promise<void> {
	await kiosk.switchOn(options);
	guest = kiosk.guest();
}
const booked = () => kiosk.backOffice.books.notes.map(({ nominal }) => nominal);
const records = async () => Number(/^(\d+) records; each follows/.exec(await guest.root('kioskctl journal verify'))?.[1]);
/** @returns the UUID of a partition's file system; it changes if the file system is recreated */
const made = (partition: string) => guest.root(`blkid -s UUID -o value /dev/disk/by-partlabel/${partition}`);
const addresses = (network: string) => guest.root(`ip -o -4 address show dev ${network}`);

/**
 * Touches a panel that is mounted on its side; x and y are fractions of the rotated picture, from
 * its left and top.
 */
const tapPortrait = (x: number, y: number) => guest.tap(1 - y, x);

async function insert(nominal: number): Promise<void> {
	await until(async () => expect(await kiosk.part('cash')).toBe('takes notes'), GUEST_MS);
	await until(() => expect(kiosk.acceptor.device.insert({ nominal })).toMatchObject({ taken: true }), GUEST_MS);
}

beforeAll(async () => {
	kiosk = await kioskUnderTest();
	time = await startTimeServer();
});
afterAll(async () => {
	await kiosk?.stop();
	await Promise.all([time?.stop(), logs?.stop(), metrics?.stop()]);
});

test('the image is written only if the disk is large enough, its name was typed, and the image has the right checksum', async () => {
	truncateSync(disk(), 0);
	truncateSync(disk(), DISK_BYTES / 2);
	await expect(flash(kiosk.directory)).rejects.toThrow('the kiosk needs at least 8 GB');
	truncateSync(disk(), DISK_BYTES);
	await expect(flash(kiosk.directory, '/dev/sda')).rejects.toThrow('Nothing was written.');
	const damaged = join(kiosk.directory, 'damaged');
	mkdirSync(damaged);
	writeFileSync(join(damaged, 'kiosk.raw'), 'damaged');
	await expect(flash(kiosk.directory, undefined, damaged)).rejects.toThrow('Nothing was written.');
	writeFileSync(join(damaged, 'SHA256SUMS'), `${'0'.repeat(64)}  kiosk.raw\n`);
	await expect(flash(kiosk.directory, undefined, damaged)).rejects.toThrow('damaged or changed after the build');
	expect(bytesAt(kiosk.directory, 0, MIB)).toEqual(Buffer.alloc(MIB));
	expect(await flash(kiosk.directory)).toMatch(/Everything on \/dev\/loop\d+ will be lost\..*\[#{50}\] 100 %.*Done\./s);
	expect(await kernelImages(kiosk.directory)).toEqual([expect.stringMatching(/^kiosk_[^+]+\+3\.efi$/)]);
});

test('the settings set a fixed address and name the adapters by their USB sockets', async () => {
	const turned = kiosk.settings.replace('keyboard = true', 'keyboard = true\nrotation = 90');
	const sockets = turned.replace('serial:acceptor', 'port:1-3').replace('serial:edc', 'port:1-4');
	const network = '[network]\naddress = "10.0.2.77/24"\ngateway = "10.0.2.2"\ndns = ["10.0.2.3"]\nntp = ["10.0.2.2"]\n';
	await switchOn({ setup: setup(`${sockets}\n${network}`), boardClock: '2020-01-01T00:00:00' });
	await until(async () => expect(await addresses('enp0s3')).toContain(' 10.0.2.77/24 '), GUEST_MS);
	expect(await guest.root('readlink /dev/kiosk-acceptor /dev/kiosk-edc')).toMatch(/^ttyUSB\d\nttyUSB\d$/);
	await until(async () => expect(await kiosk.part('cash')).toContain('healthy'), GUEST_MS);
	await until(async () => expect(await kiosk.part('card')).toContain('cards'), GUEST_MS);
});

test('if the clock battery was empty, the time server named in the settings sets the clock', async () => {
	expect(await guest.root("journalctl -b -k -g 'setting system clock'")).toContain('2020-01-01');
	await until(async () => expect(await kiosk.part('clock')).toContain('set by network time'), GUEST_MS);
	const away = Number(await guest.root('date +%s')) - Date.now() / 1_000;
	expect(Math.abs(away)).toBeLessThan(60);
});

test('on a rotated panel, touches reach the touched buttons: staff log in and a customer pays with a note', async () => {
	await until(async () => expect(await guest.root('/usr/lib/kiosk/alive')).toBe('204'), GUEST_MS);
	const { username, password } = kiosk.backOffice.account;
	await guest.type(`${username}\t${password}`);
	await guest.picture('portrait-login');
	await tapPortrait(...SUBMIT);
	await kiosk.shows('/');
	await guest.picture('portrait-home');
	await guest.type(`${BUDI}\n`);
	await kiosk.shows('/payment-method');
	await guest.picture('portrait-method');
	await tapPortrait(...PAY_CASH);
	await kiosk.shows('/cash-payment');
	await insert(100_000);
	await until(() => expect(booked()).toEqual([100_000]), GUEST_MS);
	await guest.picture('portrait-cash');
});

let journal: string;
let written: number;

test(
	'a factory reset, requested by a file on the setup partition, renews the writable data and keeps the money journal',
	async () => {
		journal = await made('kiosk-journal');
		written = await records();
		expect(written).toBeGreaterThan(0);
		const logs = await made('kiosk-var');
		await guest.powerCut();
		const wifi = `[network]
interface = "wifi"
ssid = "${WIFI.ssid}"
password = "${WIFI.password}"
address = "${WIFI.address}"
gateway = "192.0.2.1"
`;
		const files = setup(`${kiosk.settings}\n${wifi}`);
		await kiosk.switchOnUntilReset({ setup: { ...files, 'factory-reset.txt': '' } });
		await switchOn({ setup: files, endAtReset: true });
		expect(await made('kiosk-var')).not.toBe(logs);
		expect(await made('kiosk-journal')).toBe(journal);
		await until(async () => expect(await records()).toBeGreaterThanOrEqual(written), GUEST_MS);
		expect(await guest.root('ls /media/kiosk-setup')).not.toContain('factory-reset');
		// The journal partition still contains the earlier adapter names, so the new names need
		// confirmation.
		expect(await kiosk.part('settings')).toContain('[devices] acceptor');
		expect(await guest.root('kioskctl setup confirm --by Sari')).toContain('[devices] acceptor');
		await until(async () => expect(await kiosk.part('settings')).toBe(''), GUEST_MS);
	},
	2 * BOOT_LIMIT_MS,
);

test('the kiosk joins the Wi-Fi network that the settings name', async () => {
	// The kernel simulates two radios. One of them acts as the dealer's access point.
	const access = ['modprobe mac80211_hwsim radios=2', 'until iwctl device list | grep -q wlan1; do sleep 1; done'];
	await guest.root([...access, 'iwctl device wlan1 set-property Mode ap'].join(' && '));
	await until(() => guest.root(`iwctl ap wlan1 start "${WIFI.ssid}" "${WIFI.password}"`), GUEST_MS);
	await until(async () => {
		const station = await guest.root('iwctl station wlan0 show');
		expect(station).toMatch(/State +connected/);
		expect(station).toMatch(new RegExp(`Connected network +${WIFI.ssid}`));
		expect(await addresses('wlan0')).toContain(` ${WIFI.address} `);
	}, GUEST_MS);
});

test('the board’s watchdog resets a hung system', async () => {
	const limit = 'org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager RuntimeWatchdogUSec';
	expect(await guest.root(`busctl get-property ${limit}`)).toBe('t 60000000');
	await guest.root(`busctl set-property ${limit} t 10000000`);
	await guest.root('echo 1 >/sys/fs/cgroup/init.scope/cgroup.freeze');
	await guest.ended;
	expect(said()).not.toMatch(/reboot: |Kernel panic/);
});

test(
	'if a technician writes the image to the disk again, the money journal is kept',
	async () => {
		expect(await flash(kiosk.directory)).toMatch(/but the kiosk's money journal will be lost/);
		const certificates = makeCertificates(kiosk.directory, `DNS:localhost,IP:${HOST}`);
		logs = await startLogReceiver(kiosk.directory, certificates);
		metrics = await startMetricsReceiver(kiosk.directory, certificates);
		const fleet = `[fleet]
name = "kiosk-0001"
logs = "${logs.url}"
metrics = "${metrics.url}/api/v1/write"
scrape_seconds = 15
`.replaceAll('localhost', HOST);
		const { client, ca } = certificates;
		await switchOn({
			setup: {
				...setup(`${kiosk.settings}\n${fleet}`),
				'fleet.pem': readFileSync(client.cert, 'utf8'),
				'fleet.key': readFileSync(client.key, 'utf8'),
				'fleet-ca.pem': readFileSync(ca, 'utf8'),
			},
		});
		expect(await made('kiosk-journal')).toBe(journal);
		await until(async () => expect(await records()).toBeGreaterThanOrEqual(written), GUEST_MS);
	},
	BOOT_LIMIT_MS,
);

test('log and metrics reach the owner of a fleet, under the kiosk’s own certificate and name', async () => {
	const started = () => logs.entries('KIOSK_EVENT=daemon.started', '_HOSTNAME=kiosk-0001');
	await until(async () => expect(await started()).toMatchObject([{ KIOSK_PART: 'daemon' }]), GUEST_MS);
	const loggedIn = () => metrics.value('kiosk_logged_in{instance="kiosk-0001"}');
	await until(async () => expect(await loggedIn()).toBe(0), GUEST_MS);
	await kiosk.logIn();
	await until(async () => expect(await loggedIn()).toBe(1), GUEST_MS);
});

test('after the image was written again, a customer pays the rest of the invoice', async () => {
	// If the attract picture is shown, the first key only ends it. Without this key the first digit
	// would be lost.
	await guest.keys('shift');
	await guest.type(`${BUDI}\n`);
	await kiosk.shows('/cash-payment');
	await insert(50_000);
	await until(() => expect(booked()).toEqual([100_000, 50_000]), GUEST_MS);
});
