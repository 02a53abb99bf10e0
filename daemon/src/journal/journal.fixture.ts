import { afterEach, beforeEach } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { type Journal, openJournal } from './journal.ts';
import { openStore } from './store.ts';

/** The folder and the journal of the running test. */
export let directory: string;
export let journal: Journal;

let wallOf: () => Date;

/** Opens an empty journal before each test of a file and closes it afterwards. @param wall the journal's wall clock */
export function journalOfEachTest(wall: () => Date = systemClock.wall): void {
	beforeEach(() => {
		wallOf = wall;
		directory = temporaryFolder('journal');
		openAgain();
	});
	afterEach(() => journal.close());
}

/** Opens the same files with a new journal. */
export function openAgain(minFreeBytes = 0): void {
	journal = openJournal({ directory, minFreeBytes }, { ...systemClock, wall: () => wallOf() }, openStore);
}
