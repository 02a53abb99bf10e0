/**
 * Tests updates of the image: good and broken versions arrive over HTTP, by USB stick and by hand.
 * In the end the kiosk must run a working version, and its books must be right.
 */
import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { type Customer, customerOf, LOWER_BUTTON, UPPER_BUTTON } from './customer.ts';
import { flipByte, kernelImages, partitionAt } from './disk.ts';
import { BOOT_LIMIT_MS, type Guest, publicKey } from './guest.ts';
import { GUEST_MS, type KioskUnderTest, kioskUnderTest } from './kiosk-under-test.ts';
import { FETCH_MS, type KioskUpdates, updatesOf } from './kiosk-updates.ts';
import { type Paper, startPaper } from './paper.ts';
import { HOST } from './setup-files.ts';
import { makeStick } from './stick.ts';
import { startTimeServer } from './time-server.ts';
import { type Fault, startUpdateSite, type UpdateSite } from './update-site.ts';
import { builtVersion, makeVariant, versionLike } from './variant.ts';

/** Rp 137.500. */
const BUDI = '081234567890';
/** Rp 5.000. */
const JOKO = '081200000008';
/** Rp 137.500. */
const AHMAD = '081200000013';
/** Rp 3.450.000. */
const MARIA = '081200000005';
/** Has an open QRIS code. */
const DEWI = '081200000003';
/** Size of the stick, MiB: large enough for all files of a version. */
const STICK_MIB = 1_700;
/** Offset of the file system's superblock, which every mount reads first. */
const SUPERBLOCK = 1_024;
/** Shortens the trial of a version that never draws from fifteen minutes to two. */
const SHORT_TRIAL = ['OnBootSec=15min\nAccuracySec=10s', 'OnBootSec=02min\nAccuracySec=10s'] as const;
/**
 * Shortens the trial of a version that draws from fifteen minutes to seven. On a loaded computer
 * the kiosk draws only minutes after its start.
 */
const SHORTER_TRIAL = [SHORT_TRIAL[0], 'OnBootSec=07min\nAccuracySec=10s'] as const;
/**
 * Mounts another file over the daemon's schema, so that the daemon cannot open the journal. The new
 * line replaces a comment of the same length in kioskd.service.
 */
const OTHER_SCHEMA = [
	'# The daemon reports every third of this time, and only while journal, event loop and serial lines',
	'BindReadOnlyPaths=/usr/lib/os-release:/usr/lib/kiosk/daemon/src/built/schema.sql'.padEnd(98),
] as const;
/**
 * Time limit of three starts on trial, each with a shutdown, and the start of the previous version.
 */
const THREE_TRIES_MS = 4 * BOOT_LIMIT_MS;

let kiosk: KioskUnderTest;
let guest: Guest;
let paper: Paper;
let customer: Customer;
let site: UpdateSite;
let updates: KioskUpdates;
let time: Awaited<ReturnType<typeof startTimeServer>>;
let running: string;

const built = builtVersion();
const later = (patch: number): string => versionLike(built, patch);
const booked = () => kiosk.backOffice.books.notes.map(({ nominal }) => nominal);
const setup = () => ({
	'kiosk.toml': `${kiosk.settings}\n[network]\nntp = ["${HOST}"]\n[update]\nurl = "http://${HOST}:${site.port}/"\nwindow = "00:00-00:00"\n`,
	authorized_keys: publicKey(kiosk.directory),
});

async function switchOn(): Promise<void> {
	await kiosk.switchOn({ setup: setup() });
	guest = kiosk.guest();
}

beforeAll(async () => {
	[paper, site, time] = [await startPaper(), await startUpdateSite(), await startTimeServer()];
	kiosk = await kioskUnderTest();
	customer = customerOf(kiosk);
	updates = updatesOf(kiosk, site);
	await switchOn();
	running = built;
}, BOOT_LIMIT_MS);
afterAll(async () => {
	await kiosk?.stop();
	await Promise.all([paper?.stop(), site?.stop(), time?.stop()]);
});

test('a new kiosk is on trial until its screen has drawn for a minute, and then takes money', async () => {
	await guest.root('test -e /run/kiosk/trial');
	await kiosk.logIn();
	await until(async () => expect(await kernelImages(kiosk.directory)).toEqual([`kiosk_${built}.efi`]), GUEST_MS);
	expect(await updates.versionsOnDisk()).toEqual([built]);
	await until(() => guest.root('test ! -e /run/kiosk/trial'), GUEST_MS);
	await customer.enter(JOKO);
	await customer.press(UPPER_BUTTON);
	await customer.takesNotes();
	await customer.insert(5_000);
	await until(() => expect(booked()).toEqual([5_000]), GUEST_MS);
	// During the download, an open cash page would keep the emulated processors busy.
	await kiosk.shows('/');
});

test('an update over HTTP is downloaded, installed, started and confirmed as good', {
	tags: 'good',
	timeout: 3 * BOOT_LIMIT_MS,
}, async () => {
	const next = later(1);
	await updates.publish(next);
	// Masked, because on a loaded computer the kiosk could restart by itself before the test has read
	// its state.
	await guest.root('systemctl mask --runtime kiosk-update-restart');
	await updates.start('kiosk-update');
	await updates.reaches(['written'], next, FETCH_MS);
	expect(await kernelImages(kiosk.directory)).toContain(`kiosk_${next}+3-0.efi`);
	await guest.root('systemctl unmask --runtime kiosk-update-restart');
	await updates.asksForRestart();
	await updates.runs(next, BOOT_LIMIT_MS);
	await updates.reaches(['good'], next, BOOT_LIMIT_MS);
	expect(await kernelImages(kiosk.directory)).toEqual(expect.arrayContaining([`kiosk_${built}.efi`, `kiosk_${next}.efi`]));
	expect(await updates.outcomes()).toEqual([`${next} good`]);
	running = next;
});

test('after the update, the next customer can pay', { tags: 'good' }, async () => {
	const before = booked();
	await kiosk.shows('/');
	await customer.enter(BUDI);
	await customer.press(UPPER_BUTTON);
	for (const nominal of [100_000, 50_000]) {
		await customer.takesNotes();
		await customer.insert(nominal);
	}
	await until(() => expect(booked()).toEqual([...before, 100_000, 50_000]), GUEST_MS);
	await until(() => expect(paper.sheets.join('')).toContain('INV/2026/11/0042'), GUEST_MS);
	expect(await guest.root('kioskctl journal verify')).toContain('each follows from the record before it');
	await kiosk.shows('/');
});

/** @returns the devices to which the links with the kiosk's partition names point */
const links = () => guest.root('readlink -f /dev/disk/by-partlabel/{kiosk-var,kiosk-setup,kiosk-journal,esp}');

test('an update is refused if its stick is pulled out during the copy; after the stick is plugged in again the update is copied, the stick’s partitions replace none of the kiosk’s, and its driver is unloaded', {
	tags: 'deep',
	timeout: 4 * BOOT_LIMIT_MS,
}, async () => {
	const before = await links();
	const brought = later(2);
	const stick = join(kiosk.directory, 'stick.raw');
	await makeStick(stick, ['kiosk-var', 'kiosk-setup', 'esp'], await updates.releaseFiles(brought), STICK_MIB);
	const copied = 'du -sm /var/lib/kiosk-update/import | cut -f1';
	await guest.plugStick(stick);
	await updates.start('kiosk-update-usb');
	await until(async () => expect(Number(await guest.root(copied))).toBeGreaterThan(20), GUEST_MS);
	await guest.pullStick();
	await until(
		async () => expect(await updates.state()).toMatchObject({ state: 'refused', version: brought, reason: 'checksum' }),
		GUEST_MS,
	);
	expect(await guest.root('ls /var/lib/kiosk-update/import; lsmod | grep ^usb_storage || true')).toBe('');
	await guest.plugStick(stick);
	await updates.start('kiosk-update-usb');
	await until(() => guest.root('lsmod | grep -q ^usb_storage && test -b /dev/sda1'), GUEST_MS);
	expect(await links()).toBe(before);
	await updates.triesAgain();
	await updates.runs(brought, BOOT_LIMIT_MS);
	await updates.reaches(['good'], brought, BOOT_LIMIT_MS);
	expect(await guest.root('lsmod | grep ^usb_storage || true; ls /dev/sd* 2>/dev/null || true')).toBe('');
	await guest.pullStick();
	running = brought;
});

/** @returns a fault that answers each request whose address matches, e.g. by its end */
const faultAt =
	(end: RegExp, answer: (response: ServerResponse) => void): Fault =>
	({ url = '' }, response) => {
		if (end.test(url)) answer(response);
		return end.test(url);
	};

test('the kiosk refuses wrong, old and foreign manifests, files from a faulty server, and an update that does not fit on the disk', {
	tags: 'broken',
	timeout: 2 * BOOT_LIMIT_MS,
}, async () => {
	const offered = later(9);
	const names = await makeVariant(offered, { folder: updates.folder(offered) });
	const older = built.replace(/^[\d.]+/, (numbers) => numbers.replaceAll(/\d/g, '0'));
	const olderNames = await makeVariant(older, { folder: updates.folder(older) });
	const stranger = generateKeyPairSync('ed25519').privateKey;
	const offer = (fields: object = {}) => site.publish(updates.folder(offered), offered, names, fields);
	const faulty = async (fault: Fault) => {
		await offer();
		site.fault = fault;
	};
	const listed = async (change: () => void) => {
		await offer();
		change();
	};
	const offers: [name: string, make: () => Promise<void>, said: RegExp][] = [
		['signed by another', () => site.publish(updates.folder(offered), offered, names, {}, stranger), /^signature /],
		['for another channel', () => offer({ channel: 'beta' }), /^channel /],
		[
			'changed after its signature',
			() => listed(() => (site.list.bytes = Buffer.concat([site.list.bytes, Buffer.from(' ')]))),
			/^signature /,
		],
		['that has expired', () => offer({ expires: '2026-11-21T00:00:00Z' }), /^expired /],
		['stopped by the owner', () => offer({ hold: true }), /^hold /],
		['cut off', () => listed(() => (site.list.bytes = site.list.bytes.subarray(0, 100))), /^signature /],
		['older than the running version', () => site.publish(updates.folder(older), older, olderNames), /^older /],
		['with half a signature', () => listed(() => (site.list.signature = site.list.signature.subarray(0, 40))), /^signature /],
		['that cannot read the journal', () => offer({ journal: { reads: 1, writes: 1 } }), /^journal_format /],
		['that is marked as bad', () => offer({ failed: [offered] }), /^failed_version /],
		['redirected', () => faulty(faultAt(/json$/, (response) => response.writeHead(302, { location: '/elsewhere' }).end())), / redirects, /],
		[
			'with other lengths',
			() => faulty(faultAt(/raw$/, (response) => response.writeHead(206, { 'content-length': 7 }).end('7 bytes'))),
			/^length /,
		],
		['from a server that hangs up', () => faulty(faultAt(/raw$/, (response) => response.destroy())), /^unreachable /],
	];
	await until(async () => expect(await kiosk.part('clock')).toContain('set by network time'), GUEST_MS);
	for (const [name, make, said] of offers) {
		site.fault = null;
		await make();
		// If the kiosk refuses the update, the unit fails.
		await guest.root('systemctl start kiosk-update || true');
		const { reason, text } = await updates.state();
		expect(`${reason} ${text}`, name).toMatch(said);
	}
	await faulty(() => false);
	site.trickles = true;
	await guest.root('systemctl start kiosk-update || true');
	expect(await updates.state()).toMatchObject({ reason: 'stalled', text: expect.stringContaining('bytes came in') });
	site.trickles = false;
	await guest.root('fallocate -l $(($(df --output=avail -B1 /var | tail -1) - 50000000)) /var/full');
	await guest.root('systemctl start kiosk-update || true');
	expect(await updates.state()).toMatchObject({ state: 'refused', version: offered, reason: 'space' });
	await guest.root('rm /var/full');
	expect(await kernelImages(kiosk.directory)).not.toContain(`kiosk_${offered}+3-0.efi`);
	expect(await updates.versionNow()).toBe(running);
});

test('a full boot partition, or a byte that changes after the verification, is detected before the kernel image is written', {
	tags: 'broken',
}, async () => {
	const bad = later(3);
	await updates.publish(bad);
	await guest.root('systemctl mask --runtime kiosk-update-install');
	await updates.start('kiosk-update');
	await updates.reaches(['verified'], bad, FETCH_MS);
	await guest.root('dd if=/dev/zero of=/efi/full bs=1M || true; systemctl unmask --runtime kiosk-update-install');
	await updates.start('kiosk-update-install');
	await until(async () => expect(await updates.state()).toMatchObject({ state: 'refused', version: bad, reason: 'space' }), GUEST_MS);
	expect((await updates.state()).text).toContain('boot partition');
	await guest.root('rm /efi/full; systemctl mask --runtime kiosk-update-install');
	await updates.start('kiosk-update');
	await updates.triesAgain();
	await updates.reaches(['verified'], bad, FETCH_MS);
	const file = `/var/lib/kiosk-update/${bad}/kiosk_${bad}_*.root.raw`;
	await guest.root(`printf x | dd of=$(echo ${file}) bs=1 seek=${SUPERBLOCK + 3} conv=notrunc status=none`);
	await guest.root('systemctl unmask --runtime kiosk-update-install');
	await updates.start('kiosk-update-install');
	await updates.reaches(['failed'], bad);
	expect((await updates.state()).reason).toBe('verity');
	expect(await kernelImages(kiosk.directory)).toEqual([`kiosk_${running}.efi`]);
});

test('if the page of a version never draws, the version is started three times, and then the previous version runs', {
	tags: 'broken',
	timeout: 2 * THREE_TRIES_MS,
}, async () => {
	const dark = later(4);
	await updates.tryVersion(dark, { parameters: 'systemd.mask=kiosk-screen.service', changes: [SHORT_TRIAL] });
	await updates.reaches(['failed'], dark, THREE_TRIES_MS);
	expect(await updates.versionNow()).toBe(running);
	expect((await updates.state()).history.at(-1)).toMatchObject({ version: dark, outcome: 'failed', reason: 'never_drew', tries: 3 });
	expect(await kernelImages(kiosk.directory)).toEqual(expect.arrayContaining([`kiosk_${running}.efi`, `kiosk_${dark}+0-3.efi`]));
	expect(await updates.versionsOnDisk()).toEqual([running, dark]);
	await kiosk.shows('/');
	// If the server offers the failed version again, the kiosk refuses it.
	await updates.start('kiosk-update');
	await until(async () => expect(await updates.state()).toMatchObject({ state: 'refused', version: dark }), GUEST_MS);
});

test('after damage to the written slot, and after a kernel panic, the previous version starts again', {
	tags: 'deep',
	timeout: 3 * THREE_TRIES_MS,
}, async () => {
	const before = booked();
	const panics = later(5);
	await updates.tryVersion(panics, { parameters: 'rdinit=/nowhere' });
	await updates.reaches(['failed'], panics, THREE_TRIES_MS);
	expect(await updates.versionNow()).toBe(running);

	const rots = later(6);
	await updates.publish(rots);
	await guest.root('systemctl mask --runtime kiosk-update-restart');
	await updates.start('kiosk-update');
	await updates.reaches(['written'], rots, FETCH_MS);
	await guest.powerCut();
	flipByte(kiosk.directory, (await partitionAt(kiosk.directory, `kiosk_${rots}`)) + SUPERBLOCK);
	await switchOn();
	await updates.reaches(['failed'], rots, THREE_TRIES_MS);
	expect(await updates.versionNow()).toBe(running);
	expect(booked()).toEqual(before);
	expect(await updates.versionsOnDisk()).toEqual([running, rots]);
});

/**
 * Prints how many of the 2,867,200 sectors of the free slot's root were written since the guest
 * started. systemd-sysupdate writes to the whole disk, so the partitions' counters do not include
 * these writes.
 */
const WRITTEN = 'awk \'$3 == "vda" {sum += $10} $3 ~ /^vda[0-9]/ {sum -= $10} END {print sum}\' /proc/diskstats';
/** Shell conditions in the order in which an update meets them. */
const CUTS = (version: string): Readonly<Record<string, string>> => ({
	'while the first bytes arrive': `[ "$(du -sm /var/lib/kiosk-update | cut -f1)" -gt 5 ]`,
	'while the rest arrives': `[ "$(du -sm /var/lib/kiosk-update | cut -f1)" -gt 200 ]`,
	'as soon as the slot is written to': `[ "$(${WRITTEN})" -gt 0 ]`,
	'with a fifth of the slot written': `[ "$(${WRITTEN})" -gt 570000 ]`,
	'with half of the slot written': `[ "$(${WRITTEN})" -gt 1430000 ]`,
	'with four fifths of the slot written': `[ "$(${WRITTEN})" -gt 2290000 ]`,
	'with the whole slot written': `[ "$(${WRITTEN})" -gt 2860000 ]`,
	'when the slot has its final name': `[ -e /dev/disk/by-partlabel/kiosk_${version} ]`,
	'while the kernel image is written': 'compgen -G "/efi/EFI/Linux/.#sysupdate*" >/dev/null',
	'when the kernel image has its final name': `[ -e /efi/EFI/Linux/kiosk_${version}+3-0.efi ]`,
});

test('after each of twelve power cuts during an update a complete version starts, and in the end the new version stays', {
	tags: 'deep',
	timeout: 16 * BOOT_LIMIT_MS,
}, async () => {
	const before = booked();
	const next = later(7);
	await updates.publish(next);
	for (const [when, condition] of Object.entries(CUTS(next))) {
		await updates.start('kiosk-update');
		await guest.root(`until ${condition}; do sleep 0.05; done`);
		await guest.powerCut();
		await switchOn();
		// At the last cut the kernel image is in place, so the loader may already start the new
		// version.
		expect([running, next], when).toContain(await updates.versionNow());
	}
	await until(async () => {
		if ((await updates.versionNow()) === running) await updates.asksForRestart();
		await updates.runs(next, BOOT_LIMIT_MS);
	}, 3 * BOOT_LIMIT_MS);
	await guest.powerCut();
	await switchOn();
	await until(() => guest.root('systemctl is-active kioskd'), GUEST_MS);
	await guest.root('sleep 30');
	await guest.powerCut();
	await switchOn();
	await updates.reaches(['good'], next, BOOT_LIMIT_MS);
	expect(await updates.outcomes()).toContain(`${next} good`);
	expect(booked()).toEqual(before);
	running = next;
});

test('a technician installs a release from a folder, and returns to the previous version', {
	tags: 'deep',
	timeout: 5 * BOOT_LIMIT_MS,
}, async () => {
	const before = booked();
	const brought = later(8);
	await guest.ssh('mkdir release');
	await guest.copyIn(await updates.releaseFiles(brought), 'release/');
	expect(await guest.ssh('kioskctl update status')).toContain(`${running} runs`);
	// The restart at the end of the installation may cut the connection.
	await guest.ssh('kioskctl update install release').catch(() => {});
	await updates.runs(brought, BOOT_LIMIT_MS);
	await updates.reaches(['good'], brought, BOOT_LIMIT_MS);
	await guest.ssh('kioskctl update rollback --by Sari --why "receipts are cut off" --yes').catch(() => {});
	await updates.runs(running, BOOT_LIMIT_MS);
	await updates.reaches(['rolled_back'], brought);
	expect(await guest.ssh('kioskctl update history')).toMatch(new RegExp(`${brought} +rolled back +from ${running}`));
	expect(booked()).toEqual(before);
});

test('an installed update waits while a card sale, receipt, cash session, new note in doubt or QRIS code is open', {
	tags: 'deep',
	timeout: 6 * BOOT_LIMIT_MS,
}, async () => {
	const next = later(10);
	await updates.publish(next);
	await guest.root('systemctl mask --runtime kiosk-update-restart');
	await updates.start('kiosk-update');
	await updates.reaches(['written'], next, FETCH_MS);
	await guest.root('systemctl unmask --runtime kiosk-update-restart');

	await until(async () => expect(await kiosk.part('card')).toBe('takes cards'), GUEST_MS);
	await customer.enter(AHMAD);
	await customer.press(LOWER_BUTTON);
	await customer.press(UPPER_BUTTON);
	await until(() => expect(kiosk.edc.terminal.waiting).toMatchObject({ amount: 137_500 }), GUEST_MS);
	await updates.asksInVain('the card terminal is busy');
	paper.hold();
	expect(kiosk.edc.terminal.tap({ respCode: '00' })).toBe(true);
	await until(() => expect(kiosk.backOffice.books.approvals).toHaveLength(1), GUEST_MS);
	await updates.asksInVain('a receipt or slip is being printed');
	paper.release();

	await kiosk.shows('/');
	await customer.enter(MARIA);
	await customer.press(UPPER_BUTTON);
	await customer.takesNotes();
	await updates.asksInVain('a customer is paying in cash');
	const before = booked();
	kiosk.acceptor.device.nextMishaps.add('lost_stacked');
	await customer.insert(100_000);
	await until(async () => expect((await kiosk.health()).in_doubt).toMatchObject([{ nominal: 100_000 }]), GUEST_MS);
	await updates.asksInVain('a note is in doubt');

	await kiosk.shows('/');
	await customer.enter(DEWI, '/non-cash-payment');
	await updates.asksInVain('a QRIS code');
	await kiosk.shows('/');
	await updates.asksForRestart();
	await updates.runs(next, BOOT_LIMIT_MS);
	await updates.reaches(['good'], next, BOOT_LIMIT_MS);
	expect((await kiosk.health()).in_doubt).toMatchObject([{ nominal: 100_000 }]);
	expect(booked()).toEqual(before);
	expect(kiosk.edc.terminal.bank.captured).toBe(137_500);
	running = next;
});

test('a version that cannot open the journal fails for this reason, and the journal stays intact', {
	tags: 'deep',
	timeout: 2 * THREE_TRIES_MS,
}, async () => {
	const refuses = later(11);
	await updates.tryVersion(refuses, { changes: [OTHER_SCHEMA, SHORTER_TRIAL] });
	await updates.reaches(['failed'], refuses, THREE_TRIES_MS);
	expect((await updates.state()).history.at(-1)).toMatchObject({ version: refuses, outcome: 'failed', reason: 'journal', tries: 3 });
	expect(await updates.versionNow()).toBe(running);
	await kiosk.shows('/');
	expect(await guest.root('kioskctl journal verify')).toContain('each follows from the record before it');
});

test('if a version on trial never draws, the previous version returns even after a factory reset, and the journal is kept', {
	tags: 'deep',
	timeout: 3 * THREE_TRIES_MS,
}, async () => {
	const dark = later(12);
	await updates.tryVersion(dark, { parameters: 'systemd.mask=kiosk-screen.service', changes: [SHORT_TRIAL] });
	await updates.runs(dark, BOOT_LIMIT_MS);
	const journal = 'blkid -s UUID -o value /dev/disk/by-partlabel/kiosk-journal';
	const money = await guest.root(journal);
	await guest.powerCut();
	await kiosk.switchOnUntilReset({ setup: { ...setup(), 'factory-reset.txt': '' } });
	await switchOn();
	await updates.runs(running, THREE_TRIES_MS);
	await until(() => guest.root('systemctl is-active kioskd'), GUEST_MS);
	expect(await guest.root(journal)).toBe(money);
	expect(await guest.root('kioskctl journal verify')).toContain('each follows from the record before it');
	expect(await guest.root('ls /media/kiosk-setup')).not.toContain('factory-reset');
	await kiosk.logIn();
	expect(await kernelImages(kiosk.directory)).toContain(`kiosk_${running}.efi`);
});
