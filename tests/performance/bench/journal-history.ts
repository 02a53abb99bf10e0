import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../daemon/src/base/clock.ts';
import { openJournal } from '../../../daemon/src/journal/journal.ts';
import { openStore } from '../../../daemon/src/journal/store.ts';
import { writeHistory } from '../soak/history.ts';
import { amount, type Figure, median, ms, ratioFigure } from './figures.ts';

const FEW = 1_000;
/** Number of records in ten years of a busy workshop. */
const MANY = amount(1_000_000, 20_000);
const ROUNDS = amount(9, 3);
/**
 * A folder on tmpfs, where syncs cost nothing; on a disk, writing the history would take an hour.
 * Both journals are read from memory.
 */
const IN_MEMORY = '/dev/shm';

/**
 * Compares time and bytes read of two openings: of a journal with a million records and of one with
 * a thousand.
 */
export function journalHistory(): Figure[] {
	const directory = mkdtempSync(join(IN_MEMORY, 'bench-history-'));
	try {
		for (const records of [FEW, MANY]) {
			const opened = openStore(join(directory, String(records)));
			if (!opened.ok) throw new Error(opened.error.message);
			writeHistory(opened.value, records);
			opened.value.close();
		}
		const times = { few: [] as number[], many: [] as number[] };
		const bytes = { few: 0, many: 0 };
		for (let round = 0; round < ROUNDS; round += 1) {
			// Both journals are opened in turns, so that other load affects both.
			for (const [name, records] of [['few', FEW] as const, ['many', MANY] as const]) {
				const [read, begin] = [bytesRead(), performance.now()];
				openJournal({ directory: join(directory, String(records)), minFreeBytes: 0 }, systemClock, openStore).close();
				times[name].push(performance.now() - begin);
				bytes[name] = bytesRead() - read;
			}
		}
		return [
			ratioFigure({
				name: `opening a journal of ${MANY} records (of ${FEW})`,
				measured: median(times.many),
				floor: median(times.few),
				show: ms,
				goal: 1.2,
			}),
			ratioFigure({
				key: 'bytes_read_while_opening',
				name: 'bytes read while opening',
				measured: bytes.many,
				floor: bytes.few,
				show: (value) => `${(value / 1024).toFixed(0)} kB`,
				goal: 1.2,
			}),
		];
	} finally {
		rmSync(directory, { recursive: true });
	}
}

/** @returns the bytes read from files by this thread so far, from disk or page cache */
const bytesRead = (): number => Number(/^rchar: (\d+)/.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1]);
