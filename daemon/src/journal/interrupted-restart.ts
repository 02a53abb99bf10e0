import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hex } from './file-identity.ts';
import type { Head } from './head-file.ts';
import { leftOpenFile } from './open-items-export.ts';
import { SET_ASIDE } from './set-aside.ts';
import { JOURNAL_FILE, readStore } from './store.ts';

/** @returns the file to which a restart moves the key of the journal in this folder */
export const setAsideKey = (keyFile: string, folder: string): string => `${keyFile}.${basename(folder)}`;

/**
 * Finds the old journal if a power cut or a full disk interrupted its replacement. The old journal
 * is then already set aside, and the head file still names its newest record. Without this search,
 * the next restart would take the empty or half-made new journal for the old one. If the old
 * journal had lost its newest record, no journal has that record. The old journal is then the
 * newest set-aside journal without saved open items, because a restart saves them only when the new
 * journal is complete.
 * @param directory the journal's folder; the journal in it is missing or lacks the newest record
 * @returns the folder of the old journal; null if it is still in `directory`, or is not found
 */
export function findInterrupted(directory: string, head: Pick<Head, 'seq' | 'hash'>): string | null {
	if (head.seq === 0 || !existsSync(directory)) return null;
	const names = readdirSync(directory).filter((name) => name.startsWith(SET_ASIDE));
	const folders = names
		.sort()
		.reverse()
		.map((name) => join(directory, name));
	const whole = folders.find((folder) => hasRecord(folder, head));
	if (whole !== undefined) return whole;
	const isOld = (folder: string): boolean => hasJournal(folder) && !isHalfMade(folder, head);
	return isOld(directory) ? null : (folders.find((folder) => isOld(folder) && !existsSync(leftOpenFile(folder))) ?? null);
}

const hasJournal = (folder: string): boolean => existsSync(join(folder, JOURNAL_FILE));

const FIRST = `SELECT kind, body ->> '$.before.seq' AS seq, body ->> '$.before.hash' AS hash FROM records ORDER BY seq LIMIT 1`;

/**
 * @returns whether this is the new journal of an interrupted restart: it has no records, or its
 * first record names the record in the head as the newest of the old journal
 */
function isHalfMade(folder: string, head: Pick<Head, 'seq' | 'hash'>): boolean {
	const opened = readStore(folder);
	if (!opened.ok) return opened.error.message.includes('no such table');
	try {
		const [first] = opened.value.rows(FIRST);
		return first === undefined || (first.kind === 'journal_restarted' && first.seq === head.seq && first.hash === head.hash);
	} catch {
		return false;
	} finally {
		opened.value.close();
	}
}

function hasRecord(folder: string, { seq, hash }: Pick<Head, 'seq' | 'hash'>): boolean {
	const opened = readStore(folder);
	if (!opened.ok) return false;
	try {
		const [found] = opened.value.rows('SELECT hash FROM records WHERE seq = ?', seq);
		return found !== undefined && hash !== '' && hex(found.hash) === hash;
	} catch {
		return false;
	} finally {
		opened.value.close();
	}
}

/**
 * @returns the file with the key of the old journal in `folder`; the interrupted restart may have
 * moved this file already
 */
export function keyOfInterrupted(keyFile: string | undefined, folder: string): string | undefined {
	if (keyFile === undefined) return undefined;
	const moved = setAsideKey(keyFile, folder);
	return existsSync(moved) ? moved : keyFile;
}
