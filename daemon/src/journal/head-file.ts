/**
 * The head file contains the number and hash of the journal's newest record. SQLite treats a
 * missing or empty journal as a new journal, and an old copy as the current journal; the head file
 * reveals both. The head file is written after each commit without a sync. After a power cut it may
 * be behind the journal, but never ahead of it, so the journal still opens.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import * as v from 'valibot';
import { replaceFile } from '../base/replace-file.ts';

const Head = v.object({
	/** The newest record; 0 if there is none. */
	seq: v.pipe(v.number(), v.integer(), v.minValue(0)),
	/** Hash of the newest record, hex; '' if unknown. */
	hash: v.string(),
	/** Damage found in the journal; the next start verifies the whole journal before it is used. */
	damage: v.nullable(v.string()),
	/**
	 * Whether the journal's records are sealed. If so, a missing key file means that the key is lost.
	 */
	sealed: v.optional(v.boolean(), false),
});
export type Head = v.InferOutput<typeof Head>;

/**
 * The line always has this length and lies in one sector, so overwriting it needs no new disk space
 * and leaves either the old or the new line.
 */
const LINE_BYTES = 160;

const NONE: Head = { seq: 0, hash: '', damage: null, sealed: false };
/** An existing but unreadable head file still proves that there was a journal. */
const UNREADABLE: Head = { seq: 1, hash: '', damage: null, sealed: false };

export interface HeadFile {
	read(): Head;
	/**
	 * Writes number and hash of the newest record, after this record is on disk in the journal. If
	 * this fails, the head stays behind the journal, which only weakens the check.
	 */
	moved(seq: number, hash: string): void;
	/**
	 * Replaces the head file and syncs it. If the disk cannot be written, only the head in memory
	 * changes.
	 */
	replace(head: Head): void;
	close(): void;
}

/** @param file null: the head is kept in memory only */
export function openHead(file: string | null): HeadFile {
	const found = file === null ? '' : textOf(file);
	let known = headIn(found);
	let inPlace = found?.length === LINE_BYTES;
	let handle: number | null = null;

	function write(act: (file: string) => void): void {
		if (file === null) return;
		try {
			act(file);
		} catch {
			close();
		}
	}

	function replace(head: Head): void {
		known = head;
		close();
		const line = lineOf(head);
		write((file) => {
			replaceFile(file, line);
			inPlace = line.length === LINE_BYTES;
		});
	}

	function close(): void {
		if (handle !== null) closeSync(handle);
		handle = null;
	}

	return {
		read: () => known,
		moved(seq, hash) {
			known = { ...known, seq, hash };
			if (!inPlace || known.damage !== null) return replace(known);
			write((file) => {
				handle ??= openSync(file, 'r+');
				writeSync(handle, lineOf(known), 0);
			});
		},
		replace,
		close,
	};
}

const lineOf = (head: Head): string => `${JSON.stringify(head).padEnd(LINE_BYTES - 1)}\n`;

/** @returns '' if there is no file, null if it cannot be read */
function textOf(file: string): string | null {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : null;
	}
}

function headIn(text: string | null): Head {
	if (text === '') return NONE;
	try {
		return v.parse(Head, JSON.parse(text ?? ''));
	} catch {
		return UNREADABLE;
	}
}
