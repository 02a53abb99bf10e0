/** Damage to a kiosk's journal file, and another folder for the daemon's state. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Makes a state folder beside the journal's folder; the daemon keeps e.g. the journal's head file
 * in it.
 * @returns the environment that makes the daemon use this folder
 */
export function stateBeside(directory: string): Record<string, string> {
	const state = join(directory, 'state');
	mkdirSync(state);
	return { STATE_DIRECTORY: state };
}

/**
 * Changes the records of credited notes without their hashes, so that the hashes no longer match.
 */
export function changeRecord(journal: string): void {
	const db = new DatabaseSync(join(journal, 'journal.sqlite'));
	db.exec(`UPDATE records SET at = at + 1 WHERE kind = 'cash_credit'`);
	db.close();
}
