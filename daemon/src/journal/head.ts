/**
 * How far the journal was when it was written last, in a file of its own. SQLite takes a journal that is gone or empty for a new
 * one and yesterday's copy for today's; this says otherwise. It is written after each commit and never synced by itself, so a power
 * cut leaves it behind the journal and never ahead of it: no honest cut can lock a kiosk.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import * as v from 'valibot';
import { replaceFile } from '../replace-file.ts';

const Head = v.object({
	/** The newest record; 0: there is none yet. */
	seq: v.pipe(v.number(), v.integer(), v.minValue(0)),
	/** Its hash, hex; '' where it is not known. */
	hash: v.string(),
	/** What was found wrong with the file itself; the next start looks at all of it before it believes it again. */
	damage: v.nullable(v.string()),
	/** Whether its records are sealed, so that a key that is lost is missed. */
	sealed: v.optional(v.boolean(), false),
});
export type Head = v.InferOutput<typeof Head>;

/** The line always has this length, within one sector, so that writing over it needs no space and tears nothing. */
const LINE_BYTES = 160;

const NONE: Head = { seq: 0, hash: '', damage: null, sealed: false };
/** A file of this name says that there was a journal, whatever else it says. */
const UNREADABLE: Head = { seq: 1, hash: '', damage: null, sealed: false };

export interface HeadFile {
	read(): Head;
	/** A record is on disk. A head that cannot be written stays behind, which is no error: it only sees less. */
	moved(seq: number, hash: string): void;
	/** Synced when it returns, where the disk can be written. */
	replace(head: Head): void;
	close(): void;
}

/** @param file null: it is only remembered, until the process ends */
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

/** @returns '' where there is no file, null where it cannot be read */
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
