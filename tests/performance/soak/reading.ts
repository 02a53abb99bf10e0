import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Resource usage of a process at one moment, after garbage collection. */
export interface Reading {
	/** Heap used by objects, bytes. */
	heapBytes: number;
	/** Buffers outside of the heap, bytes. */
	externalBytes: number;
	/** Resident memory, bytes. */
	rssBytes: number;
	/** Open file descriptors. */
	openFiles: number;
	/** Timers, sockets and requests that keep the process alive. */
	handles: number;
	/** SQL statements prepared since the start. */
	prepared: number;
}

let prepared = 0;
const prepare = DatabaseSync.prototype.prepare;

/** Counts the statements that this process prepares from now on. */
export function countStatements(): void {
	DatabaseSync.prototype.prepare = function count(this: DatabaseSync, ...words: Parameters<typeof prepare>) {
		prepared += 1;
		return prepare.apply(this, words);
	};
}

/** @returns this process's resource usage after garbage collection; needs --expose-gc */
export function ownReading(): Reading {
	globalThis.gc?.();
	globalThis.gc?.();
	const { heapUsed, rss, external } = process.memoryUsage();
	return {
		heapBytes: heapUsed,
		externalBytes: external,
		rssBytes: rss,
		openFiles: readdirSync('/proc/self/fd').length,
		handles: process.getActiveResourcesInfo().length,
		prepared,
	};
}

/** A reading and the number of journeys so far. */
export type Sample = Reading & { journeys: number };

/** Growth within these limits still counts as flat. */
interface Limit {
	/** Growth for every 1,000 journeys. */
	perThousand: number;
	/**
	 * Total growth that counts as noise. After few journeys this limit is larger than the limit from
	 * `perThousand`.
	 */
	breath: number;
}

/**
 * In 1,000 journeys, a leak of 1 kB per journey adds 1,024,000 bytes of heap; a leak of one file,
 * timer or statement per journey adds 1,000. Resident memory shows growth outside heap and buffers,
 * too. It grows in steps of the allocator, so its limit is wider.
 */
const LIMITS = {
	heapBytes: { perThousand: 512_000, breath: 48_000 },
	externalBytes: { perThousand: 512_000, breath: 64_000 },
	rssBytes: { perThousand: 8_000_000, breath: 6_000_000 },
	openFiles: { perThousand: 20, breath: 4 },
	handles: { perThousand: 20, breath: 10 },
	prepared: { perThousand: 20, breath: 12 },
} satisfies Record<keyof Reading, Limit>;

export interface Slope {
	measure: keyof Reading;
	/** Growth for every 1,000 journeys. */
	perThousand: number;
	limit: number;
	flat: boolean;
}

/**
 * @param samples in order; the first half is warm-up (code is compiled, caches fill) and does not
 * count
 * @returns for every measure its growth in the second half: the smaller of the least-squares slopes
 * of that half's two parts. A leak grows in both parts; the allocator grows by megabytes, but in
 * only one part.
 */
export function slopes(samples: readonly Sample[]): Slope[] {
	const counted = samples.slice(Math.floor(samples.length / 2));
	const [first, last] = [counted[0], counted.at(-1)];
	if (!first || !last || counted.length < 3) throw new Error(`${samples.length} samples are too few for a trend`);
	const middle = Math.floor(counted.length / 2);
	return Object.entries(LIMITS).map(([name, { perThousand: limit, breath }]) => {
		const measure = name as keyof Reading;
		const [early, late] = [counted.slice(0, middle + 1), counted.slice(middle)].map((part) =>
			slope(part.map((sample) => [sample.journeys, sample[measure]])),
		) as [number, number];
		const each = Math.min(early, late);
		const grown = each * (last.journeys - first.journeys);
		return {
			measure,
			perThousand: 1_000 * each,
			limit,
			flat: grown <= Math.max(breath, (limit / 1_000) * (last.journeys - first.journeys)),
		};
	});
}

function slope(points: readonly (readonly [number, number])[]): number {
	const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length;
	const [x, y] = [mean(0), mean(1)];
	const along = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
	return points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / along;
}
