import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import { systemClock } from '../../../daemon/src/base/clock.ts';
import { openJournal } from '../../../daemon/src/journal/journal.ts';
import { ACCOUNT } from '../../../daemon/src/journal/payment.fixture.ts';
import { openStore } from '../../../daemon/src/journal/store.ts';
import { amount, type Figure, median, ms, ratioFigure } from './figures.ts';

const ROUNDS = amount(1_000, 300);

/**
 * @returns the figures, and the median time of one bare commit, ms. A bare commit inserts a row
 * into a table of a WAL database with FULL sync.
 */
export function journalCommit(): { figures: Figure[]; bareMs: number } {
	const directory = mkdtempSync(join(tmpdir(), 'bench-journal-'));
	const bare = openBare(directory);
	const journal = openJournal({ directory: join(directory, 'journal'), minFreeBytes: 0 }, systemClock, openStore);
	const payment = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/2026/11/0042', total: rupiah(137_500) };
	const bareTimes: number[] = [];
	const journalTimes: number[] = [];
	const written = { bare: 0, journal: 0 };
	for (let round = 0; round < ROUNDS; round += 1) {
		const intent = {
			kind: 'cash_intent',
			note_id: randomUUID(),
			payment,
			nominal: rupiah(50_000),
			code: '0x45',
			time: '2026-11-21T14:31:08+07:00',
		} as const;
		const body = JSON.stringify(intent);
		// Both commits are measured in turns, so that the state of the disk affects both.
		const begun = bytesWritten();
		bareTimes.push(bare.commit(body));
		const between = bytesWritten();
		journalTimes.push(timed(() => journal.append(intent)));
		journalTimes.push(timed(() => journal.append({ kind: 'cash_credit', note_id: intent.note_id, late: false })));
		written.bare += between - begun;
		written.journal += bytesWritten() - between;
	}
	journal.close();
	bare.close();
	rmSync(directory, { recursive: true });
	const bareMs = median(bareTimes);
	return {
		bareMs,
		figures: [
			ratioFigure({ name: 'journal commit (bare SQLite FULL commit)', measured: median(journalTimes), floor: bareMs, show: ms, goal: 1.1 }),
			// The time depends on disk and load; the bytes depend on the journal alone.
			ratioFigure({
				name: 'bytes written for a note',
				key: 'bytes_written_for_note',
				measured: written.journal / ROUNDS,
				floor: written.bare / ROUNDS,
				show: (bytes) => `${(bytes / 1_000).toFixed(1)} kB`,
				goal: 16,
			}),
		],
	};
}

/** @returns the bytes written to files by this thread so far */
const bytesWritten = (): number => Number(/^wchar: (\d+)/m.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1]);

/** Opens a bare WAL database with FULL sync; `commit` returns the time of one commit, ms. */
export function openBare(directory: string): { commit(body: string): number; close(): void } {
	const db = new DatabaseSync(join(directory, 'bare.sqlite'));
	db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
	const insert = db.prepare('INSERT INTO rows (body) VALUES (?)');
	return { commit: (body) => timed(() => insert.run(body)), close: () => db.close() };
}

function timed(act: () => unknown): number {
	const begin = performance.now();
	act();
	return performance.now() - begin;
}
