/**
 * Appends records durably and reads rows. Only this module opens the journal's SQLite file;
 * claim.ts uses an empty SQLite file of its own as a lock.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import * as v from 'valibot';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import { refreshBalance } from './balance-ledger.ts';
import { carriedFormat, INTRODUCED, READABLE_FROM, READS } from './format.ts';
import { applyToLedger } from './ledger.ts';
import { WAITING_NOTES, wrongOpenItem } from './open-items-check.ts';
import { JournalRecord, subjectOf } from './records.ts';
import type { Seal } from './seal.ts';

/**
 * `disk_full`, `busy`: nothing was written; a later try may succeed. `broken`: disk or file cannot
 * be trusted until the file is opened again, because after a failed sync, a retry on the same
 * handle would trust pages that never reached the disk. `damaged`: the file's contents are wrong;
 * reopening does not help.
 */
export type StoreError = { code: 'disk_full' | 'busy' | 'broken' | 'damaged'; message: string };

/** Number of newest records verified at every start, besides the open items. */
const TAIL = 256;

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const SQLITE_CONSTRAINT = 19;
const SQLITE_FULL = 13;
export const JOURNAL_FILE = 'journal.sqlite';
const GENESIS = Buffer.alloc(32);

/**
 * Version up to which the derived tables are complete (`user_version` of the file). Tables that
 * journals of earlier versions lack are built once from the history.
 */
const VERSION = 3;
const UPGRADE = `BEGIN IMMEDIATE;
	DELETE FROM card_counts;
	INSERT INTO card_counts SELECT state, count(*) FROM card_sales GROUP BY state;
	COMMIT`;
const UNDISPUTED = ` JOIN card_sales AS sale USING (payment_id) WHERE sale.state IN ('declined', 'not_charged', 'voided')
	AND payment_id NOT IN (SELECT payment_id FROM balances WHERE state = 'dispute')`;
/** Columns that tables of earlier versions lack; the schema's indexes need them. */
const COLUMNS = [
	['records', 'seal', 'BLOB'],
	['notes', 'account', 'TEXT'],
	['notes', 'parked', 'TEXT'],
	['notes', 'moved_seq', 'INTEGER'],
	['card_sales', 'account', 'TEXT'],
] as const;
/** Fills the table of waiting notes if it is still empty. */
const COUNT_WAITING = `INSERT INTO waiting SELECT coalesce(account, ''), count(*), coalesce(sum(nominal), 0) FROM notes
	WHERE ${WAITING_NOTES} GROUP BY 1`;

interface Row {
	seq: number;
	at: number;
	kind: string;
	subject: string;
	body: string;
	hash: Uint8Array;
	/** Missing in files of earlier versions. */
	seal?: Uint8Array | null;
}

export interface Store {
	/**
	 * Writes a record. If the result is ok, the write-ahead log has been synced, so the record is
	 * durable. Throws if the record contradicts the ledger, which is a bug of the caller.
	 */
	append(record: JournalRecord, at: Date): Result<number, StoreError>;
	/**
	 * Runs a query. The query's text must be constant, because its prepared statement is kept until
	 * the file is closed.
	 */
	rows(sql: string, ...parameters: SQLInputValue[]): Record<string, unknown>[];
	/**
	 * Verifies hashes and, if the store has the key, seals, from `fromSeq` up to `toSeq` or the end.
	 * @returns the sequence number of the first bad record, or null
	 */
	verify(fromSeq: number, toSeq?: number): number | null;
	/** @returns the fault of a record found by `verify`, as a sentence */
	fault(seq: number): string;
	close(): void;
}

/**
 * Opens the journal read-only. The daemon can use the journal at the same time.
 * @param seal null: the key is not available, and `verify` checks only the hash chain
 */
export function readStore(
	directory: string,
	seal: Seal | null = null,
): Result<Pick<Store, 'rows' | 'verify' | 'fault' | 'close'>, StoreError> {
	let db: DatabaseSync | null = null;
	try {
		db = new DatabaseSync(join(directory, JOURNAL_FILE), { readOnly: true });
		return ok(storeOn(db, seal));
	} catch (error) {
		db?.close();
		return fail(storeError(error));
	}
}

/**
 * @param directory created if missing, readable by its owner only
 * @param thorough true for a file that could not be read or written before: verifies every page and
 * record, and syncs the log's contents again. This takes longer with a longer history
 * @param seal the seal with which records are sealed and verified; null: new records are not sealed
 */
export function openStore(directory: string, thorough = false, seal: Seal | null = null): Result<Store, StoreError> {
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		const file = join(directory, JOURNAL_FILE);
		// The file is checked read-only first. Closing a writable handle would move the log into the
		// main file, but a refused file must stay unchanged.
		if (existsSync(file)) look(file, thorough, seal);
		const db = new DatabaseSync(file);
		try {
			chmodSync(file, 0o600);
			// `FULL` syncs the log on every commit. With `busy_timeout`, a write waits for a second
			// writer (there should be none) instead of failing at once.
			db.exec(
				'PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -512;',
			);
			addColumns(db);
			db.exec(`BEGIN; ${readFileSync(new URL('./schema.sql', import.meta.url), 'utf8')} COMMIT`);
			const store = storeOn(db, seal);
			const folded = Number(store.rows('PRAGMA user_version')[0]?.user_version);
			if (folded < VERSION) upgrade(db, store);
			// The derived tables of a later version lack the records of this version, so the later
			// version must rebuild these tables.
			if (folded > VERSION) db.exec(`PRAGMA user_version = ${VERSION}`);
			if (store.rows('SELECT 1 FROM waiting').length === 0) db.exec(COUNT_WAITING);
			const wrong = wrongOpenItem(store);
			if (wrong !== null) throw new DamagedFile(`${wrong}: the journal was changed or damaged`);
			// After a failed sync the log may be readable but not on disk. Its contents are therefore
			// written and synced again.
			if (thorough) keepAll(store);
			return ok(store);
		} catch (error) {
			db.close();
			throw error;
		}
	} catch (error) {
		return fail(storeError(error));
	}
}

/**
 * Rebuilds derived tables of an earlier version: the counts of card sales, and the list of invoices
 * that need staff. The list then contains disputes about money given back for an uncharged card,
 * which earlier versions did not list.
 */
function upgrade(db: DatabaseSync, store: Store): void {
	db.exec(UPGRADE);
	for (const table of ['partial', 'paid_twice', 'given_back']) {
		if (store.rows(`SELECT 1 FROM sqlite_schema WHERE name = ?`, table).length === 0) continue;
		for (const { payment_id } of store.rows(`SELECT DISTINCT payment_id FROM ${table}${table === 'given_back' ? UNDISPUTED : ''}`))
			refreshBalance(
				String(payment_id),
				0,
				(sql, ...parameters) => Number(db.prepare(sql).run(...parameters).changes),
				(schema, sql, ...parameters) => store.rows(sql, ...parameters).map((row) => v.parse(schema, row)),
			);
	}
	db.exec(`PRAGMA user_version = ${VERSION}`);
}

function addColumns(db: DatabaseSync): void {
	for (const [table, column, type] of COLUMNS) {
		const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all(table);
		if (columns.length === 0 || columns.some(({ name }) => name === column)) continue;
		db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
	}
}

/**
 * Moves the whole log into the main file. Throws if another process is reading the file.
 */
function keepAll(store: Store): void {
	const [moved] = store.rows('PRAGMA wal_checkpoint(FULL)');
	if (moved?.busy !== 0) throw new Error('another process is reading the journal; its log could not be synced');
}

/** The file was changed by another program, or is corrupt. */
class DamagedFile extends Error {}

/**
 * Verifies the newest records, or every page and record if `thorough`. Throws if one of them was
 * changed or is damaged.
 */
function look(file: string, thorough: boolean, seal: Seal | null): void {
	const db = new DatabaseSync(file, { readOnly: true });
	try {
		// A first start that a power failure interrupted leaves a file without tables.
		if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'records'`).get()) return;
		const store = storeOn(db, seal);
		const damage = thorough ? String(store.rows('PRAGMA quick_check(1)')[0]?.quick_check) : 'ok';
		if (damage !== 'ok') throw new DamagedFile(`the journal's file is damaged: ${damage}`);
		const last = Number(store.rows('SELECT coalesce(max(seq), 0) AS seq FROM records')[0]?.seq);
		const bad = store.verify(thorough ? 1 : Math.max(1, last - TAIL + 1));
		if (bad !== null) throw new DamagedFile(store.fault(bad));
	} finally {
		db.close();
	}
}

function storeOn(db: DatabaseSync, seal: Seal | null): Store {
	const prepared = new Map<string, StatementSync>();
	const statement = (sql: string): StatementSync => {
		const known = prepared.get(sql) ?? db.prepare(sql);
		prepared.set(sql, known);
		return known;
	};
	const newest = statement('SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1');
	const RAISE = 'UPDATE format SET written_format = ?1, readable_from = max(readable_from, ?2) WHERE written_format < ?1';
	const INSERT = 'INSERT INTO records (seq, at, kind, subject, body, hash, seal) VALUES (?, ?, ?, ?, ?, ?, ?)';

	function append(record: JournalRecord, at: Date): Result<number, StoreError> {
		try {
			db.exec('BEGIN IMMEDIATE');
			const before = newest.get() as { seq: number; hash: Uint8Array } | undefined;
			const row = {
				seq: (before?.seq ?? 0) + 1,
				at: at.getTime(),
				kind: record.kind,
				// The subject as SQLite will return it: SQLite replaces lone surrogates, and the
				// hash must not depend on them.
				subject: subjectOf(record).toWellFormed(),
				body: JSON.stringify(record),
			};
			const hash = hashOf(before?.hash ?? GENESIS, row);
			statement(RAISE).run(INTRODUCED[record.kind], READABLE_FROM[INTRODUCED[record.kind]] ?? null);
			statement(INSERT).run(row.seq, row.at, row.kind, row.subject, row.body, hash, seal?.of(hash) ?? null);
			applyToLedger(
				record,
				row.seq,
				(sql, ...parameters) => Number(statement(sql).run(...parameters).changes),
				(schema, sql, ...parameters) =>
					statement(sql)
						.all(...parameters)
						.map((found) => v.parse(schema, found)),
			);
			db.exec('COMMIT');
			return ok(row.seq);
		} catch (error) {
			if (db.isTransaction) db.exec('ROLLBACK');
			if (isContradiction(error)) throw error;
			return fail(storeError(error));
		}
	}

	return {
		append,
		rows: (sql, ...parameters) => statement(sql).all(...parameters) as Record<string, unknown>[],
		verify: (fromSeq, toSeq = Number.MAX_SAFE_INTEGER) => firstBadRecord(statement, fromSeq, toSeq, seal),
		fault: (seq) => faultOf(seq, firstBadRecord(statement, seq, seq, null) === null),
		close: () => db.close(),
	};
}

function firstBadRecord(statement: (sql: string) => StatementSync, fromSeq: number, toSeq: number, seal: Seal | null): number | null {
	const laterKinds = carriedFormat({ rows: (sql) => statement(sql).all() }).written > READS;
	const before = statement('SELECT hash FROM records WHERE seq = ?').get(fromSeq - 1) as { hash: Uint8Array } | undefined;
	let hash: Uint8Array = before?.hash ?? GENESIS;
	let expected = fromSeq;
	for (const found of statement('SELECT * FROM records WHERE seq BETWEEN ? AND ? ORDER BY seq').iterate(fromSeq, toSeq)) {
		const row = found as unknown as Row;
		if (row.seq !== expected || !hashOf(hash, row).equals(row.hash) || !isRecord(row.body, laterKinds)) return row.seq;
		if (seal !== null && !isSealedBy(row, seal)) return row.seq;
		hash = row.hash;
		expected += 1;
	}
	return null;
}

function isSealedBy(row: Row, seal: Seal): boolean {
	if (row.seq >= seal.from) return row.seal instanceof Uint8Array && seal.of(row.hash).equals(row.seal);
	return row.seq < seal.from - 1 || Buffer.from(row.hash).toString('hex') === seal.before;
}

const faultOf = (seq: number, chained: boolean): string =>
	chained
		? `record ${seq} does not bear the seal of this kiosk: the journal was rewritten, or it was sealed with another key`
		: `record ${seq} does not match its hash: the journal was changed or damaged`;

const OfLaterKind = v.looseObject({
	kind: v.pipe(
		v.string(),
		v.check((kind) => !(kind in INTRODUCED)),
	),
});

/** @param laterKinds whether the file may hold records of kinds that only a later version knows */
function isRecord(body: string, laterKinds: boolean): boolean {
	try {
		const record: unknown = JSON.parse(body);
		return v.is(JournalRecord, record) || (laterKinds && v.is(OfLaterKind, record));
	} catch {
		return false;
	}
}

function hashOf(before: Uint8Array, row: Omit<Row, 'hash'>): Buffer {
	return createHash('sha256')
		.update(before)
		.update(JSON.stringify([row.seq, row.at, row.kind, row.subject, row.body]))
		.digest();
}

/**
 * Whether the error is a violated constraint or ledger rule. If so, the caller has a bug, and the
 * journal is sound.
 */
function isContradiction(error: unknown): boolean {
	const code = (error as { errcode?: number }).errcode;
	return code === undefined || (code & 0xff) === SQLITE_CONSTRAINT;
}

/** @returns whether a read failed because of disk, file or contents, and not because of a bug */
export const isDamage = (error: unknown): boolean =>
	[SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff) ||
	// SQLite has no error code for this fault.
	messageOf(error) === 'malformed JSON' ||
	v.isValiError(error);

/** @returns whether the disk failed; the file's contents may be right */
export const isDiskFault = (error: unknown): boolean => (((error as { errcode?: number }).errcode ?? 0) & 0xff) === SQLITE_IOERR;

function storeError(error: unknown): StoreError {
	const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
	const full = code === SQLITE_FULL || (error as { code?: string }).code === 'ENOSPC';
	if (full) return { code: 'disk_full', message: messageOf(error) };
	const damaged = error instanceof DamagedFile || (isDamage(error) && !isDiskFault(error));
	return { code: code === SQLITE_BUSY ? 'busy' : damaged ? 'damaged' : 'broken', message: messageOf(error) };
}
