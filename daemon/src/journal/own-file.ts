import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, messageOf, ok, type Result } from '../result.ts';
import type { HeadFile } from './head.ts';
import { JOURNAL_FILE, readStore, type StoreError } from './store.ts';

/** Whether what lies under the journal's name is what was written there. */
export interface OwnFile {
	/** For a person to quote: the newest record that is known to have been written, and the beginning of its hash. */
	reference(): string;
	/**
	 * To SQLite a file that is gone or empty is a new one, and an old copy as good as the newest. Only read here: a handle that
	 * may write would change what lies there.
	 * @returns what is wrong, in words, or null
	 */
	missing(): string | null;
	/** The newest record in the file; 0 and '' where there is none yet. */
	newest(): Result<{ seq: number; hash: string; sealed: boolean }, StoreError>;
	/** @param seq of the newest record that was found */
	behind(seq: number): string | null;
	/** The files that lie there now are those in which the store writes. */
	opened(): void;
	/** @returns in words that they have been removed or exchanged since; SQLite would go on writing into files without a name */
	exchanged(): string | null;
}

export function ownFile(directory: string, head: HeadFile): OwnFile {
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
			// A log that is lost may have held even the tables. Why else it cannot be read is found out by whoever opens it.
			if (!seen.ok) return seen.error.message.includes('no such table') ? tooShort() : null;
			try {
				const [found] = seen.value.rows('SELECT hash FROM records WHERE seq = ?', seq);
				if (!found) return tooShort();
				if (hash === '' || hex(found.hash) === hash) return null;
				return `record ${reference()} was written, and another one stands there: this is not the journal of this kiosk`;
			} catch {
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

/** @param bytes as SQLite gives a hash */
export const hex = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex');

function sizeOf(file: string): number {
	try {
		return statSync(file).size;
	} catch {
		return 0;
	}
}

/** @returns the file itself, as its disk numbers it, whatever its name */
function inodeOf(file: string): string {
	try {
		const { dev, ino } = statSync(file);
		return `${dev}:${ino}`;
	} catch {
		return 'none';
	}
}
