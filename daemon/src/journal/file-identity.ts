import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import { carriedFormat, newerSentence } from './format.ts';
import type { HeadFile } from './head-file.ts';
import { JOURNAL_FILE, readStore, type StoreError } from './store.ts';

/** Checks that the file under the journal's name is the file that this kiosk wrote. */
export interface FileIdentity {
	/**
	 * A reference that staff can quote: number of the newest record in the head file, and the
	 * beginning of its hash.
	 */
	reference(): string;
	/**
	 * Detects a missing, empty, old or foreign file, which SQLite would accept. Opens the file
	 * read-only, because a writable handle would change it.
	 * @returns the fault as a sentence, or null
	 */
	missing(): string | null;
	/** @returns a sentence if only a newer version can read the file, or null */
	newer(): string | null;
	/** The newest record in the file; 0 and '' if there is none. */
	newest(): Result<{ seq: number; hash: string; sealed: boolean }, StoreError>;
	/**
	 * @param seq number of the newest record found in the file
	 * @returns a sentence if the head file names a newer record, or null
	 */
	behind(seq: number): string | null;
	/** Remembers the present files for `exchanged`. */
	opened(): void;
	/**
	 * Detects that the journal's files were removed or replaced since `opened`. SQLite would continue
	 * to write into the unlinked files.
	 * @returns the fault as a sentence, or null
	 */
	exchanged(): string | null;
}

export function identifyJournalFile(directory: string, head: HeadFile): FileIdentity {
	const file = join(directory, JOURNAL_FILE);
	let open = '';

	function reference(): string {
		const { seq, hash } = head.read();
		return `J-${seq}${hash && `-${hash.slice(0, 8)}`}`;
	}

	const tooShort = (): string =>
		`the journal ends before record ${reference()}, which was written: its newest part is gone, or an old copy was put back`;

	const filesNow = (): string => [file, `${file}-wal`].map(inodeOf).join(' ');

	return {
		reference,
		missing() {
			const { seq, hash } = head.read();
			if (seq === 0) return null;
			if (sizeOf(file) === 0) return `the journal is gone: record ${reference()} was written, and ${file} is missing or empty`;
			const seen = readStore(directory);
			// The tables of a new journal may be only in its write-ahead log. If that log is lost, the
			// file has no tables. Opening the journal reports all other errors.
			if (!seen.ok) return seen.error.message.includes('no such table') ? tooShort() : null;
			try {
				const [found] = seen.value.rows('SELECT hash FROM records WHERE seq = ?', seq);
				if (!found) return tooShort();
				if (hash === '' || hex(found.hash) === hash) return null;
				return `record ${reference()} differs from the record that was written: this is not the journal of this kiosk`;
			} catch {
				return null;
			} finally {
				seen.value.close();
			}
		},
		newer() {
			if (sizeOf(file) === 0) return null;
			const seen = readStore(directory);
			if (!seen.ok) return null;
			try {
				return newerSentence(carriedFormat(seen.value));
			} catch {
				// Opening the journal reports the reason.
				return null;
			} finally {
				seen.value.close();
			}
		},
		newest() {
			if (sizeOf(file) === 0) return ok(NOTHING);
			const seen = readStore(directory);
			if (!seen.ok) return seen.error.message.includes('no such table') ? ok(NOTHING) : seen;
			try {
				const [row] = seen.value.rows('SELECT * FROM records ORDER BY seq DESC LIMIT 1');
				return ok(row ? { seq: Number(row.seq), hash: hex(row.hash), sealed: row.seal instanceof Uint8Array } : NOTHING);
			} catch (error) {
				return fail({ code: 'broken', message: messageOf(error) });
			} finally {
				seen.value.close();
			}
		},
		behind: (seq) => (seq < head.read().seq ? tooShort() : null),
		opened() {
			open = filesNow();
		},
		exchanged: () =>
			filesNow() === open ? null : `${file} or its log was removed or exchanged while the kiosk ran; the newest record is ${reference()}`,
	};
}

const NOTHING = { seq: 0, hash: '', sealed: false };

/** @param bytes hash as SQLite returns it */
export const hex = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex');

function sizeOf(file: string): number {
	try {
		return statSync(file).size;
	} catch {
		return 0;
	}
}

/** @returns device and inode of the file; 'none' if there is no file */
function inodeOf(file: string): string {
	try {
		const { dev, ino } = statSync(file);
		return `${dev}:${ino}`;
	} catch {
		return 'none';
	}
}
