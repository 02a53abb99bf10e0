import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figures.ts';

/** Larger than the noise of these figures, smaller than the loss of a feature. */
const TOLERATED = 1.25;

/**
 * Figures of the committed state by their key. It has only figures that hardly depend on other
 * load: counts, processor times, and times measured in turns with their floor.
 */
const committed: Record<string, number> = JSON.parse(readFileSync(join(import.meta.dirname, 'committed.json'), 'utf8'));

/**
 * @returns how many times larger than its committed value a figure may still become; less than 1
 * means worse
 */
export function margin({ key, ratio }: Figure): number {
	const value = key === undefined ? undefined : committed[key];
	return value === undefined || ratio === null ? Number.POSITIVE_INFINITY : (value * TOLERATED) / ratio;
}

/**
 * Measures a part again while one of its figures is worse than committed, because noise only makes
 * figures worse.
 * @returns the best result of each figure
 */
export async function measured(part: () => Promise<Figure[]> | Figure[], tries: number): Promise<Figure[]> {
	let best = await part();
	for (let again = 1; again < tries && best.some((figure) => margin(figure) < 1); again += 1) {
		const next = await part();
		best = best.map((figure, index) => {
			const other = next[index];
			return other !== undefined && margin(other) > margin(figure) ? other : figure;
		});
	}
	return best;
}
