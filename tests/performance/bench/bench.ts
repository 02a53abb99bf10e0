/**
 * `make bench`: prints performance figures, each beside a floor: the value that a bare program
 * reaches in the same run. `make bench` never fails, because measurements are noisy. `make
 * bench-short` fails if a figure is more than a quarter worse than in committed.json.
 */
import { margin, measured } from './committed.ts';
import { decision } from './decision.ts';
import { amount, type Figure, table } from './figures.ts';
import { journalCommit } from './journal-commit.ts';
import { journalHistory } from './journal-history.ts';
import { waitingNotes } from './many-waiting-notes.ts';
import { memory } from './memory.ts';
import { paint } from './paint.ts';
import { screenSpeed } from './screen-speed.ts';
import { scriptBytes } from './script-bytes.ts';
import { start } from './start.ts';

const TRIES = amount(1, 3);

const { bareMs } = journalCommit();
const script = await scriptBytes();
const parts: (() => Promise<Figure[]> | Figure[])[] = [
	() => journalCommit().figures,
	journalHistory,
	async () => [await decision()],
	() => paint(bareMs),
	screenSpeed,
	() => [script.figure],
	start,
	waitingNotes,
	memory,
];
const figures: Figure[] = [];
for (const part of parts) figures.push(...(await measured(part, TRIES)));
process.stdout.write(`${table(figures)}\n\nScript of the first load, gzip:\n${script.list}\n`);

const worse = figures.filter((figure) => margin(figure) < 1);
for (const { name } of worse) process.stdout.write(`WORSE than committed: ${name.trim()}\n`);
process.exit(worse.length > 0 && process.argv.includes('--short') ? 1 : 0);
