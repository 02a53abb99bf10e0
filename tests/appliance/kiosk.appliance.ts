/** The shipped image as a black box: it boots, somebody pays cash, the plug is pulled, and the books are right. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../harness/daemon.ts';
import { type Acceptor, startAcceptor } from '../simulators/acceptor/start.ts';
import { type BackOffice, startBackOffice } from '../simulators/back-office/start.ts';
import { type Edc, startEdc } from '../simulators/edc/start.ts';
import { eventually } from './eventually.ts';
import { BOOT_LIMIT_MS, type Machine, newDisk, publicKey, startMachine } from './machine.ts';
import { startPaper } from './paper.ts';
import { kioskToml } from './setup-files.ts';

const BUDI = '081234567890';
/** The guest answers in seconds what a kiosk answers at once. */
const GUEST_MS = 240_000;
/** Where pictures of every step stay. */
const PICTURES = process.env.KIOSK_SHOTS;
/** Middle of the button for cash on the payment method screen, as parts of the screen. */
const CASH_BUTTON = { x: 0.467, y: 0.279 };

/** Colours of a drawn screen; black has one, the ring that turns while the daemon is awaited about a hundred. */
const DRAWN = 1_000;

const directory = PICTURES ?? mkdtempSync(join(tmpdir(), 'kiosk-appliance-'));
let backOffice: BackOffice;
let acceptor: Acceptor;
let edc: Edc;
let paper: Awaited<ReturnType<typeof startPaper>>;
let machine: Machine;
let sshPort: number;

const Health = v.looseObject({
	parts: v.array(v.object({ part: v.string(), state: v.string(), text: v.string(), remedy: v.string() })),
	in_doubt: v.array(v.looseObject({ nominal: v.nullable(v.number()) })),
});

async function health() {
	return v.parse(Health, JSON.parse(await machine.ssh('kioskctl health --json')));
}
const part = async (name: string): Promise<string> => (await health()).parts.find((one) => one.part === name)?.text ?? '';
const shows = (screen: string) => eventually(async () => expect(await part('screen')).toContain(`shows ${screen},`), GUEST_MS);

function setup(settings: string): Record<string, string> {
	return { 'kiosk.toml': settings, authorized_keys: publicKey(directory) };
}
const switchOn = async (settings: string) => {
	machine = await startMachine({
		directory,
		setup: setup(settings),
		acceptorPort: Number(acceptor.port),
		edcPort: Number(edc.port),
		sshPort,
	});
	await eventually(() => machine.ssh('kioskctl health'), BOOT_LIMIT_MS);
};

beforeAll(async () => {
	backOffice = await startBackOffice({ port: 0 });
	acceptor = await startAcceptor({ port: 0 });
	edc = await startEdc({ port: 0 });
	paper = await startPaper();
	sshPort = await freePort();
	await newDisk(directory);
});
afterAll(async () => {
	await machine?.powerCut();
	await Promise.all([acceptor?.stop(), edc?.stop(), backOffice?.stop(), paper?.stop()]);
	if (PICTURES === undefined) rmSync(directory, { recursive: true, force: true });
});

const settings = () => kioskToml({ backOfficePort: backOffice.port, printerPort: paper.port });

test('it boots by itself to a painted screen, and every unit is well', async () => {
	await switchOn(settings());
	await eventually(async () => expect(await machine.picture('login')).toBeGreaterThan(DRAWN), GUEST_MS);
	expect((await machine.ssh('systemctl --failed --plain --no-legend')).trim()).toBe('');
	expect(await machine.ssh('cat /run/kiosk/setup-problems.txt')).toBe('');
});

test('staff log in at the machine, and the home screen waits for customers', async () => {
	const { username, password } = backOffice.account;
	await machine.type(`${username}\t${password}\n`);
	await shows('/');
	await machine.picture('home');
});

/** From the home screen to an acceptor that takes notes. */
async function openCash(): Promise<void> {
	await machine.type(`${BUDI}\n`);
	await shows('/payment-method');
	await machine.picture('payment-method');
	await machine.tap(CASH_BUTTON.x, CASH_BUTTON.y);
	await eventually(async () => expect(await part('cash')).toBe('takes notes'), GUEST_MS);
}
const booked = () => backOffice.books.notes.map(({ nominal }) => nominal);

test('a customer puts a note in by the USB adapter, and the back office has it', async () => {
	await openCash();
	expect(acceptor.device.insert({ nominal: 100_000 })).toMatchObject({ taken: true });
	await eventually(() => expect(booked()).toEqual([100_000]), GUEST_MS);
	await machine.picture('cash');
});

test('the plug is pulled: the machine comes back by itself, nothing is lost, and the rest is paid', async () => {
	await machine.powerCut();
	await switchOn(settings());
	await shows('/');
	expect((await health()).in_doubt).toEqual([]);
	await openCash();
	expect(acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true });
	await eventually(() => expect(booked()).toEqual([100_000, 50_000]), GUEST_MS);
	expect(backOffice.books.notes.every(({ repeats }) => repeats === 0)).toBe(true);
	await eventually(() => expect(paper.sheets.length).toBeGreaterThan(0), GUEST_MS);
	await machine.picture('paid');
});

test('a technician reads logs and cannot become root; nobody else gets in', async () => {
	expect(await machine.ssh('journalctl -u kioskd --no-pager -n 200')).toContain('cash.note_credited');
	expect(await machine.ssh('id -Gn')).not.toMatch(/root|sudo|adm\b/);
	expect((await machine.ssh('find / -xdev -perm /6000 -type f 2>/dev/null || true')).trim()).toBe('');
	expect(await machine.ssh('touch /usr/x /etc/x 2>&1 || true')).toContain('Read-only file system');
	expect(await machine.ssh('findmnt -no SOURCE,OPTIONS /')).toMatch(/^\/dev\/mapper\/root\s+ro,/);
	await expect(machine.ssh('cat /var/lib/kiosk-journal/journal.db /etc/shadow')).rejects.toThrow('Permission denied');
});

test('wrong settings are told on the screen with their line, and the old ones stay in force', async () => {
	await machine.powerCut();
	await switchOn(settings().replace('[edc]', '[screen]\nrotation = 45\n\n[edc]'));
	expect(await machine.ssh('cat /run/kiosk/setup-problems.txt')).toMatch(
		/^kiosk\.toml, line \d+: screen\.rotation = 45: expected 0, 90, 180 or 270\n$/,
	);
	await shows('/');
	await machine.picture('wrong-settings');
});
