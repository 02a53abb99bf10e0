/** The only file that knows SQLite: appends records durably and reads rows. Another engine would replace this file alone. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import * as v from 'valibot';
import { fail, messageOf, ok, type Result } from '../result.ts';
import { applyToLedger } from './ledger.ts';
import { JournalRecord, subjectOf } from './records.ts';

/**
 * `disk_full`, `busy`: nothing was written, it may succeed later. `broken`: the disk or file cannot be trusted until it is
 * opened anew; retrying on the same handle after a failed sync would trust pages that never reached the disk.
 */
export type StoreError = { code: 'disk_full' | 'busy' | 'broken'; message: string };

/** How many of the newest records are checked against their hashes at every start; `verify` reads all. */
const TAIL = 256;

const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const SQLITE_CONSTRAINT = 19;
const SQLITE_FULL = 13;
export const JOURNAL_FILE = 'journal.sqlite';
const GENESIS = Buffer.alloc(32);

interface Row {
	seq: number;
	at: number;
	kind: string;
	subject: string;
	body: string;
	hash: Uint8Array;
}

export interface Store {
	/** Durable when it returns ok: the write-ahead log has been synced. Throws on a record that contradicts the ledger (a bug). */
	append(record: JournalRecord, at: Date): Result<number, StoreError>;
	/** Rows of a query whose text is constant; statements are kept prepared. */
	rows(sql: string, ...parameters: SQLInputValue[]): Record<string, unknown>[];
	/** Checks hashes from `fromSeq` on, up to `toSeq` or the end. @returns the first bad sequence number, or null */
	verify(fromSeq: number, toSeq?: number): number | null;
	close(): void;
}

/** The journal as somebody reads it who is not the daemon; a running daemon is not disturbed. */
export function readStore(directory: string): Result<Pick<Store, 'rows' | 'verify' | 'close'>, StoreError> {
	let db: DatabaseSync | null = null;
	try {
		db = new DatabaseSync(join(directory, JOURNAL_FILE), { readOnly: true });
		return ok(storeOn(db));
	} catch (error) {
		db?.close();
		return fail(storeError(error));
	}
}

/**
 * @param directory is created, readable by its owner alone
 * @param thorough also looks at every page, which takes time with the length of the history: for a file that was found damaged
 */
export function openStore(directory: string, thorough = false): Result<Store, StoreError> {
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		const file = join(directory, JOURNAL_FILE);
		const db = new DatabaseSync(file);
		try {
			chmodSync(file, 0o600);
			// FULL syncs the log on every commit; a second writer (there must be none) waits a moment instead of failing.
			db.exec(
				'PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -512;',
			);
			db.exec(readFileSync(new URL('./schema.sql', import.meta.url), 'utf8'));
			const store = storeOn(db);
			const last = Number(store.rows('SELECT coalesce(max(seq), 0) AS seq FROM records')[0]?.seq);
			const bad = store.verify(Math.max(1, last - TAIL + 1));
			const damage = thorough ? String(store.rows('PRAGMA quick_check(1)')[0]?.quick_check) : 'ok';
			if (damage !== 'ok') throw new Error(`the journal's file is damaged: ${damage}`);
			if (bad === null) return ok(store);
			throw new Error(`record ${bad} does not match its hash: the journal was changed or damaged`);
		} catch (error) {
			db.close();
			throw error;
		}
	} catch (error) {
		return fail(storeError(error));
	}
}

function storeOn(db: DatabaseSync): Store {
	const prepared = new Map<string, StatementSync>();
	const statement = (sql: string): StatementSync => {
		const known = prepared.get(sql) ?? db.prepare(sql);
		prepared.set(sql, known);
		return known;
	};
	const newest = statement('SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1');
	const insert = statement('INSERT INTO records (seq, at, kind, subject, body, hash) VALUES (?, ?, ?, ?, ?, ?)');

	function append(record: JournalRecord, at: Date): Result<number, StoreError> {
		try {
			db.exec('BEGIN IMMEDIATE');
			const before = newest.get() as { seq: number; hash: Uint8Array } | undefined;
			const row = {
				seq: (before?.seq ?? 0) + 1,
				at: at.getTime(),
				kind: record.kind,
				subject: subjectOf(record),
				body: JSON.stringify(record),
			};
			insert.run(row.seq, row.at, row.kind, row.subject, row.body, hashOf(before?.hash ?? GENESIS, row));
			applyToLedger(record, row.seq, (sql, ...parameters) => Number(statement(sql).run(...parameters).changes));
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
		verify: (fromSeq, toSeq = Number.MAX_SAFE_INTEGER) => firstBadRecord(statement, fromSeq, toSeq),
		close: () => db.close(),
	};
}

function firstBadRecord(statement: (sql: string) => StatementSync, fromSeq: number, toSeq: number): number | null {
	const before = statement('SELECT hash FROM records WHERE seq = ?').get(fromSeq - 1) as { hash: Uint8Array } | undefined;
	let hash: Uint8Array = before?.hash ?? GENESIS;
	let expected = fromSeq;
	for (const found of statement('SELECT * FROM records WHERE seq BETWEEN ? AND ? ORDER BY seq').iterate(fromSeq, toSeq)) {
		const row = found as unknown as Row;
		if (row.seq !== expected || !hashOf(hash, row).equals(row.hash) || !isRecord(row.body)) return row.seq;
		hash = row.hash;
		expected += 1;
	}
	return null;
}

function isRecord(body: string): boolean {
	try {
		return v.is(JournalRecord, JSON.parse(body));
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

/** A constraint or ledger rule was broken: the caller has a bug, the journal is sound. */
function isContradiction(error: unknown): boolean {
	const code = (error as { errcode?: number }).errcode;
	return code === undefined || (code & 0xff) === SQLITE_CONSTRAINT;
}

/** @returns whether a read failed because of the disk or the file, and not because of a bug */
export const isDamage = (error: unknown): boolean =>
	[SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);

function storeError(error: unknown): StoreError {
	const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
	const full = code === SQLITE_FULL || (error as { code?: string }).code === 'ENOSPC';
	return { code: full ? 'disk_full' : code === SQLITE_BUSY ? 'busy' : 'broken', message: messageOf(error) };
}
