import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { fail, ok } from '../base/result.ts';
import { type Journal, openJournal } from './journal.ts';
import { ACCOUNT } from './payment.fixture.ts';
import type { JournalRecord } from './records.ts';
import { openStore, type StoreError } from './store.ts';

const PAYMENT = { account: ACCOUNT, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(137_500) };
const RESERVE = 256 * 1024;

let folder: string;
let directory: string;
let headFile: string;
let journal: Journal;
/** The error of the next writes; null: they succeed. */
let disk: StoreError['code'] | null;
/** The `thorough` parameter of each opening. */
let thorough: boolean[];
let free: number;

function open(): Journal {
	return openJournal(
		{ directory, minFreeBytes: 1_000, headFile, reserveBytes: RESERVE },
		systemClock,
		(at, all) => {
			thorough.push(all);
			const opened = openStore(at, all);
			if (!opened.ok) return opened;
			const store = opened.value;
			return ok({
				...store,
				append: (record, time) => (disk ? fail({ code: disk, message: `disk: ${disk}` }) : store.append(record, time)),
			});
		},
		() => free,
	);
}

beforeEach(() => {
	folder = temporaryFolder('trouble');
	directory = join(folder, 'journal');
	headFile = join(folder, 'journal.head');
	disk = null;
	thorough = [];
	free = 10_000_000;
	journal = open();
	expect(journal.trouble()).toBeNull();
	take();
});
afterEach(() => journal.close());

const intent = (note_id: string): JournalRecord => ({
	kind: 'cash_intent',
	note_id,
	payment: PAYMENT,
	nominal: rupiah(50_000),
	code: '0x45',
	time: '2026-11-21T14:31:08+07:00',
});

function take(): void {
	const note_id = randomUUID();
	expect(journal.append(intent(note_id)).ok).toBe(true);
	expect(journal.append({ kind: 'cash_credit', note_id, late: false }).ok).toBe(true);
}

const restart = (): void => {
	journal.close();
	journal = open();
};
const head = () => JSON.parse(readFileSync(headFile, 'utf8'));

test('if a write finds damage, the file stays closed until the next start, which verifies the whole file first', () => {
	disk = 'damaged';
	expect(journal.append(intent(randomUUID()))).toMatchObject({
		ok: false,
		error: { code: 'journal_unhealthy', message: expect.stringMatching(/damaged.*J-2-[0-9a-f]{8}/) },
	});
	disk = null;
	for (let again = 0; again < 3; again += 1) expect(journal.reopen()).toMatchObject({ code: 'journal_unhealthy' });
	expect(journal.append(intent(randomUUID())).ok).toBe(false);
	expect(head()).toMatchObject({ seq: 2, damage: expect.stringContaining('damaged') });
	thorough = [];
	restart();
	expect(thorough).toEqual([true]);
	expect(journal.trouble()).toBeNull();
	take();
	expect(head()).toMatchObject({ seq: 4, damage: null });
});

test('after a failed write, reopening verifies the whole file', () => {
	disk = 'broken';
	expect(journal.append(intent(randomUUID())).ok).toBe(false);
	disk = null;
	thorough = [];
	expect(journal.reopen()).toBeNull();
	expect(thorough).toEqual([true]);
	take();
});

test('every record overwrites the head file in place, and a start succeeds even if the last overwrite or the head file is lost', () => {
	const inode = statSync(headFile).ino;
	const before = readFileSync(headFile);
	take();
	expect(head()).toMatchObject({ seq: 4 });
	expect(statSync(headFile).ino).toBe(inode);
	journal.close();
	writeFileSync(headFile, before);
	journal = open();
	expect(journal.trouble()).toBeNull();
	rmSync(headFile);
	restart();
	expect(journal.trouble()).toBeNull();
	expect(head()).toMatchObject({ seq: 4 });
});

test.each(['', '{"seq":', '\0'.repeat(160)])(
	'an unreadable head file (%j) does not prevent a start, but still shows that there was a journal if the journal is gone',
	(text) => {
		journal.close();
		writeFileSync(headFile, text === '' ? '\n' : text);
		journal = open();
		expect(journal.trouble()).toBeNull();
		journal.close();
		writeFileSync(headFile, 'garbage');
		rmSync(directory, { recursive: true });
		journal = open();
		expect(journal.trouble()?.message).toContain('the journal is gone');
		expect(existsSync(join(directory, 'journal.sqlite'))).toBe(false);
	},
);

test('if the first start is interrupted before the first record, the next start counts as a first start', () => {
	journal.close();
	rmSync(headFile);
	for (const left of ['nothing', 'a folder', 'an empty file'] as const) {
		rmSync(directory, { recursive: true, force: true });
		if (left !== 'nothing') mkdirSync(directory);
		if (left === 'an empty file') writeFileSync(join(directory, 'journal.sqlite'), '');
		restart();
		expect(journal.trouble(), left).toBeNull();
		journal.close();
	}
	restart();
	take();
});

test('opening a damaged file changes neither the file nor its log, which has not been checkpointed', () => {
	const copy = join(folder, 'copy');
	mkdirSync(copy);
	// After this many records, the page of the first record is not written again. The last record,
	// taken after the restart, is only in the log.
	for (let more = 0; more < 60; more += 1) take();
	restart();
	take();
	for (const name of ['journal.sqlite', 'journal.sqlite-wal']) copyFileSync(join(directory, name), join(copy, name));
	const main = Buffer.from(readFileSync(join(copy, 'journal.sqlite'), 'latin1').replaceAll('"nominal":50000', '"nominal":90000'), 'latin1');
	writeFileSync(join(copy, 'journal.sqlite'), main);
	const log = readFileSync(join(copy, 'journal.sqlite-wal'));
	expect(openStore(copy)).toMatchObject({
		ok: false,
		error: { code: 'damaged', message: expect.stringContaining('does not match its hash') },
	});
	expect(readFileSync(join(copy, 'journal.sqlite')).equals(main)).toBe(true);
	expect(readFileSync(join(copy, 'journal.sqlite-wal')).equals(log)).toBe(true);
});

test('the disk reserve is used only to complete a started payment, and is restored when the disk has space again', () => {
	const reserve = join(directory, 'journal.reserve');
	expect(statSync(reserve).size).toBe(RESERVE);
	const note_id = randomUUID();
	journal.append(intent(note_id));
	disk = 'disk_full';
	free = 0;
	expect(journal.append(intent(randomUUID()))).toMatchObject({ ok: false, error: { code: 'disk_full' } });
	expect(existsSync(reserve)).toBe(true);
	expect(journal.append({ kind: 'cash_credit', note_id, late: false }).ok).toBe(false);
	expect(existsSync(reserve)).toBe(false);
	disk = null;
	// Space for one more record is not enough to begin a payment.
	free = 2_000;
	expect(journal.trouble()?.code).toBe('disk_full');
	expect(journal.append(intent(randomUUID()))).toMatchObject({ ok: false, error: { code: 'disk_full' } });
	expect(journal.append({ kind: 'cash_credit', note_id, late: false }).ok).toBe(true);
	free = 10_000_000;
	expect(journal.trouble()).toBeNull();
	expect(statSync(reserve).size).toBe(RESERVE);
	take();
});
