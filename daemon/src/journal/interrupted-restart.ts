import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hex } from './file-identity.ts';
import type { Head } from './head-file.ts';
import { SET_ASIDE } from './set-aside.ts';
import { readStore } from './store.ts';

/** @returns the file to which a restart moves the key of the journal in this folder */
export const setAsideKey = (keyFile: string, folder: string): string => `${keyFile}.${basename(folder)}`;

/**
 * Finds the old journal if a power cut or a full disk interrupted its replacement: it is in its
 * folder already, and the head still names its newest record. Without this, the next restart would
 * take the empty or half-made new journal for the old one.
 * @param directory whose own journal lacks the newest record
 * @returns the folder, or null
 */
export function findInterrupted(directory: string, { seq, hash }: Pick<Head, 'seq' | 'hash'>): string | null {
	if (seq === 0 || hash === '' || !existsSync(directory)) return null;
	const folders = readdirSync(directory).filter((name) => name.startsWith(SET_ASIDE));
	return folders.map((name) => join(directory, name)).find((folder) => hashIn(folder, seq) === hash) ?? null;
}

function hashIn(folder: string, seq: number): string | null {
	const opened = readStore(folder);
	if (!opened.ok) return null;
	try {
		return hex(opened.value.rows('SELECT hash FROM records WHERE seq = ?', seq)[0]?.hash);
	} catch {
		// This page is damaged; another folder may still hold the journal.
		return null;
	} finally {
		opened.value.close();
	}
}

/** @returns the file with the key of the old journal in `folder`; the restart may have moved it already */
export function keyOfInterrupted(keyFile: string | undefined, folder: string): string | undefined {
	if (keyFile === undefined) return undefined;
	const moved = setAsideKey(keyFile, folder);
	return existsSync(moved) ? moved : keyFile;
}
