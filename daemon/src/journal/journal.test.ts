import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { directory, journal, journalOfEachTest, openAgain } from './journal.fixture.ts';
import { ACCOUNT, keyOf } from './payment.fixture.ts';
import type { JournalRecord } from './records.ts';

const PAYMENT = { account: ACCOUNT, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(137_500) };

journalOfEachTest();

const intent = (note_id: string, nominal = 50_000): JournalRecord => ({
	kind: 'cash_intent',
	note_id,
	payment: PAYMENT,
	nominal: rupiah(nominal),
	code: '0x45',
	time: '2026-11-21T14:31:08+07:00',
});
const credit = (note_id: string, late = false): JournalRecord => ({ kind: 'cash_credit', note_id, late });

function take(nominal: number): string {
	const note_id = randomUUID();
	journal.append(intent(note_id, nominal));
	journal.append(credit(note_id));
	return note_id;
}

test('credited notes wait for upload in the order of crediting', () => {
	const first = take(100_000);
	const second = take(50_000);
	expect(journal.nextUpload(ACCOUNT)).toMatchObject({ note_id: first, id: 7, nominal: 100_000 });
	journal.append({ kind: 'note_uploaded', note_id: first });
	expect(journal.nextUpload(ACCOUNT)?.note_id).toBe(second);
	expect(journal.waitingUploads()).toMatchObject({ count: 1, total: 50_000 });
});

test('a second credit, a second upload and an upload without credit are refused and change nothing', () => {
	const note_id = take(100_000);
	expect(() => journal.append(credit(note_id))).toThrow();
	journal.append({ kind: 'note_uploaded', note_id });
	expect(() => journal.append({ kind: 'note_uploaded', note_id })).toThrow();
	const other = randomUUID();
	journal.append(intent(other));
	expect(() => journal.append({ kind: 'note_uploaded', note_id: other })).toThrow();
	expect(journal.notesOf(keyOf(7)).map((note) => note.state)).toEqual(['intended', 'credited']);
});

test('a note that is credited, uploaded or found in the cashbox cannot be returned any more', () => {
	const [waiting, uploaded, found] = [take(100_000), take(50_000), randomUUID()];
	journal.append({ kind: 'note_uploaded', note_id: uploaded });
	journal.append(intent(found, 20_000));
	journal.append({ kind: 'cash_in_doubt', note_id: found, why: 'silence' });
	journal.append({ kind: 'cash_settled', note_id: found, outcome: 'in_box', nominal: rupiah(20_000), by: 'Sari', why: 'looked' });
	const before = journal.notesOf(keyOf(7));
	for (const note_id of [waiting, uploaded, found])
		expect(() => journal.append({ kind: 'cash_returned', note_id })).toThrow(/the ledger refuses cash_returned/);
	expect(journal.notesOf(keyOf(7))).toEqual(before);
	expect(before.map((note) => note.state)).toEqual(['credited', 'credited', 'credited']);
	expect(journal.waitingUploads()).toMatchObject({ count: 2, total: 120_000 });
	expect(journal.cashbox.period(null)?.expected).toBe(170_000);
	expect(journal.money.balanceOf(keyOf(7)).received).toBe(170_000);
});

test('a record cannot be written twice, even if the ledger would accept it again', () => {
	const lock: JournalRecord = { kind: 'acceptor_lock', lock_id: randomUUID(), locked: true, why: 'a note was pulled' };
	journal.append(lock);
	expect(() => journal.append(lock)).toThrow(/UNIQUE/);
	expect(journal.has(lock)).toBe(true);
});

test('a note without an outcome is in doubt after a restart, and can then be credited only as late', () => {
	const note_id = randomUUID();
	journal.append(intent(note_id));
	journal.close();
	openAgain();
	expect(journal.inDoubt()).toMatchObject([{ note_id, nominal: 50_000, state: 'in_doubt' }]);
	expect(journal.nextUpload(ACCOUNT)).toBeNull();
	expect(() => journal.append(credit(note_id))).toThrow();
	journal.append(credit(note_id, true));
	expect(journal.inDoubt()).toEqual([]);
});

test('a changed record is detected at the next start, and no note is taken', () => {
	take(100_000);
	journal.close();
	const db = new DatabaseSync(join(directory, 'journal.sqlite'));
	db.exec(`UPDATE records SET body = replace(body, '100000', '900000') WHERE kind = 'cash_intent'`);
	db.close();
	openAgain();
	expect(journal.trouble()).toMatchObject({ code: 'journal_unhealthy', message: expect.stringContaining('record 1 does not match') });
	expect(journal.append(intent(randomUUID())).ok).toBe(false);
});

test('a missing record is detected', () => {
	take(100_000);
	take(50_000);
	journal.close();
	const db = new DatabaseSync(join(directory, 'journal.sqlite'));
	db.exec('DELETE FROM records WHERE seq = 2');
	db.close();
	openAgain();
	expect(journal.trouble()?.code).toBe('journal_unhealthy');
});

test('if the file is not a database, the journal reports trouble without an exception and does not overwrite the file', () => {
	journal.close();
	const file = join(directory, 'journal.sqlite');
	writeFileSync(file, 'not a database '.repeat(1_000));
	openAgain();
	expect(journal.trouble()?.code).toBe('journal_unhealthy');
	expect(journal.nextUpload(ACCOUNT)).toBeNull();
	expect(readFileSync(file, 'utf8')).toContain('not a database');
});

test('a damaged page that the start does not read is reported from its first use on, without an exception', () => {
	const note_id = take(100_000);
	journal.close();
	const file = join(directory, 'journal.sqlite');
	const db = new DatabaseSync(file);
	const root = Number(db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'prints_open'`).get()?.rootpage);
	db.close();
	writeFileSync(file, readFileSync(file).fill(0xa5, (root - 1) * 4_096, root * 4_096));
	openAgain();
	expect(journal.trouble()).toBeNull();
	expect(journal.openPrints()).toEqual([]);
	expect(journal.trouble()?.code).toBe('journal_unhealthy');
	expect(journal.append(intent(randomUUID())).ok).toBe(false);
	expect(journal.reopen()?.message).toContain('damaged');
	expect(journal.notesOf(keyOf(7))).toEqual([]);
	expect(readFileSync(file).includes(note_id)).toBe(true);
});

test('if too little space is free, the journal reports trouble before a note is taken', () => {
	journal.close();
	openAgain(Number.MAX_SAFE_INTEGER);
	expect(journal.trouble()?.code).toBe('disk_full');
});

test('the journal has a write-ahead log, and only the owner may read the file', () => {
	const file = join(directory, 'journal.sqlite');
	expect(statSync(file).mode & 0o777).toBe(0o600);
	const db = new DatabaseSync(file);
	expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
	db.close();
});

test('failed prints do not count as printed, but prints that may be on paper do', () => {
	const print = (state: 'done' | 'failed' | 'abandoned' | null) => {
		const print_id = randomUUID();
		journal.append({ kind: 'print_requested', print_id, payment_id: keyOf(7), purpose: 'receipt' });
		if (state) journal.append({ kind: 'print_ended', print_id, state, reason: '' });
	};
	print('failed');
	expect(journal.timesPrinted(keyOf(7))).toBe(0);
	print('abandoned');
	print('done');
	expect(journal.timesPrinted(keyOf(7))).toBe(2);
});
