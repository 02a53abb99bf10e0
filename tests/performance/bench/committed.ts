import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figures.ts';

/** A ratio may be this many times the committed ratio; noise changes a ratio by less. */
const TOLERATED = 1.25;

/**
 * Ratios of the committed code, by the key of the figure. Only figures that hardly depend on other
 * load are listed: counts, processor times, and times measured in turns with their floor.
 */
const committed: Record<string, number> = JSON.parse(readFileSync(join(import.meta.dirname, 'committed.json'), 'utf8'));

/**
 * @returns the tolerated ratio divided by the measured ratio; below 1 the figure is worse than
 * tolerated. Infinity if the committed or the measured ratio is missing
 */
export function margin({ key, ratio }: Figure): number {
	const value = key === undefined ? undefined : committed[key];
	return value === undefined || ratio === null ? Number.POSITIVE_INFINITY : (value * TOLERATED) / ratio;
}

/**
 * Measures a part, and again as long as one of its figures is worse than tolerated, at most `tries`
 * times. The reason is that noise only makes figures worse.
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
