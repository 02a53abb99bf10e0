/**
 * `make bench`: every figure beside its floor from the same run. No result fails a build, since
 * machines are noisy.
 */
import { table } from './figures.ts';
import { journalCommit } from './journal-commit.ts';
import { journalHistory } from './journal-history.ts';
import { waitingNotes } from './many-waiting-notes.ts';
import { memory } from './memory.ts';
import { paint } from './paint.ts';
import { screenSpeed } from './screen-speed.ts';
import { scriptBytes } from './script-bytes.ts';
import { start } from './start.ts';

const commit = journalCommit();
const script = await scriptBytes();
const figures = [
	commit.figure,
	...journalHistory(),
	await paint(commit.bareMs),
	...(await screenSpeed()),
	script.figure,
	await start(),
	...(await waitingNotes()),
	...(await memory()),
];
process.stdout.write(`${table(figures)}\n\nScript of the first load, gzip:\n${script.list}\n`);
process.exit(0);
