// @module-tag deep
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { saleShown, startCardFor } from '../../support/card.ts';
import { stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, partText, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { setAsides } from './disk.ts';
import { addPrints } from './long-journal.ts';

const BUDI = '081234567890';
const LOCKED = 'The bill acceptor stays locked';
const FILES = ['journal.sqlite', 'journal.sqlite-wal'];

let kiosk: Kiosk;
let screen: Screen;
let directory: string;
beforeEach(async () => {
	kiosk = await startKiosk({ edc: {}, environment: stateBeside });
	directory = join(kiosk.directory, 'journal');
	screen = await kiosk.screen();
	await kiosk.openCash(BUDI);
	await pay(50_000);
});
afterEach(() => kiosk.stop());

const file = (name = FILES[0] ?? '') => join(directory, name);
const booked = () => kiosk.backOffice.books.notes.map((note) => note.nominal);
const journal = async () => (await kiosk.health()).parts.find((part) => part.part === 'journal');

async function pay(nominal: number): Promise<void> {
	const before = booked().length;
	await until(() => expect(kiosk.acceptor.device.insert({ nominal })).toMatchObject({ taken: true }));
	await until(() => expect(booked()).toHaveLength(before + 1));
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
}

/**
 * @returns a fingerprint of the journal's files. An empty write-ahead log counts as missing,
 * because readers leave an empty one behind.
 */
const onDisk = (at = directory) =>
	FILES.map((name) => {
		const bytes = existsSync(join(at, name)) ? readFileSync(join(at, name)) : Buffer.alloc(0);
		return `${name}: ${bytes.length} bytes, ${createHash('sha256').update(bytes).digest('hex')}`;
	});

/** Replaces the journal's files with those of another folder; null deletes them. */
function put(from: string | null): void {
	for (const name of FILES) {
		rmSync(file(name), { force: true });
		if (from !== null && existsSync(join(from, name))) copyFileSync(join(from, name), file(name));
	}
}

/**
 * Moves SQLite's write-ahead log into the main file, as SQLite does now and then and when it closes
 * the database.
 */
function checkpoint(): void {
	const db = new DatabaseSync(file());
	db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
	db.close();
}

/** Replaces a text in the main file with another text. */
function flip(text: string, other: string): void {
	checkpoint();
	const bytes = readFileSync(file());
	// Changes every copy, because SQLite leaves old copies of records in split pages.
	expect(bytes.includes(text)).toBe(true);
	for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes.write(other, at);
	writeFileSync(file(), bytes);
}

function cut(bytes: number): void {
	checkpoint();
	truncateSync(file(), bytes);
}

function emptyFolder(): void {
	rmSync(directory, { recursive: true });
	mkdirSync(directory);
}

/** Checks that cash and cards are refused with this reason, and that QRIS works. */
async function refused(why: RegExp): Promise<void> {
	await until(async () =>
		expect(await journal()).toMatchObject({
			state: 'fail',
			text: expect.stringMatching(why),
			remedy: expect.stringContaining('docs/technician/panduan-teknisi.md'),
		}),
	);
	expect((await journal())?.text).toMatch(/J-\d+/);
	screen.close();
	screen = await kiosk.screen();
	const invoice = await kiosk.lookUp(BUDI);
	// Every attempt is refused: the daemon must not reopen the damaged journal and use it until it
	// reads the next bad page.
	for (let asked = 0; asked < 3; asked += 1) {
		const opened = await kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI });
		expect(opened.body).toMatchObject({ machine_ready: false });
		expect(screen.of('machine_ready').at(-1)).toMatchObject({ is_ready: false, state: 'journal_unhealthy' });
		expect(kiosk.acceptor.device.insert({ nominal: 1_000 })).toMatchObject({ taken: false });
	}
	startCardFor(screen, invoice);
	await saleShown(screen, 'declined', { reason: 'journal' });
	expect(kiosk.edc.terminal.bank.captured).toBe(0);
	expect(kiosk.daemon.events('journal.healthy')).toEqual([]);
	// A QRIS code needs no journal.
	expect(await kiosk.call('/payment/api/v1/payment/', { payment_id: invoice.id })).toMatchObject({ status: 200, body: { success: true } });
}

/**
 * Recovers as documented: staff set the old journal aside with name and reason, and the kiosk
 * starts a new journal.
 */
async function beginsAnew(): Promise<{ out: string; folder: string }> {
	expect(await kiosk.ctl('journal', 'restart')).toMatchObject({ code: 1, out: expect.stringContaining('--by NAME --why TEXT') });
	const { code, out } = await kiosk.ctl('journal', 'restart', '--by', 'Sari', '--why', 'Budi looked at the disk', '--yes');
	expect(out).toContain('The old journal is in');
	expect(code).toBe(0);
	expect(await kiosk.daemon.ended).toBe(0);
	const [name = ''] = setAsides(directory);
	const folder = join(directory, name);
	await kiosk.crash();
	screen = await kiosk.screen();
	const db = new DatabaseSync(file(), { readOnly: true });
	const [first] = db.prepare(`SELECT kind, body FROM records WHERE seq = 1`).all();
	db.close();
	expect(first?.kind).toBe('journal_restarted');
	expect(JSON.parse(String(first?.body))).toMatchObject({
		by: 'Sari',
		why: 'Budi looked at the disk',
		before: { seq: expect.any(Number), folder },
	});
	if (out.includes(LOCKED)) expect(await kiosk.ctl('acceptor', 'unlock', '--by', 'Sari', '--why', 'inspected')).toMatchObject({ code: 0 });
	await kiosk.openCash(BUDI);
	await pay(20_000);
	expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
	// An intact journal cannot be set aside.
	expect(await kiosk.ctl('journal', 'restart', '--by', 'Sari', '--why', 'again', '--yes')).toMatchObject({
		code: 1,
		out: expect.stringContaining('in order'),
	});
	return { out, folder };
}

describe('damage found at the start', () => {
	const RECORD = /record \d+ does not match its hash/;
	const OLD = /ends before record J-\d+-[0-9a-f]{8}, which was written/;
	const GONE = /the journal is gone/;

	test.each<[what: string, why: RegExp, act: () => void]>([
		['a record was changed', RECORD, () => flip('"nominal":50000', '"nominal":90000')],
		['its header is not SQLite’s', /not a database/, () => flip('SQLite format 3', 'SQLate format 3')],
		['it is cut in the middle', /malformed|damaged|disk I\/O/, () => cut(3 * 4096 + 100)],
		['it is missing', GONE, () => put(null)],
		['its folder is empty', GONE, () => emptyFolder()],
		['it is empty', GONE, () => cut(0)],
		['its log is missing', OLD, () => rmSync(file('journal.sqlite-wal'))],
		['its log ends early, in the middle of a page', OLD, () => truncateSync(file('journal.sqlite-wal'), 32 + 3 * 4120 + 2_000)],
	])('the journal is refused and left unchanged when %s', async (_what, why, act) => {
		let damaged: string[] = [];
		await kiosk.crash(() => {
			act();
			damaged = onDisk();
		});
		await refused(why);
		// Another start leaves the damaged files unchanged, too.
		await kiosk.crash();
		await refused(why);
		expect(onDisk()).toEqual(damaged);
		const { out, folder } = await beginsAnew();
		expect(onDisk(folder)).toEqual(damaged);
		// Without a complete journal, the acceptor counts as locked.
		expect(out.includes(LOCKED)).toBe(why !== RECORD);
		expect(booked()).toEqual([50_000, 20_000]);
	});

	test('yesterday’s copy of the journal is refused, and today’s journal is accepted as soon as it is put back', async () => {
		const [yesterday, today] = ['yesterday', 'today'].map((name) => join(kiosk.directory, name)) as [string, string];
		await kiosk.crash(() => cpSync(directory, yesterday, { recursive: true }));
		await kiosk.openCash(BUDI);
		await pay(20_000);
		await kiosk.crash(() => {
			cpSync(directory, today, { recursive: true });
			put(yesterday);
		});
		await refused(OLD);
		await kiosk.crash(() => put(today));
		expect(await journal()).toMatchObject({ state: 'ok' });
		await kiosk.openCash(BUDI);
		await pay(100_000);
		expect(booked()).toEqual([50_000, 20_000, 100_000]);
	});

	test('another kiosk’s journal is refused', async () => {
		const other = await startKiosk({ environment: stateBeside });
		try {
			await other.openCash(BUDI);
			for (let note = 1; note <= 4; note += 1) {
				await until(() => expect(other.acceptor.device.insert({ nominal: 10_000 })).toMatchObject({ taken: true }));
				await until(() => expect(other.backOffice.books.notes).toHaveLength(note));
			}
			await other.daemon.stop();
			await kiosk.crash(() => {
				put(join(other.directory, 'journal'));
			});
			await refused(/this is not the journal of this kiosk/);
		} finally {
			await other.stop();
		}
	});

	test('when a new journal begins, the open items of the old journal are listed for staff', async () => {
		await kiosk.backOffice.setNetwork({ up: false });
		await until(() => expect(kiosk.acceptor.device.insert({ nominal: 10_000 })).toMatchObject({ taken: true }));
		await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(2));
		await kiosk.crash(() => flip('"noinvoice":"INV/2026/11/0042"', '"noinvoice":"INV/2026/11/0043"'));
		await kiosk.backOffice.setNetwork({ up: true });
		await until(async () => expect(await journal()).toMatchObject({ state: 'fail' }));
		const { out, folder } = await beginsAnew();
		expect(out).toContain('In the cashbox since the last count: Rp 60000');
		expect(out).toMatch(
			/Notes in doubt, or unknown to the back office\. The kiosk will not send them:\n {2}note_id [0-9a-f-]+, .*nominal 10000/,
		);
		expect(out).toContain('Invoices paid in part or twice, or in dispute:');
		expect(JSON.parse(readFileSync(join(folder, 'open.json'), 'utf8'))).toMatchObject({ in_cashbox: 60_000, notes: [{ nominal: 10_000 }] });
	});
});

describe('a lost key', () => {
	test('without the key that seals the journal, no money is taken until staff reseal the journal, which then continues', async () => {
		await kiosk.crash(() => rmSync(join(kiosk.directory, 'state', 'journal.key')));
		await refused(/the key that seals the journal is lost/);
		expect(await kiosk.ctl('journal', 'verify')).toMatchObject({
			code: 0,
			out: expect.stringContaining('key of the journal was not available'),
		});
		expect(await kiosk.ctl('journal', 'reseal')).toMatchObject({ code: 1, out: expect.stringContaining('--by NAME --why TEXT') });
		const { code, out } = await kiosk.ctl('journal', 'reseal', '--by', 'Sari', '--why', 'factory reset', '--yes');
		expect(out).toContain('sealed with a new key');
		expect(code).toBe(0);
		await kiosk.openCash(BUDI);
		await pay(20_000);
		expect(booked()).toEqual([50_000, 20_000]);
		expect(await kiosk.ctl('journal', 'verify')).toMatchObject({
			code: 0,
			out: expect.stringMatching(/Each record from \d+ on has the seal/),
		});
	});
});

describe('damage found while the kiosk runs', () => {
	test('while the journal’s file is missing, no note is taken, and cash opens without another request as soon as the file is back', async () => {
		await until(() => expect(kiosk.acceptor.device.enabled).toBe(true));
		for (const name of FILES) renameSync(file(name), file(`${name}.away`));
		await refused(/removed or exchanged|the journal is gone/);
		for (const name of FILES) if (existsSync(file(`${name}.away`))) renameSync(file(`${name}.away`), file(name));
		await until(async () => expect(await journal()).toMatchObject({ state: 'ok' }));
		await kiosk.openCash(BUDI);
		await pay(20_000);
		expect(booked()).toEqual([50_000, 20_000]);
		expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
	});

	test('a changed old record is found between payments and at the next start', async () => {
		// Adds records of receipts, so that the changed record is older than the records that a start
		// checks.
		await kiosk.daemon.stop();
		addPrints(directory, join(kiosk.directory, 'state', 'journal.key'), 300);
		flip('"nominal":50000', '"nominal":90000');
		// Removes the head file, so that the daemon writes a head for the newest record.
		rmSync(join(kiosk.directory, 'state', 'journal.head'));
		await kiosk.crash();
		await until(async () => expect(await journal()).toMatchObject({ state: 'fail' }));
		await refused(/record \d+ does not match its hash/);
		await kiosk.crash();
		await refused(/record \d+ does not match its hash/);
	});

	test('if the daemon reads a bad page when cash opens, no note is taken and cash stays closed', async () => {
		await kiosk.daemon.stop();
		const db = new DatabaseSync(file());
		const root = Number(db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'prints'`).get()?.rootpage);
		const paid = Number(db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'notes_of_payment'`).get()?.rootpage);
		db.close();
		expect(root).toBeGreaterThan(0);
		const bytes = readFileSync(file());
		writeFileSync(file(), bytes.fill(0xa5, (paid - 1) * 4_096, paid * 4_096));
		await kiosk.crash();
		screen = await kiosk.screen();
		const invoice = await kiosk.lookUp(BUDI);
		await kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI });
		await refused(/damaged|malformed/);
		expect(partText(await kiosk.health(), 'cash')).toContain('cash is off');
		await beginsAnew();
	});
});
