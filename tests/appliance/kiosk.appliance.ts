/**
 * Tests the image as a black box. It boots, customers pay, devices are unplugged and processes are
 * killed; the money records must stay right.
 */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { escposText } from '../simulators/printer/escpos-text.ts';
import { until } from '../support/until.ts';
import { type Customer, customerOf, LOWER_BUTTON, UPPER_BUTTON } from './customer.ts';
import { kernelImages } from './disk.ts';
import { showsFaultText } from './fault-text.ts';
import { BOOT_LIMIT_MS, type Guest, SCREEN } from './guest.ts';
import { GUEST_MS, type KioskUnderTest, kioskUnderTest } from './kiosk-under-test.ts';
import { APPROVAL, codeOn, measureTouches, type Touches } from './measured-touches.ts';
import { type Paper, startPaper } from './paper.ts';
import { staffOf } from './staff.ts';

/** Owes Rp 137.500 and pays in cash. */
const BUDI = '081234567890';
/** Owes Rp 137.500; the outcome of the card sale stays unknown. */
const AHMAD = '081200000013';
/** Owes Rp 5.000 and pays by card. */
const JOKO = '081200000008';
/** Owes Rp 3.450.000. */
const MARIA = '081200000005';
/**
 * A picture with more colours than this shows a drawn screen. A black screen has one colour, and
 * the spinner before the connection has about a hundred.
 */
const DRAWN = 1_000;

let kiosk: KioskUnderTest;
let guest: Guest;
let paper: Paper;
let customer: Customer;
let touches: Touches;
async function switchOn(): Promise<void> {
	await kiosk.switchOn();
	guest = kiosk.guest();
}
const booked = () => kiosk.backOffice.books.notes.map(({ nominal }) => nominal);
const oneScreen = () => until(async () => expect((await guest.picture('screen')).colours).toBeGreaterThan(DRAWN), GUEST_MS);
const drawsAgain = () => until(async () => expect(await guest.root('/usr/lib/kiosk/alive')).toBe('204'), GUEST_MS);

beforeAll(async () => {
	// The touches are measured before the guest starts, because the emulation would slow down the
	// browser that measures them.
	if (process.env.KIOSK_CASHIER_DAY) touches = await measureTouches(SCREEN, { overpaid: BUDI, doubtful: MARIA, charged: AHMAD });
	paper = await startPaper();
	kiosk = await kioskUnderTest();
	customer = customerOf(kiosk);
});
afterAll(async () => {
	await kiosk?.stop();
	await paper?.stop();
});

test('the kiosk boots, the firmware enrols its Secure Boot keys, and the screen asks staff to log in', async () => {
	expect(await kernelImages(kiosk.directory)).toEqual([expect.stringMatching(/^kiosk_[^+]+\+3\.efi$/)]);
	await switchOn();
	expect(await kiosk.part('journal')).toBe('open and writable');
	await oneScreen();
	await guest.picture('login');
	expect(await guest.ssh('cat /run/kiosk/setup-problems.txt')).toBe('');
	expect(await kiosk.part('secure boot')).toMatch(/^on: /);
	expect(await guest.root('od -An -tu1 -j4 /sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c')).toMatch(/^\s*1$/);
});

test('after the screen has drawn for a minute, the version is confirmed as good', async () => {
	// Until the version is confirmed, the file name of its kernel image contains the number of
	// remaining boot attempts.
	await drawsAgain();
	await until(async () => expect(await kernelImages(kiosk.directory)).toEqual([expect.stringMatching(/^kiosk_[^+]+\.efi$/)]), GUEST_MS);
	const since = async (unit: string) => Number(await guest.root(`systemctl show -P ActiveEnterTimestampMonotonic ${unit}`));
	await until(async () => expect(await since('systemd-bless-boot')).toBeGreaterThan(0), GUEST_MS);
	expect(await since('systemd-bless-boot')).toBeGreaterThan(await since('kiosk-settled'));
});

test('staff log in at the kiosk, and the home screen appears', async () => {
	await kiosk.logIn();
	await guest.picture('home');
});

test('when the acceptor on the USB adapter takes a note, the note is booked at the back office', async () => {
	await customer.enter(BUDI);
	await guest.picture('payment-method');
	await customer.press(UPPER_BUTTON);
	await kiosk.shows('/cash-payment');
	await customer.takesNotes();
	await customer.insert(100_000);
	await until(() => expect(booked()).toEqual([100_000]), GUEST_MS);
	await guest.picture('cash');
});

test(
	'after a power cut with a note in escrow, the kiosk starts by itself, and the note is neither booked nor in doubt',
	async () => {
		// The kiosk is frozen, because otherwise it could accept the note before the power cut, and the
		// note would be in doubt.
		await guest.freeze();
		await customer.insert(20_000);
		const { device } = kiosk.acceptor;
		while (device.note?.place !== 'escrow') await setImmediate();
		await guest.powerCut();
		kiosk.acceptor.restart({ noteEnds: 'returned' });
		await switchOn();
		await kiosk.shows('/');
		expect((await kiosk.health()).in_doubt).toEqual([]);
		expect(booked()).toEqual([100_000]);
		expect(device.stacked.map(({ nominal }) => nominal)).toEqual([100_000]);
		await guest.picture('home-after-power-cut');
	},
	2 * BOOT_LIMIT_MS,
);

test('when the customer has paid the rest, the printer prints the receipt', async () => {
	// The invoice has received cash, so the kiosk offers no other method.
	await customer.enter(BUDI, '/cash-payment');
	await customer.takesNotes();
	await customer.insert(50_000);
	await until(() => expect(booked()).toEqual([100_000, 50_000]), GUEST_MS);
	await until(() => expect(paper.sheets.join('')).toContain('INV/2026/11/0042'), GUEST_MS);
	await guest.picture('paid');
	await kiosk.shows('/');
});

test('a customer pays by card at the terminal on the second USB adapter', async () => {
	await until(async () => expect(await kiosk.part('card')).toBe('takes cards'), GUEST_MS);
	await customer.enter(JOKO);
	await customer.press(LOWER_BUTTON);
	await customer.press(UPPER_BUTTON);
	await kiosk.shows('/edc-bca-payment');
	await until(() => expect(kiosk.edc.terminal.waiting).toMatchObject({ amount: 5_000 }), GUEST_MS);
	await guest.picture('card');
	expect(kiosk.edc.terminal.tap({ respCode: '00' })).toBe(true);
	await until(() => expect(kiosk.backOffice.books.approvals).toHaveLength(1), GUEST_MS);
	await guest.picture('card-paid');
	expect(kiosk.edc.terminal.bank.captured).toBe(5_000);
	await kiosk.shows('/');
});

// This test takes nine minutes, so it runs only with KIOSK_CASHIER_DAY=1.
test.runIf(process.env.KIOSK_CASHIER_DAY)(
	'by touch alone, staff give change once, settle a note in doubt and an unknown card sale, and count the box with one note missing',
	async () => {
		const staff = staffOf(kiosk);
		await customer.enter(MARIA);
		await customer.press(UPPER_BUTTON);
		await customer.takesNotes();
		kiosk.acceptor.device.nextMishaps.add('lost_stacked');
		await customer.insert(100_000);
		await until(async () => expect((await kiosk.health()).in_doubt).toMatchObject([{ nominal: 100_000 }]), GUEST_MS);
		await staff.touch(touches['leave the cash screen']);
		await kiosk.shows('/');
		kiosk.edc.terminal.setMode('silent_after_ack');
		await customer.enter(AHMAD);
		await customer.press(LOWER_BUTTON);
		await customer.press(UPPER_BUTTON);
		await kiosk.shows('/edc-bca-payment');
		await staff.touch(touches['leave the card screen']);
		await kiosk.shows('/');
		kiosk.edc.terminal.setMode('normal');

		const code = codeOn(paper.sheets.map((sheet) => escposText(sheet)));
		const before = paper.sheets.length;
		await staff.wake();
		await staff.touch(touches['open the staff menu']);
		await kiosk.shows('/staf');
		await guest.picture('staff');
		await staff.touch(touches['add a name']);
		await staff.touch(touches['give change']);
		await staff.touch([...touches['check a paper'], ...touches.code(code), ...touches['send the code']]);
		await staff.sees(touches.isGiven);
		await guest.picture('staff-given');
		await staff.touch(touches['leave the paper']);
		await staff.touch(touches['settle the note']);
		await until(async () => expect((await kiosk.health()).in_doubt).toEqual([]), GUEST_MS);
		await staff.touch(touches['settle the sale']);
		await staff.touch(touches['count the box']);
		await until(async () => expect(await guest.root('kioskctl cash report --period 1')).toContain('Sari'), GUEST_MS);
		await guest.picture('staff-counted');

		// The box holds two notes of Rp 100.000 and one of Rp 50.000; staff count one of each.
		const slips = () =>
			paper.sheets
				.slice(before)
				.map((sheet) => escposText(sheet))
				.join('\n');
		await until(
			() => expect(slips()).toMatch(/UANG DIBERIKAN[\s\S]*12\.500[\s\S]*Seharusnya +Rp 250\.000[\s\S]*Selisih kurang +Rp 100\.000/),
			GUEST_MS,
		);
		expect(await guest.root('kioskctl journal export --invoice INV/2026/11/0042')).toMatch(/"money_given_back"[\s\S]*12500/);
		expect(await guest.root('kioskctl journal export --invoice INV/2026/11/0055')).toContain(`approval code ${APPROVAL}`);
		await until(() => expect(kiosk.backOffice.books.approvals).toHaveLength(2), GUEST_MS);
		await kiosk.shows('/');
	},
);

test('after the browser is killed, a new browser draws the home screen', async () => {
	const oldest = 'pgrep -o -x chromium';
	const before = await guest.root(oldest);
	await guest.root(`kill -KILL ${before}`);
	await until(async () => expect(await guest.root(oldest)).not.toBe(before), GUEST_MS);
	await kiosk.shows('/');
});

test('a technician can restart the screen without the message for staff', async () => {
	await guest.root('systemctl restart kiosk-screen');
	expect(await guest.root('systemctl show -P InactiveExitTimestampMonotonic kiosk-fault')).toBe('0');
	await kiosk.shows('/');
});

test('if the screen cannot start, the panel shows a message for staff, and the start is retried until it succeeds', async () => {
	const compositor = '/usr/lib/kiosk/compositor';
	await guest.root(`mount --bind /usr/bin/false ${compositor} && systemctl kill -s KILL kiosk-screen`);
	await until(async () => expect(await guest.root('cat /dev/vcs1')).toContain('LAYAR KIOSK SEDANG DIPERBAIKI'), GUEST_MS);
	await guest.picture('fault');
	await guest.root(`umount ${compositor}`);
	await kiosk.shows('/');
});

test('if the daemon cannot start, the panel shows a message for staff, and the start is retried until it succeeds', async () => {
	const daemon = '/usr/lib/kiosk/daemon/kioskd';
	await guest.root(`mount --bind /usr/bin/false ${daemon} && systemctl kill -s KILL kioskd`);
	await showsFaultText(guest, 'fault-daemon');
	await guest.root(`umount ${daemon}`);
	await kiosk.shows('/');
});

test('after the daemon is killed it restarts, the page stays, and the journal is intact', async () => {
	const daemon = 'systemctl show -P MainPID kioskd';
	const before = await guest.root(daemon);
	const browser = await guest.root('pgrep -o -x chromium');
	await guest.root(`kill -KILL ${before}`);
	await until(async () => {
		expect(await guest.root(daemon)).not.toMatch(new RegExp(`^(0|${before})$`));
		expect(await guest.ssh('kioskctl journal verify')).toContain('each follows from the record before it');
	}, GUEST_MS);
	await kiosk.shows('/');
	expect(await guest.root('pgrep -o -x chromium')).toBe(browser);
});

test('after the adapters are unplugged and plugged in again in reverse order, both devices work', async () => {
	await guest.unplug('acceptor');
	await guest.unplug('edc');
	await until(async () => expect(await kiosk.part('cash')).toContain('cannot be opened'), GUEST_MS);
	await until(async () => expect(await kiosk.part('card')).toContain('cannot be opened'), GUEST_MS);
	await guest.plug('edc');
	await guest.plug('acceptor');
	await until(async () => expect(await kiosk.part('cash')).toContain('healthy'), GUEST_MS);
	await until(async () => expect(await kiosk.part('card')).toBe('takes cards'), GUEST_MS);
});

test('the graphics driver and its compiler LLVM can be loaded', async () => {
	// The guest has no graphics chip, so the driver compiles its shaders for the processor with LLVM.
	const software = 'WLR_RENDERER=gles2 WLR_RENDERER_ALLOW_SOFTWARE=1 WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1';
	const loaded = 'grep -c libLLVM /proc/$PPID/maps';
	const said = await guest.root(`${software} XDG_RUNTIME_DIR=$(mktemp -d) timeout 600 cage -- sh -c '${loaded}' 2>&1`);
	expect(said).toMatch(/^[1-9]\d*$/m);
});

test('the kernel unpacks its compressed firmware', async () => {
	// Debian's kernel has a test module that loads any firmware file on request, even if the chip is
	// missing.
	const load = 'printf i915/tgl_dmc_ver2_12.bin >/sys/devices/virtual/misc/test_firmware/trigger_request';
	const unpacked = Number(await guest.root(`modprobe test_firmware && ${load} && wc -c </dev/test_firmware; rmmod test_firmware`));
	const packed = Number(await guest.root('stat -c %s /usr/lib/firmware/i915/tgl_dmc_ver2_12.bin.xz'));
	expect(packed).toBeGreaterThan(1_000);
	expect(unpacked).toBeGreaterThan(packed);
});

test('for a printer that needs a driver, CUPS draws text in a font that the document names but does not embed', async () => {
	const raster = 'cupsfilter -i application/pdf -m image/pwg-raster';
	const bytes = async (page: string) => Number(await guest.root(`${raster} /usr/share/cups/data/${page}.pdf 2>/dev/null | wc -c`));
	// `classified` has one word in Helvetica, `default` is an empty page. Neither embeds the font.
	expect(await bytes('classified')).toBeGreaterThan(5 * (await bytes('default')));
});
