/** Changes a kiosk's journal file and the place of its state. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Makes a folder for the state, including the head file, beside the journal's folder.
 * @returns the environment that makes the daemon use this folder
 */
export function stateBeside(directory: string): Record<string, string> {
	const state = join(directory, 'state');
	mkdirSync(state);
	return { STATE_DIRECTORY: state };
}

/** Changes the records of credited notes in the file, so that they no longer match their hashes. */
export function changeRecord(journal: string): void {
	const db = new DatabaseSync(join(journal, 'journal.sqlite'));
	db.exec(`UPDATE records SET at = at + 1 WHERE kind = 'cash_credit'`);
	db.close();
}
