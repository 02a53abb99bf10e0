import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from '../base/replace-file.ts';

/**
 * Number of printouts that are kept: enough for some weeks. An older printout counts as not shown.
 */
const MOST_PAPERS = 1_000;
const Stored = v.object({
	/**
	 * Sorted by the time of the last check, the newest last. `hash`: hash of the printout's record,
	 * or the record's number in the previous journal. `last`: ISO 8601.
	 */
	papers: v.array(v.object({ hash: v.string(), times: v.number(), last: v.string() })),
});
type Shown = v.InferOutput<typeof Stored>['papers'][number];

/**
 * The printouts that staff have checked on the screen. This is no record of money, so it is not in
 * the journal. If the file is lost, every printout counts as not shown, but the journal still
 * records the money that was given for it.
 */
export interface SlipLooks {
	/** @returns the earlier checks of this printout, or null */
	of(hash: string): Pick<Shown, 'times' | 'last'> | null;
	/** Counts a check. @param time ISO 8601 */
	add(hash: string, time: string): void;
}

/** @param directory the daemon's state directory */
export function openSlipLooks(directory: string): SlipLooks {
	const file = join(directory, 'slip-looks.json');
	const papers = new Map(load(file).map((paper) => [paper.hash, paper]));
	return {
		of(hash) {
			const found = papers.get(hash);
			return found ? { times: found.times, last: found.last } : null;
		},
		add(hash, last) {
			const times = (papers.get(hash)?.times ?? 0) + 1;
			papers.delete(hash);
			papers.set(hash, { hash, times, last });
			const [oldest] = papers.keys();
			if (papers.size > MOST_PAPERS && oldest !== undefined) papers.delete(oldest);
			try {
				mkdirSync(directory, { recursive: true, mode: 0o700 });
				replaceFile(file, JSON.stringify({ papers: [...papers.values()] }));
			} catch {
				// If the write fails, the check is kept only in memory: the answer for staff must not
				// depend on the disk.
			}
		},
	};
}

function load(file: string): Shown[] {
	try {
		return v.parse(Stored, JSON.parse(readFileSync(file, 'utf8'))).papers;
	} catch {
		return [];
	}
}
