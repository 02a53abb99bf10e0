/**
 * Background verification of the journal, its removal while it is open, and its replacement when it
 * is damaged.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import type { Clock } from '../base/clock.ts';
import { fail, ok } from '../base/result.ts';
import { type Journal, openJournal } from './journal.ts';
import { ACCOUNT, keyOf } from './payment.fixture.ts';
import type { PaymentKey } from './records.ts';
import { JOURNAL_FILE, openStore, readStore, type StoreError } from './store.ts';

const AT = new Date('2026-11-21T07:31:08Z');
const HOUR = 3_600_000;
const DECISION = { restart_id: randomUUID(), by: 'Sari', why: 'the disk was exchanged', time: '2026-11-21T14:31:08+07:00' };
const NO_NAMES = { list: null, isLast: true };

let folder: string;
let directory: string;
let journal: Journal;
let now: number;
let freeBytes: () => number;
/** The error of the next writes; null: they succeed. */
let disk: StoreError['code'] | null;
/** Ranges of records verified since a test last emptied this list. */
let looked: number[][];

const clock: Clock = { now: () => now, wall: () => AT, after: () => () => {} };
const open = () =>
	openJournal(
		{ directory, minFreeBytes: 1_000, headFile: join(folder, 'journal.head') },
		clock,
		(at, thorough) => {
			const opened = openStore(at, thorough);
			if (!opened.ok) return opened;
			const { append, verify } = opened.value;
			return ok({
				...opened.value,
				append: (record, time) => (disk ? fail({ code: disk, message: `disk: ${disk}` }) : append(record, time)),
				verify: (from, to) => {
					looked.push([from, to ?? Number.NaN]);
					return verify(from, to);
				},
			});
		},
		() => freeBytes(),
	);

beforeEach(() => {
	folder = temporaryFolder('restart');
	directory = join(folder, 'journal');
	now = 1_000;
	freeBytes = () => 1_000;
	disk = null;
	looked = [];
	journal = open();
});
afterEach(() => journal.close());

function take(id = 7): string {
	const note_id = randomUUID();
	const payment = { account: ACCOUNT, id, odoo_id: null, noinvoice: `INV/${id}`, total: rupiah(137_500) };
	journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(50_000), code: '0x45', time: AT.toISOString() });
	journal.append({ kind: 'cash_credit', note_id, late: false });
	return note_id;
}
const lock = (locked: boolean, why: string) => journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked, why });
/** @returns why the acceptor is locked in the new journal */
function lockAfterRestart(): string | null {
	const begun = journal.restart(DECISION, NO_NAMES, null);
	journal.close();
	journal = open();
	expect([begun.ok && begun.value.lock, journal.trouble()]).toEqual([journal.acceptorLock(), null]);
	return journal.acceptorLock();
}
function change(sql: string): void {
	const db = new DatabaseSync(join(directory, JOURNAL_FILE));
	db.exec(sql);
	db.close();
}

describe('the background verification', () => {
	test('verifies all old records in batches, then rests for an hour', () => {
		for (let count = 0; count < 130; count += 1) take();
		looked = [];
		for (let step = 0; step < 5; step += 1) journal.patrol();
		expect(looked).toEqual([
			[1, 250],
			[251, 500],
		]);
		now += HOUR - 1;
		journal.patrol();
		expect(looked).toHaveLength(2);
		now += 1;
		journal.patrol();
		expect(looked.at(-1)).toEqual([1, 250]);
		expect(journal.trouble()).toBeNull();
	});

	test('verifies no further batch if the last record ends a full batch', () => {
		for (let count = 0; count < 125; count += 1) take();
		looked = [];
		for (let step = 0; step < 3; step += 1) journal.patrol();
		expect(looked).toEqual([[1, 250]]);
	});

	test('reports the number of a changed old record, and the kiosk takes no more money', () => {
		for (let count = 0; count < 3; count += 1) take();
		change('UPDATE records SET at = at + 1 WHERE seq = 2');
		expect(journal.trouble()).toBeNull();
		journal.patrol();
		expect(journal.trouble()).toMatchObject({
			code: 'journal_unhealthy',
			message: expect.stringContaining('record 2 does not match its hash: the journal was changed or damaged'),
		});
		expect(journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'x' })).toMatchObject({ ok: false });
		journal.patrol();
		expect(journal.reopen()).toMatchObject({ code: 'journal_unhealthy' });
	});

	test('detects an old row that cannot be read', () => {
		take();
		change("UPDATE records SET body = 'not JSON' WHERE seq = 1");
		journal.patrol();
		expect(journal.trouble()?.code).toBe('journal_unhealthy');
	});
});

describe('the journal disappears while the kiosk runs', () => {
	test('the first write after the file was removed fails and is reported; once the file is back, the journal can be opened and has its contents', () => {
		take();
		renameSync(join(directory, JOURNAL_FILE), join(directory, 'away'));
		const wrong = { code: 'journal_unhealthy', message: expect.stringContaining('was removed or exchanged while the kiosk ran') };
		expect(journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'x' })).toEqual({ ok: false, error: wrong });
		expect(journal.trouble()).toEqual(wrong);
		expect(journal.reopen()).toMatchObject({ message: expect.stringContaining('the journal is gone') });
		renameSync(join(directory, 'away'), join(directory, JOURNAL_FILE));
		expect([journal.reopen(), journal.notesOf(keyOf(7)).length]).toEqual([null, 1]);
	});

	test('the journal reports trouble if the disk cannot report its free space', () => {
		freeBytes = () => {
			throw new Error('no such device');
		};
		expect(journal.trouble()).toEqual({ code: 'journal_unhealthy', message: 'no such device' });
	});

	test('the limit of free space is exact, and too little space is reported with the free and the needed bytes', () => {
		expect(journal.trouble()).toBeNull();
		freeBytes = () => 999;
		expect(journal.trouble()).toEqual({ code: 'disk_full', message: `999 bytes free in ${directory}, 1000 are needed to take payments` });
	});

	test('a second writer makes one write fail and does not close the journal', () => {
		disk = 'busy';
		const refused = { ok: false, error: { code: 'journal_unhealthy', message: 'disk: busy' } };
		expect(journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'x' })).toEqual(refused);
		disk = null;
		expect(journal.trouble()).toBeNull();
		expect(journal.notesOf(take() as PaymentKey).length).toBe(0);
	});
});

describe('a new journal beside the old journal', () => {
	test('is begun by staff: the old journal stays unchanged in its folder, and the first record of the new journal gives the reason', () => {
		const note_id = take();
		change('UPDATE records SET at = at + 1 WHERE seq = 1');
		journal.patrol();
		const found = journal.trouble()?.message;
		const done = journal.restart(DECISION, NO_NAMES, null);
		const aside = join(directory, 'set-aside-20261121T143108');
		expect(done).toEqual({ ok: true, value: { folder: aside, newest: 2, lock: null } });
		expect([existsSync(join(aside, JOURNAL_FILE)), existsSync(join(directory, JOURNAL_FILE))]).toEqual([true, true]);
		// The journal stays closed, because this run may still hold data of the old journal.
		expect(journal.trouble()?.message).toContain('a new journal was begun; the kiosk restarts with it');
		expect(journal.reopen()).not.toBeNull();

		journal.close();
		journal = open();
		expect([journal.trouble(), journal.notesOf(keyOf(7))]).toEqual([null, []]);
		take(8);
		const reader = readStore(directory);
		if (!reader.ok) throw new Error(reader.error.message);
		const [first] = reader.value.rows('SELECT kind, body FROM records WHERE seq = 1');
		expect(first?.kind).toBe('journal_restarted');
		expect(JSON.parse(String(first?.body))).toMatchObject({ ...DECISION, before: { seq: 2, folder: aside, found } });
		reader.value.close();
		const old = readStore(aside);
		if (!old.ok) throw new Error(old.error.message);
		expect(old.value.rows('SELECT note_id, state FROM notes')).toEqual([{ note_id, state: 'credited' }]);
		old.value.close();
	});

	test('is not begun if its first record cannot be written; the kiosk reports the reason and takes no money', () => {
		take();
		disk = 'broken';
		expect(journal.restart(DECISION, NO_NAMES, null)).toEqual({
			ok: false,
			error: {
				code: 'journal_unhealthy',
				message: expect.stringMatching(/^disk: broken \(the old journal is in .*set-aside-20261121T143108\)$/),
			},
		});
		expect(journal.trouble()?.code).toBe('journal_unhealthy');
	});

	test('keeps a locked acceptor locked, because staff have not inspected the acceptor', () => {
		lock(true, 'a note was pulled back');
		expect(lockAfterRestart()).toBe('a note was pulled back');
	});

	test('keeps the acceptor unlocked if staff had unlocked it', () => {
		lock(true, 'a note was pulled back');
		lock(false, 'Sari: inspected');
		expect(lockAfterRestart()).toBeNull();
	});

	test('locks the acceptor if another program has unlocked it in the file', () => {
		lock(true, 'a note was pulled back');
		journal.close();
		change('UPDATE acceptor_lock SET locked = 0');
		expect(lockAfterRestart()).toBe('a note was pulled back');
	});

	test.each<[what: string, damage: () => void]>([
		['is gone', () => rmSync(join(directory, JOURNAL_FILE))],
		['lacks its newest record', () => change('DELETE FROM records WHERE seq = (SELECT max(seq) FROM records)')],
	])('locks the acceptor if the old journal %s, because the acceptor may have been locked', (_what, damage) => {
		take();
		journal.close();
		damage();
		expect(lockAfterRestart()).toMatch(/old journal/);
	});

	test('locks the acceptor if its lock could not be written to the old journal', () => {
		take();
		disk = 'broken';
		take(8);
		disk = null;
		expect(journal.restart(DECISION, NO_NAMES, 'a note was pulled back')).toMatchObject({ value: { lock: 'a note was pulled back' } });
	});

	test('is refused in the same second as an earlier restart, so that the folder of the old journal is not overwritten', () => {
		take();
		expect(journal.restart(DECISION, NO_NAMES, null).ok).toBe(true);
		expect(journal.restart({ ...DECISION, restart_id: randomUUID() }, NO_NAMES, null)).toMatchObject({
			ok: false,
			error: { code: 'journal_unhealthy' },
		});
		expect(existsSync(join(directory, 'set-aside-20261121T143108', JOURNAL_FILE))).toBe(true);
	});
});
