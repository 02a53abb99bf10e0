/**
 * One measured figure and its floor: the same figure of a bare program, or of the daemon with
 * little data. Both come from the same run on the same computer.
 */
export interface Figure {
	name: string;
	measured: string;
	floor: string;
	/** measured / floor, or null if there is no floor. */
	ratio: number | null;
	goal: string;
	met: boolean;
	/**
	 * Name in committed.json. The short form fails if `ratio` is more than a quarter worse than the
	 * committed ratio.
	 */
	key?: string;
}

/**
 * The short form (`--short`) measures fewer times and with less data, so its figures are rough.
 * @returns the number of repetitions or the size of the data
 */
export const amount = (full: number, short: number): number => (process.argv.includes('--short') ? short : full);

/** @returns the median; the list must not be empty */
export function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}

/** @returns the quantile for a share such as 0.95; the list must not be empty */
export function quantile(values: readonly number[], share: number): number {
	const found = [...values].sort((a, b) => a - b)[Math.floor(values.length * share)];
	if (found === undefined) throw new Error('nothing was measured');
	return found;
}

/**
 * @returns the lowest value. Other load on the computer only adds time, so the lowest of many
 * values varies least.
 */
export const least = (values: readonly number[]): number => Math.min(...values);

export const ms = (value: number): string => `${value.toFixed(2)} ms`;
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** @param goal the largest ratio that meets the goal */
export function ratioFigure(of: {
	name: string;
	measured: number;
	floor: number;
	show: (value: number) => string;
	goal: number;
	key?: string;
}): Figure {
	const ratio = of.measured / of.floor;
	return {
		name: of.name,
		measured: of.show(of.measured),
		floor: of.show(of.floor),
		ratio,
		goal: `<= ${of.goal}x`,
		met: ratio <= of.goal,
		...(of.key === undefined ? {} : { key: of.key }),
	};
}

export function table(figures: readonly Figure[]): string {
	const rows = figures.map((figure) => [
		figure.name,
		figure.measured,
		figure.floor,
		figure.ratio === null ? '' : `${figure.ratio.toFixed(2)}x`,
		figure.goal,
		figure.met ? 'met' : 'MISSED',
	]);
	const all = [['figure', 'measured', 'floor', 'ratio', 'goal', ''], ...rows];
	const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
	return all
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
