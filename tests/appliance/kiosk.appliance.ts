/**
 * The shipped image as a black box: it boots, customers pay, devices are unplugged, processes are
 * killed, and the books stay right.
 */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kernelImages } from './disk.ts';
import { eventually } from './eventually.ts';
import { showsFaultText } from './fault-text.ts';
import { GUEST_MS, type KioskUnderTest, kioskUnderTest } from './kiosk-under-test.ts';
import { BOOT_LIMIT_MS, type Machine } from './machine.ts';
import { type Paper, startPaper } from './paper.ts';

/** Rp 137.500, paid in cash. */
const BUDI = '081234567890';
/** Rp 5.000, paid by card. */
const JOKO = '081200000008';
/**
 * Centres of the upper and lower large button on the two method screens, as fractions of the
 * screen.
 */
const UPPER_BUTTON = [0.467, 0.279] as const;
const LOWER_BUTTON = [0.467, 0.51] as const;
/** Just inside their left edge, where only the button's colour is. */
const BUTTON_EDGE = 0.262;
const WHITE = 0xff_ff_ff;
/** After this time without the next screen, a customer types again. */
const ATTEMPT_MS = 120_000;
/**
 * Colours of a drawn screen; a black one has one colour, the spinner while connecting about a
 * hundred.
 */
const DRAWN = 1_000;

let kiosk: KioskUnderTest;
let machine: Machine;
let paper: Paper;
async function switchOn(): Promise<void> {
	await kiosk.switchOn();
	machine = kiosk.machine();
}
const booked = () => kiosk.backOffice.books.notes.map(({ nominal }) => nominal);
const oneScreen = () => eventually(async () => expect((await machine.picture('screen')).colours).toBeGreaterThan(DRAWN), GUEST_MS);
const drawsAgain = () => eventually(async () => expect(await machine.root('/usr/lib/kiosk/alive')).toBe('204'), GUEST_MS);

beforeAll(async () => {
	paper = await startPaper();
	kiosk = await kioskUnderTest();
});
afterAll(async () => {
	await kiosk?.stop();
	await paper?.stop();
});

test('the machine boots, Secure Boot takes its keys, and the screen asks staff to log in', async () => {
	expect(await kernelImages(kiosk.directory)).toEqual([expect.stringMatching(/^kiosk_[^+]+\+3\.efi$/)]);
	await switchOn();
	expect(await kiosk.part('journal')).toBe('open and writable');
	await oneScreen();
	await machine.picture('login');
	expect(await machine.ssh('cat /run/kiosk/setup-problems.txt')).toBe('');
	expect(await kiosk.part('secure boot')).toMatch(/^on: /);
	expect(await machine.root('od -An -tu1 -j4 /sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c')).toMatch(/^\s*1$/);
});

test('the boot is marked as good only after the screen has drawn for a minute', async () => {
	// Until then the file name counts the remaining boot attempts.
	await drawsAgain();
	await eventually(
		async () => expect(await kernelImages(kiosk.directory)).toEqual([expect.stringMatching(/^kiosk_[^+]+\.efi$/)]),
		GUEST_MS,
	);
	const since = async (unit: string) => Number(await machine.root(`systemctl show -P ActiveEnterTimestampMonotonic ${unit}`));
	await eventually(async () => expect(await since('systemd-bless-boot')).toBeGreaterThan(0), GUEST_MS);
	expect(await since('systemd-bless-boot')).toBeGreaterThan(await since('kiosk-settled'));
});

test('staff log in at the machine, and the home screen appears', async () => {
	await kiosk.logIn();
	await machine.picture('home');
});

/** From the home screen to the methods, or to where a started payment continues. */
async function enter(phone: string, next = '/payment-method'): Promise<void> {
	await eventually(async () => {
		// Keys typed before the field listens are lost; the loop then types again.
		for (const _ of `${phone}00`) await machine.keys('backspace');
		await machine.type(`${phone}\n`);
		await kiosk.shows(next, ATTEMPT_MS);
	}, GUEST_MS);
}

/** Presses a large button once it is drawn, and waits until the screen has another heading. */
async function press([x, y]: readonly [number, number]): Promise<void> {
	const heading = async () => {
		const picture = await machine.picture('screen');
		expect(picture.at(BUTTON_EDGE, y)).toBe(WHITE);
		return picture.rows(0.03, 0.1, 0.25, 0.68);
	};
	const before = await eventually(heading, GUEST_MS);
	await machine.tap(x, y);
	await eventually(async () => expect((await machine.picture('screen')).rows(0.03, 0.1, 0.25, 0.68)).not.toBe(before), GUEST_MS);
}

const takesNotes = () => eventually(async () => expect(await kiosk.part('cash')).toBe('takes notes'), GUEST_MS);

async function insert(nominal: number): Promise<void> {
	await eventually(() => expect(kiosk.acceptor.device.insert({ nominal })).toMatchObject({ taken: true }), GUEST_MS);
}

test('a customer inserts a note over the USB adapter, and the back office receives it', async () => {
	await enter(BUDI);
	await machine.picture('payment-method');
	await press(UPPER_BUTTON);
	await kiosk.shows('/cash-payment');
	await takesNotes();
	await insert(100_000);
	await eventually(() => expect(booked()).toEqual([100_000]), GUEST_MS);
	await machine.picture('cash');
});

test(
	'a power cut with a note in escrow: the machine comes back by itself and the books are right',
	async () => {
		await insert(20_000);
		const { device } = kiosk.acceptor;
		while (device.note?.place !== 'escrow') await setImmediate();
		await machine.powerCut();
		kiosk.acceptor.restart({ noteEnds: 'returned' });
		await switchOn();
		await kiosk.shows('/');
		expect((await kiosk.health()).in_doubt).toEqual([]);
		expect(booked()).toEqual([100_000]);
		expect(device.stacked.map(({ nominal }) => nominal)).toEqual([100_000]);
		await machine.picture('home-after-power-cut');
	},
	2 * BOOT_LIMIT_MS,
);

test('the rest is paid, and the printer prints the receipt', async () => {
	// The invoice has received money, so no other method is offered.
	await enter(BUDI, '/cash-payment');
	await takesNotes();
	await insert(50_000);
	await eventually(() => expect(booked()).toEqual([100_000, 50_000]), GUEST_MS);
	expect(kiosk.backOffice.books.notes.every(({ repeats }) => repeats === 0)).toBe(true);
	await eventually(() => expect(paper.sheets.join('')).toContain('INV/2026/11/0042'), GUEST_MS);
	await machine.picture('paid');
	await kiosk.shows('/');
});

test('a customer pays by card at the terminal on the second USB adapter', async () => {
	await eventually(async () => expect(await kiosk.part('card')).toBe('takes cards'), GUEST_MS);
	await enter(JOKO);
	await press(LOWER_BUTTON);
	await press(UPPER_BUTTON);
	await kiosk.shows('/edc-bca-payment');
	await eventually(() => expect(kiosk.edc.terminal.waiting).toMatchObject({ amount: 5_000 }), GUEST_MS);
	await machine.picture('card');
	expect(kiosk.edc.terminal.tap({ respCode: '00' })).toBe(true);
	await eventually(() => expect(kiosk.backOffice.books.approvals).toHaveLength(1), GUEST_MS);
	await machine.picture('card-paid');
	expect(kiosk.edc.terminal.bank.captured).toBe(5_000);
	await kiosk.shows('/');
});

test('the browser is killed: a new one draws the home screen', async () => {
	const oldest = 'pgrep -o -x chromium';
	const before = await machine.root(oldest);
	await machine.root(`kill -KILL ${before}`);
	await eventually(async () => expect(await machine.root(oldest)).not.toBe(before), GUEST_MS);
	await kiosk.shows('/');
});

test('a screen that cannot start shows a message for staff and is retried until it starts', async () => {
	const compositor = '/usr/lib/kiosk/compositor';
	await machine.root(`mount --bind /usr/bin/false ${compositor} && systemctl kill -s KILL kiosk-screen`);
	await eventually(async () => expect(await machine.root('cat /dev/vcs1')).toContain('LAYAR KIOSK SEDANG DIPERBAIKI'), GUEST_MS);
	await machine.picture('fault');
	await machine.root(`umount ${compositor}`);
	await kiosk.shows('/');
});

test('a daemon that cannot start shows the same message and is retried until it starts', async () => {
	const daemon = '/usr/lib/kiosk/daemon/kioskd';
	await machine.root(`mount --bind /usr/bin/false ${daemon} && systemctl kill -s KILL kioskd`);
	await showsFaultText(machine, 'fault-daemon');
	await machine.root(`umount ${daemon}`);
	await kiosk.shows('/');
});

test('the daemon is killed: it comes back, the page stays, and its journal is intact', async () => {
	const daemon = 'systemctl show -P MainPID kioskd';
	const before = await machine.root(daemon);
	const browser = await machine.root('pgrep -o -x chromium');
	await machine.root(`kill -KILL ${before}`);
	await eventually(async () => {
		expect(await machine.root(daemon)).not.toMatch(new RegExp(`^(0|${before})$`));
		expect(await machine.ssh('kioskctl journal verify')).toContain('every one follows from the one before it');
	}, GUEST_MS);
	await kiosk.shows('/');
	expect(await machine.root('pgrep -o -x chromium')).toBe(browser);
});

test('the adapters are unplugged and plugged in again, in the other order', async () => {
	await machine.unplug('acceptor');
	await machine.unplug('edc');
	await eventually(async () => expect(await kiosk.part('cash')).toContain('cannot be opened'), GUEST_MS);
	await eventually(async () => expect(await kiosk.part('card')).toContain('cannot be opened'), GUEST_MS);
	await machine.plug('edc');
	await machine.plug('acceptor');
	await eventually(async () => expect(await kiosk.part('cash')).toContain('healthy'), GUEST_MS);
	await eventually(async () => expect(await kiosk.part('card')).toBe('takes cards'), GUEST_MS);
});
