/**
 * Opens journals with the code of this source tree and prints a line of JSON for each. A test runs
 * this file in the source tree of an earlier release: `node
 * tests/integration/releases/open-journals.ts FOLDER…`
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../../daemon/src/journal/journal.ts';
import { openStore } from '../../../daemon/src/journal/store.ts';

/** Result of opening one journal. */
export interface Opened {
	folder: string;
	/** null: the journal is open, verified and writable. */
	trouble: { code: string; message: string } | null;
	/** Number of listed payments. */
	payments: number;
}

/**
 * @returns the folder with the journal's head: `state` beside the journal folder, or the journal
 * folder, or else `folder`
 */
const stateOf = (folder: string): string =>
	[join(folder, 'state'), join(folder, 'journal')].find((one) => existsSync(join(one, 'journal.head'))) ?? folder;

const clock = { now: () => performance.now(), wall: () => new Date(), after: () => () => {} };

for (const folder of process.argv.slice(2)) {
	const state = stateOf(folder);
	const journal = openJournal(
		{
			directory: join(folder, 'journal'),
			minFreeBytes: 0,
			headFile: join(state, 'journal.head'),
			keyFile: join(state, 'journal.key'),
		},
		clock,
		openStore,
	);
	// Runs enough batches to verify all records and then all items that wait for the back office.
	for (let batch = 0; batch < 1_000 && journal.trouble() === null; batch += 1) journal.patrol();
	const opened: Opened = { folder, trouble: journal.trouble(), payments: journal.recentPayments(1_000).length };
	process.stdout.write(`${JSON.stringify(opened)}\n`);
	journal.close();
}
