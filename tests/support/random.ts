/** Random numbers for tests. They depend only on a seed: a failing run can be repeated. */
export interface Random {
	/** @returns a number from 0 (inclusive) to 1 (exclusive) */
	next(): number;
	/** @returns a whole number from `least` to `most`, both included */
	int(least: number, most: number): number;
	/** @returns true with this probability */
	chance(probability: number): boolean;
	pick<T>(of: readonly T[]): T;
	/** @returns at most `most` bytes, each taken from `from` */
	bytes(from: readonly number[], most: number): number[];
	/** @returns a UUID in the format of version 4 */
	uuid(): string;
}

/** @param seed a whole number, from which SplitMix32 computes the sequence */
export function randomFrom(seed: number): Random {
	let state = seed >>> 0;
	const word = (): number => {
		state = (state + 0x9e3779b9) >>> 0;
		let mixed = state;
		mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
		mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
		return (mixed ^ (mixed >>> 15)) >>> 0;
	};
	const next = (): number => word() / 0x1_0000_0000;
	const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
	const pick = <T>(of: readonly T[]): T => {
		const [first] = of;
		if (first === undefined) throw new Error('nothing to pick from');
		return of[int(0, of.length - 1)] ?? first;
	};
	const hex = (digits: number): string => Array.from({ length: digits }, () => int(0, 15).toString(16)).join('');
	return {
		next,
		int,
		chance: (probability) => next() < probability,
		pick,
		bytes: (from, most) => Array.from({ length: int(0, most) }, () => pick(from)),
		uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
	};
}
