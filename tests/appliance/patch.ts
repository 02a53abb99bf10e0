/**
 * Compares how browsers on two computers draw a button, by the mean colours of the button's parts.
 */

const COLUMNS = 8;
const ROWS = 3;
/**
 * Greatest difference of a mean colour between two pictures of the same button, in which times or
 * numbers may differ. Another button or an empty place differs by more.
 */
const LIKE = 16;

/** Distances from the left and the top, each from 0 to 1. */
export interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/**
 * @param at gives the colour at x and y (0 to 1) as 0xRRGGBB
 * @returns mean red, green and blue of each part, from 0 to 255
 */
export function patchOf(at: (x: number, y: number) => number, { left, top, right, bottom }: Box): number[] {
	const steps = 12;
	const means: number[] = [];
	for (let part = 0; part < COLUMNS * ROWS; part += 1) {
		const sums = [0, 0, 0];
		for (let step = 0; step < steps * steps; step += 1) {
			const x = (part % COLUMNS) + ((step % steps) + 0.5) / steps;
			const y = Math.floor(part / COLUMNS) + (Math.floor(step / steps) + 0.5) / steps;
			const colour = at(left + ((right - left) * x) / COLUMNS, top + ((bottom - top) * y) / ROWS);
			for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + ((colour >> (16 - 8 * channel)) & 0xff);
		}
		means.push(...sums.map((sum) => Math.round(sum / steps ** 2)));
	}
	return means;
}

/** @returns whether two patches show the same button */
export const alike = (one: readonly number[], other: readonly number[]): boolean =>
	one.every((value, index) => Math.abs(value - (other[index] ?? 0)) <= LIKE);
