import { readStore } from './store.ts';

const FOLD = 'SELECT why FROM acceptor_lock WHERE locked = 1';
/** The newest lock record. `+kind` keeps SQLite from using the index, which may lack a record. */
const RECORD = `SELECT body ->> 'locked' AS locked, body ->> 'why' AS why FROM records WHERE +kind = 'acceptor_lock' ORDER BY seq DESC LIMIT 1`;
const NEWEST = 'SELECT coalesce(max(seq), 0) AS seq FROM records';

/**
 * Reads the acceptor lock in a retired journal. The acceptor is unlocked only if the old journal is
 * complete, and both its table and its newest lock record show no lock. If in doubt, the acceptor
 * stays locked, because an unnecessary inspection costs only minutes.
 * @param folder the retired journal's folder
 * @param newest number of the newest record that was written to it
 * @returns why the acceptor stays locked; null: it was not locked
 */
export function readLockLeft(folder: string, newest: number): string | null {
	const opened = readStore(folder);
	if (!opened.ok) return UNREADABLE;
	try {
		const { rows } = opened.value;
		const record = rows(RECORD)[0];
		const locked = rows(FOLD)[0] ?? (record?.locked === 1 ? record : undefined);
		if (locked !== undefined) return String(locked.why);
		return Number(rows(NEWEST)[0]?.seq) < newest ? INCOMPLETE : null;
	} catch {
		return UNREADABLE;
	} finally {
		opened.value.close();
	}
}

const UNREADABLE = 'the old journal cannot be read, so it may have been locked';
const INCOMPLETE = 'the old journal lacks its newest records, so it may have been locked';
