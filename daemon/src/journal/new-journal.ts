import type { Clock } from '../base/clock.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { FileIdentity } from './file-identity.ts';
import type { HeadFile } from './head-file.ts';
import { findInterrupted } from './interrupted-restart.ts';
import { readLockLeft } from './lock-left.ts';
import type { ProvedNames } from './proved-names.ts';
import type { JournalRecord } from './records.ts';
import type { Seal } from './seal.ts';
import type { Sealing } from './sealing.ts';
import { SET_ASIDE, setAside } from './set-aside.ts';
import type { Store, StoreError } from './store.ts';
import type { JournalError } from './trouble.ts';

/** A decision of staff to accept a journal whose key is lost. */
export interface Reseal {
	by: string;
	why: string;
	/** Now, ISO 8601. */
	time: string;
}

/** A decision of staff to replace an unusable journal by a new one. */
export interface Restart extends Reseal {
	/** A fresh UUID. */
	restart_id: string;
}

/** The journal that was set aside. */
export interface SetAside {
	folder: string;
	/** Number of the newest record written to it, even if the file has lost it; 0: unknown. */
	newest: number;
	/** Why the acceptor stays locked in the new journal; null: it is not locked. */
	lock: string | null;
}

/** @returns the record that takes over the staff names of the old journal */
const carriedOver = (
	{ restart_id, by, time }: Restart,
	{ people, seq, hash }: NonNullable<ProvedNames['list']>,
	is_last: boolean,
): JournalRecord => ({
	kind: 'staff_names_changed',
	change_id: restart_id,
	action: 'carry_over',
	staff_name: null,
	by,
	people,
	time,
	before: { seq, hash, is_last },
});

const unusable = (message: string) => fail({ code: 'journal_unhealthy', message } as const);

/**
 * Sets the closed journal aside and writes the first records of a new journal. The first record
 * names the old journal and the decision; the names of staff and the lock of the acceptor follow.
 * @param old the known facts of the old journal. `lock`: why the acceptor is locked now, even if no
 * record says so. `found`: the fault of the journal
 * @throws an error of the file system
 */
export function beginNewJournal(
	files: {
		directory: string;
		head: HeadFile;
		own: FileIdentity;
		keys: Sealing;
		clock: Clock;
		open: (directory: string, thorough: boolean, seal: Seal | null) => Result<Store, StoreError>;
	},
	decision: Restart,
	old: { names: ProvedNames; lock: string | null; found: string },
): Result<SetAside, JournalError> {
	const { directory, head, own, keys, clock } = files;
	const { list, isLast } = old.names;
	const { seq, hash } = head.read();
	const name = `${SET_ASIDE}${decision.time.replace(/[^0-9T]/g, '').slice(0, 15)}`;
	const earlier = own.missing() === null ? null : findInterrupted(directory, { seq, hash });
	const aside = setAside(directory, name);
	const folder = earlier ?? aside;
	const seal = keys.begin(folder, aside);
	if (!seal.ok) return unusable(seal.error.message);
	const opened = files.open(directory, false, seal.value);
	if (!opened.ok) return unusable(opened.error.message);
	const store = opened.value;
	const lock = old.lock ?? readLockLeft(folder, seq);
	try {
		const before = { seq, hash, folder, found: old.found };
		const begins: JournalRecord[] = [
			{ kind: 'journal_restarted', ...decision, before },
			...(list ? [carriedOver(decision, list, isLast)] : []),
			...(lock === null ? [] : [{ kind: 'acceptor_lock', lock_id: decision.restart_id, locked: true, why: lock } as const]),
		];
		for (const record of begins) {
			const written = store.append(record, clock.wall());
			if (!written.ok) return unusable(`${written.error.message} (the old journal is in ${folder})`);
		}
	} finally {
		store.close();
	}
	const newest = own.newest();
	if (!newest.ok) return unusable(newest.error.message);
	// Until this write the head names a record that the new journal lacks, so a start before the
	// write would report a missing journal.
	head.replace({ seq: newest.value.seq, hash: newest.value.hash, damage: null, sealed: seal.value !== null });
	return ok({ folder, newest: seq, lock });
}
