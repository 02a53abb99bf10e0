/** `make bench`: every figure beside its floor from the same run. Nothing here passes or fails a build: machines are noisy. */
import { table } from './figures.ts';
import { journalCommit } from './journal-commit.ts';
import { memory } from './memory.ts';
import { paint } from './paint.ts';
import { start } from './start.ts';

const commit = journalCommit();
const figures = [commit.figure, ...(await paint(commit.bareMs)), await start(), ...(await memory())];
process.stdout.write(`${table(figures)}\n`);
process.exit(0);
