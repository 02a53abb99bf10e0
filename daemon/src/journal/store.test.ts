import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { ACCOUNT } from './payment.fixture.ts';
import type { JournalRecord } from './records.ts';
import { openStore, type Store } from './store.ts';

// SQLite's file format: a log has a header; each frame is a header and one page.
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 4_096;
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES;
const AT = new Date('2026-11-21T07:31:08Z');

let directory: string;
let store: Store;
/** Length of the log when each record was acknowledged, bytes. */
let acknowledgedAt: number[];

const PAYMENT = { account: ACCOUNT, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(137_500) };
const walOf = (of: string): string => join(of, 'journal.sqlite-wal');

function opened(at: string): Store {
	const result = openStore(at);
	if (!result.ok) throw new Error(result.error.message);
	return result.value;
}

function append(record: JournalRecord): void {
	const written = store.append(record, AT);
	if (!written.ok) throw new Error(written.error.message);
	acknowledgedAt.push(readFileSync(walOf(directory)).length);
}

beforeEach(() => {
	directory = temporaryFolder('store');
	store = opened(directory);
	acknowledgedAt = [];
	for (let note = 0; note < 4; note += 1) {
		const note_id = randomUUID();
		append({ kind: 'cash_intent', note_id, payment: PAYMENT, nominal: rupiah(50_000), code: '0x45', time: AT.toISOString() });
		append({ kind: 'cash_credit', note_id, late: false });
		append({ kind: 'note_uploaded', note_id });
	}
});
afterEach(() => {
	store.close();
});

/** Copies the files as a power cut would leave them: no file is closed. */
function crashedCopy(name: string): string {
	const copy = join(directory, name);
	mkdirSync(copy);
	for (const file of ['journal.sqlite', 'journal.sqlite-wal'])
		if (existsSync(join(directory, file))) copyFileSync(join(directory, file), join(copy, file));
	return copy;
}

/** Checks a copy: its records and ledger must agree from the first record on. */
function look(copy: string): { records: number; credited: number } {
	const found = opened(copy);
	try {
		expect(found.verify(1)).toBeNull();
		const [{ records } = {}] = found.rows('SELECT count(*) AS records FROM records');
		const [{ intents, credits, uploads } = {}] = found.rows(
			`SELECT count(*) FILTER (WHERE kind = 'cash_intent') AS intents, count(*) FILTER (WHERE kind = 'cash_credit') AS credits,
			count(*) FILTER (WHERE kind = 'note_uploaded') AS uploads FROM records`,
		);
		const [ledger] = found.rows('SELECT count(*) AS intents, count(credited_seq) AS credits, count(uploaded_seq) AS uploads FROM notes');
		expect(ledger).toEqual({ intents, credits, uploads });
		return { records: Number(records), credited: Number(credits) };
	} finally {
		found.close();
	}
}

test('every commit is synced', () => {
	expect(store.rows('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
	expect(store.rows('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
});

/**
 * Cuts the log at every `step`th of the positions where a write may end, from the log's first byte
 * to its last.
 */
function cutsLog(step: number): void {
	const whole = readFileSync(walOf(directory)).length;
	const frames = Array.from({ length: (whole - WAL_HEADER_BYTES) / FRAME_BYTES }, (_, at) => WAL_HEADER_BYTES + at * FRAME_BYTES);
	expect(frames.length).toBeGreaterThan(12);
	const odd = [0, 1, WAL_HEADER_BYTES - 1, WAL_HEADER_BYTES];
	for (const start of frames) odd.push(start + 1, start + FRAME_HEADER_BYTES, start + FRAME_BYTES - 1);
	const ends = [...new Set([...frames, ...odd, whole])].sort((one, other) => one - other);
	for (const end of ends.filter((end, at) => at % step === 0 || end === whole)) {
		const copy = crashedCopy(`cut-${end}`);
		truncateSync(walOf(copy), end);
		// No checkpoint has moved the tables into the main file yet, so without the log the file is
		// empty.
		const expected = acknowledgedAt.filter((length) => length <= end).length;
		expect(look(copy).records, `cut at ${end}`).toBe(expected);
		rmSync(copy, { recursive: true });
	}
}
test('a log cut at a few possible write ends keeps exactly the records acknowledged before the cut', () => cutsLog(7));
test('a log cut at every possible write end keeps exactly the records acknowledged before the cut', { tags: 'deep' }, () => cutsLog(1));

test('if zeros or ones replace the unsynced end of a log, all records before that end are kept', () => {
	const whole = readFileSync(walOf(directory));
	for (const [at, length] of acknowledgedAt.entries()) {
		for (const fill of [0x00, 0xff]) {
			const copy = crashedCopy(`lost-${at}-${fill}`);
			writeFileSync(walOf(copy), Buffer.concat([whole.subarray(0, length), Buffer.alloc(whole.length - length, fill)]));
			expect(look(copy).records).toBe(at + 1);
			rmSync(copy, { recursive: true });
		}
	}
});

test('if a page in the middle of the log was not synced, exactly the records before it are kept', () => {
	const whole = readFileSync(walOf(directory));
	for (const [at, length] of acknowledgedAt.entries()) {
		if (length === whole.length) continue;
		const copy = crashedCopy(`hole-${at}`);
		const damaged = Buffer.from(whole);
		damaged.fill(0, length, length + FRAME_BYTES);
		writeFileSync(walOf(copy), damaged);
		expect(look(copy).records).toBe(at + 1);
		rmSync(copy, { recursive: true });
	}
});

/**
 * Overwrites 700 bytes of the main file, starting at every `step`th byte, each time in a new copy.
 */
function damagesFile(step: number): void {
	store.close();
	const whole = readFileSync(join(directory, 'journal.sqlite'));
	let refused = 0;
	for (let from = 0; from < whole.length; from += step) {
		const copy = join(directory, `damaged-${from}`);
		mkdirSync(copy);
		const damaged = Buffer.from(whole).fill(0xa5, from, from + 700);
		writeFileSync(join(copy, 'journal.sqlite'), damaged);
		const result = openStore(copy, true);
		if (result.ok) {
			result.value.close();
			expect(look(copy), `damaged at ${from}`).toEqual({ records: 12, credited: 4 });
		} else {
			refused += 1;
			expect(result.error).toMatchObject({ code: 'damaged', message: expect.stringMatching(/\w/) });
			expect(readFileSync(join(copy, 'journal.sqlite')).equals(damaged)).toBe(true);
		}
	}
	expect(refused).toBeGreaterThan(0);
	store = opened(join(directory, 'fresh'));
}
const DAMAGED = 'is refused and left unchanged, or still has all its records';
test(`a main file damaged at one of a few places ${DAMAGED}`, () => damagesFile(5_120));
test(`a main file damaged at one of many places ${DAMAGED}`, { tags: 'deep' }, () => damagesFile(1_024));

// The cuts begin at 2 bytes. SQLite treats a shorter file as new, and so does the daemon, because
// an interrupted first start leaves such a file.
test('a truncated main file is refused, or all its records can be read', () => {
	store.close();
	const whole = readFileSync(join(directory, 'journal.sqlite'));
	for (let end = 2; end < whole.length; end += 1_777) {
		const copy = join(directory, `short-${end}`);
		mkdirSync(copy);
		writeFileSync(join(copy, 'journal.sqlite'), whole.subarray(0, end));
		const result = openStore(copy);
		if (result.ok) {
			result.value.close();
			expect(look(copy), `cut at ${end}`).toEqual({ records: 12, credited: 4 });
		} else expect(result.error.code).toMatch(/^(broken|damaged)$/);
	}
	store = opened(join(directory, 'fresh'));
});
