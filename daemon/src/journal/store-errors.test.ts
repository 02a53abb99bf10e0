/** The store with a full disk, a second writer, and a reader in another process. */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { ACCOUNT } from './payment.fixture.ts';
import type { JournalRecord } from './records.ts';
import { JOURNAL_FILE, openStore, readStore, type Store } from './store.ts';

const AT = new Date('2026-11-21T07:31:08Z');
let directory: string;
let store: Store;

beforeEach(() => {
	directory = temporaryFolder('store-errors');
	const opened = openStore(directory);
	if (!opened.ok) throw new Error(opened.error.message);
	store = opened.value;
});
afterEach(() => store.close());

const intent = (why = ''): JournalRecord => ({
	kind: 'cash_intent',
	note_id: randomUUID(),
	payment: { account: ACCOUNT, id: 7, odoo_id: null, noinvoice: `INV/7${why}`, total: rupiah(137_500) },
	nominal: rupiah(50_000),
	code: '0x45',
	time: AT.toISOString(),
});
const count = (from: Pick<Store, 'rows'> = store) => from.rows('SELECT count(*) AS records FROM records')[0]?.records;

test('a full disk leaves no partial record and is reported as full, and the store continues once there is room', () => {
	expect(store.append(intent(), AT)).toEqual({ ok: true, value: 1 });
	const [{ page_count } = { page_count: 0 }] = store.rows('PRAGMA page_count');
	store.rows(`PRAGMA max_page_count = ${page_count}`);
	const large = intent('x'.repeat(50_000));
	expect(store.append(large, AT)).toMatchObject({ ok: false, error: { code: 'disk_full', message: expect.stringContaining('full') } });
	expect([count(), store.verify(1)]).toEqual([1, null]);
	store.rows('PRAGMA max_page_count = 1000000');
	expect(store.append(large, AT)).toEqual({ ok: true, value: 2 });
	expect(store.verify(1)).toBeNull();
});

test('a write fails as busy while another process writes, and succeeds afterwards', () => {
	store.rows('PRAGMA busy_timeout = 0');
	const other = new DatabaseSync(join(directory, JOURNAL_FILE));
	other.exec('BEGIN IMMEDIATE');
	expect(store.append(intent(), AT)).toMatchObject({ ok: false, error: { code: 'busy' } });
	other.exec('ROLLBACK');
	other.close();
	expect(store.append(intent(), AT)).toEqual({ ok: true, value: 1 });
});

test('a record that contradicts the ledger is not stored and causes an exception, and the next record is accepted', () => {
	const first = intent();
	store.append(first, AT);
	expect(() => store.append(first, AT)).toThrow();
	const unknown = { kind: 'cash_credit', note_id: randomUUID(), late: false } as const;
	expect(() => store.append(unknown, AT)).toThrow(`the ledger refuses cash_credit at record 2: ${JSON.stringify(unknown)}`);
	expect(store.append(intent(), AT)).toEqual({ ok: true, value: 2 });
});

test('another process can read the journal while the daemon runs, but cannot write', () => {
	store.append(intent(), AT);
	const reader = readStore(directory);
	if (!reader.ok) throw new Error(reader.error.message);
	store.append(intent(), AT);
	expect([count(reader.value), reader.value.verify(1)]).toEqual([2, null]);
	expect(() => reader.value.rows('DELETE FROM records')).toThrow('readonly');
	reader.value.close();
	expect(store.append(intent(), AT)).toEqual({ ok: true, value: 3 });
});

test('a reader gets an error if there is no journal, and creates none', () => {
	const nowhere = join(directory, 'nowhere');
	expect(readStore(nowhere)).toMatchObject({ ok: false, error: { code: 'broken', message: expect.stringMatching(/\w/) } });
	expect(openStore(nowhere).ok).toBe(true);
});

test('a record whose body was replaced by an invalid one is detected', () => {
	store.append(intent(), AT);
	const db = new DatabaseSync(join(directory, JOURNAL_FILE));
	for (const body of ['not JSON', '{"kind":"something else"}']) {
		db.prepare('UPDATE records SET body = ? WHERE seq = 1').run(body);
		expect(store.verify(1)).toBe(1);
	}
	db.close();
});

test('verification from the middle checks the chain against the previous record', () => {
	for (let index = 0; index < 5; index += 1) store.append(intent(), AT);
	const db = new DatabaseSync(join(directory, JOURNAL_FILE));
	db.exec('UPDATE records SET at = at + 1 WHERE seq = 3');
	expect([store.verify(1), store.verify(3), store.verify(1, 2), store.verify(5)]).toEqual([3, 3, null, null]);
	db.exec('DELETE FROM records WHERE seq = 2');
	expect([store.verify(1), store.verify(1, 1)]).toEqual([3, null]);
	db.close();
});

test('a thorough open moves the write-ahead log into the main file; any other open leaves the records in the write-ahead log', () => {
	store.append(intent(), AT);
	const inMainFile = (thorough: boolean): unknown => {
		const opened = openStore(directory, thorough);
		if (!opened.ok) throw new Error(opened.error.message);
		const copy = join(directory, `copy-${thorough}`);
		mkdirSync(copy);
		copyFileSync(join(directory, JOURNAL_FILE), join(copy, JOURNAL_FILE));
		opened.value.close();
		const reader = readStore(copy);
		if (!reader.ok) return 0;
		const found = count(reader.value);
		reader.value.close();
		return found;
	};
	expect([inMainFile(false), inMainFile(true)]).toEqual([0, 1]);
});
