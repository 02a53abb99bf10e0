import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { openHead } from './head-file.ts';
import { openJournal } from './journal.ts';
import { readProvedNames } from './proved-names.ts';
import type { JournalRecord, ListedPerson } from './records.ts';
import { JOURNAL_FILE, openStore } from './store.ts';

const TIME = '2026-11-24T09:25:00+07:00';
const SARI: ListedPerson = { staff_name: 'Sari', role: 'supervisor', code_id: null };
const BUDI: ListedPerson = { staff_name: 'Budi', role: 'cashier', code_id: null };
/** Record numbers in these tests' journal: the two lists of names, and the newest record. */
const [FIRST_LIST, LAST_LIST, NEWEST] = [11, 272, 532];
/** Number of records after each list; more than one batch. */
const MORE = 260;

let folder: string;
let directory: string;
const keyFile = () => join(folder, 'journal.key');
const headFile = () => join(folder, 'journal.head');

const open = () =>
	openJournal({ directory, minFreeBytes: 0, headFile: headFile(), keyFile: keyFile() }, systemClock, openStore, () => 1_000_000);

/** Writes records as the daemon does: first ten, then more after each list. */
function write(after: number, ...lists: ListedPerson[][]): void {
	const journal = open();
	const fill = (count: number): void => {
		for (let n = 0; n < count; n += 1)
			expect(journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: false, why: 'x' }).ok).toBe(true);
	};
	fill(10);
	for (const people of lists) {
		expect(journal.append(listOf(people)).ok).toBe(true);
		fill(after);
	}
	journal.close();
}

const listOf = (people: ListedPerson[]): JournalRecord => ({
	kind: 'staff_names_changed',
	change_id: randomUUID(),
	action: 'add',
	staff_name: null,
	by: null,
	people,
	time: TIME,
});

const proved = async () => {
	const { list, isLast } = await readProvedNames(directory, keyFile(), openHead(headFile()).read());
	return [list && [list.seq, list.people.map(({ staff_name, role }) => `${staff_name} ${role}`)], isLast];
};
const FIRST = [FIRST_LIST, ['Sari supervisor']];
const LAST = [LAST_LIST, ['Budi cashier', 'Sari supervisor']];

function onFile(act: (db: DatabaseSync) => void): void {
	const db = new DatabaseSync(join(directory, JOURNAL_FILE));
	act(db);
	db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
	db.close();
}
const change = (sql: string) => onFile((db) => db.exec(sql));

/** Changes a record and recomputes the chain after it, as a program without the key could. */
function rewrite(seq: number, body: (text: string) => string): void {
	onFile((db) => {
		let before = db.prepare('SELECT hash FROM records WHERE seq = ?').get(seq - 1)?.hash as Uint8Array;
		for (const row of db.prepare('SELECT * FROM records WHERE seq >= ? ORDER BY seq').all(seq)) {
			const text = row.seq === seq ? body(String(row.body)) : String(row.body);
			const hash = createHash('sha256')
				.update(before)
				.update(JSON.stringify([row.seq, row.at, row.kind, row.subject, text]))
				.digest();
			db.prepare('UPDATE records SET body = ?, hash = ? WHERE seq = ?').run(text, hash, Number(row.seq));
			before = hash;
		}
	});
}
const promote = (text: string): string => text.replace('"cashier"', '"supervisor"');

let untouched: string;
beforeAll(() => {
	untouched = mkdtempSync(join(tmpdir(), 'proved-names-'));
	folder = untouched;
	directory = join(folder, 'journal');
	write(MORE, [SARI], [BUDI, SARI]);
});
afterAll(() => rmSync(untouched, { recursive: true }));
beforeEach(() => {
	folder = temporaryFolder('proved-names');
	cpSync(untouched, folder, { recursive: true });
	directory = join(folder, 'journal');
});

test('an undamaged journal proves its last list of staff names', async () => {
	expect(await proved()).toEqual([LAST, true]);
});

test('an undamaged journal without a list proves that it never had one', async () => {
	for (const gone of [directory, keyFile(), headFile()]) rmSync(gone, { recursive: true });
	write(0);
	expect(await proved()).toEqual([null, true]);
	change('UPDATE records SET at = 0 WHERE seq = 5');
	expect(await proved()).toEqual([null, false]);
});

test('after the list was cleared, the journal proves an empty last list', async () => {
	const journal = open();
	journal.append({ ...listOf([]), action: 'clear' } as JournalRecord);
	journal.close();
	expect(await proved()).toEqual([[NEWEST + 1, []], true]);
});

describe('a damaged record', () => {
	test.each([
		['before the last list: that list and the absence of later changes are proved', 5, [LAST, true]],
		['just before the last list: that list and the absence of later changes are proved', LAST_LIST - 1, [LAST, true]],
		['that is the last list: the previous list is proved', LAST_LIST, [FIRST, false]],
		['after the last list may have been a later change', LAST_LIST + 1, [LAST, false]],
		['at the end may have been a later change', NEWEST, [LAST, false]],
	])('%s', async (_what, seq, expected) => {
		change(`UPDATE records SET at = at + 1 WHERE seq = ${seq}`);
		expect(await proved()).toEqual(expected);
	});

	test.each([5, LAST_LIST + 1, NEWEST])('that is missing (number %i) counts as damaged', async (seq) => {
		change(`DELETE FROM records WHERE seq = ${seq}`);
		expect(await proved()).toEqual([LAST, seq === 5]);
	});

	test('in an unreadable page hides only the lists of that page', async () => {
		const file = join(directory, JOURNAL_FILE);
		change('SELECT 1');
		const bytes = readFileSync(file);
		const pages = Array.from({ length: bytes.length / 4_096 }, (_, at) => at * 4_096);
		// A page that SQLite has split may still contain an old copy of the list. Only a leaf page of a
		// table, type 13, contains the valid copy.
		const page = pages.find((at) => bytes[at] === 13 && bytes.subarray(at, at + 4_096).includes('"staff_name":"Sari"')) ?? 0;
		expect(page).toBeGreaterThan(0);
		writeFileSync(file, bytes.fill(0xa5, page, page + 4_096));
		expect(await proved()).toEqual([LAST, true]);
	});
});

describe('a forged file makes no supervisor', () => {
	test('with a changed list', async () => {
		change(`UPDATE records SET body = replace(body, '"cashier"', '"supervisor"') WHERE seq = ${LAST_LIST}`);
		expect(await proved()).toEqual([FIRST, false]);
	});

	test('with a list whose chain was recomputed without the key', async () => {
		rewrite(LAST_LIST, promote);
		expect(await proved()).toEqual([FIRST, false]);
		rmSync(keyFile());
		expect(await proved()).toEqual([null, false]);
	});

	test('with a list after the newest record', async () => {
		const forged = JSON.stringify({ ...listOf([{ ...BUDI, role: 'supervisor' }]) });
		onFile((db) => {
			const last = db.prepare('SELECT hash, seal FROM records WHERE seq = ?').get(NEWEST);
			const subject = JSON.parse(forged).change_id;
			const hash = createHash('sha256')
				.update(last?.hash as Uint8Array)
				.update(JSON.stringify([NEWEST + 1, 0, 'staff_names_changed', subject, forged]))
				.digest();
			db.prepare(`INSERT INTO records VALUES (?, 0, 'staff_names_changed', ?, ?, ?, ?)`).run(
				NEWEST + 1,
				subject,
				forged,
				hash,
				last?.seal as Uint8Array,
			);
		});
		expect(await proved()).toEqual([LAST, false]);
		rmSync(keyFile());
		expect(await proved()).toEqual([LAST, false]);
	});

	test('with the journal of another kiosk', async () => {
		const [own, head] = [readFileSync(keyFile()), readFileSync(headFile())];
		for (const gone of [directory, keyFile(), headFile()]) rmSync(gone, { recursive: true });
		write(2, [SARI], [{ ...BUDI, role: 'supervisor' }]);
		writeFileSync(keyFile(), own);
		writeFileSync(headFile(), head);
		expect(await proved()).toEqual([null, false]);
	});

	test('with an index that lacks the last list', async () => {
		change(`DROP INDEX records_names; CREATE INDEX records_names ON records (seq) WHERE kind = 'staff_names_changed' AND seq < 100`);
		expect(await proved()).toEqual([LAST, true]);
	});

	test('with a huge record number, and the kiosk does not hang', async () => {
		change(`UPDATE records SET seq = 9007199254740991 WHERE seq = ${NEWEST}`);
		expect(await proved()).toEqual([LAST, false]);
	});
});

describe('an old copy', () => {
	test('proves its own last list, but not that this list is the latest', async () => {
		cpSync(directory, `${directory}.old`, { recursive: true });
		const journal = open();
		journal.append(listOf([SARI]));
		journal.close();
		rmSync(directory, { recursive: true });
		cpSync(`${directory}.old`, directory, { recursive: true });
		expect(await proved()).toEqual([LAST, false]);
	});
});

describe('key and head file', () => {
	test('without the key, a list is proved by an unbroken chain from the list to the record in the head file', async () => {
		rmSync(keyFile());
		expect(await proved()).toEqual([LAST, true]);
		change('UPDATE records SET at = 0 WHERE seq = 5');
		expect(await proved()).toEqual([LAST, true]);
		change('UPDATE records SET at = 0 WHERE seq = 300');
		expect(await proved()).toEqual([null, false]);
	});

	test('without the head file the seals prove the list, but not that it is the latest', async () => {
		rmSync(headFile());
		expect(await proved()).toEqual([LAST, false]);
	});

	test('without both, as after a factory reset, nothing is proved', async () => {
		rmSync(headFile());
		rmSync(keyFile());
		expect(await proved()).toEqual([null, false]);
		expect(existsSync(keyFile())).toBe(false);
	});

	test('records from before the key existed are proved if the chain up to the first sealed record is unbroken', async () => {
		rmSync(keyFile());
		onFile((db) => db.exec('UPDATE records SET seal = NULL'));
		rmSync(headFile());
		const journal = open();
		journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked: false, why: 'sealed' });
		journal.close();
		expect(await proved()).toEqual([LAST, true]);
		rewrite(LAST_LIST, promote);
		expect(await proved()).toEqual([null, false]);
	});
});
