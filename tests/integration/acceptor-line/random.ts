/** A seeded random generator (mulberry32), so that a failing run can be repeated. */
export class Chance {
	#state: number;

	constructor(seed: number) {
		this.#state = seed;
	}

	/** @returns a number from 0 up to but not including 1 */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** @returns a whole number from 0 up to but not including `limit` */
	below(limit: number): number {
		return Math.floor(this.next() * limit);
	}

	pick<T>(of: readonly [T, ...T[]]): T {
		return of[this.below(of.length)] ?? of[0];
	}

	/** @returns up to `most` bytes of `from` */
	bytes(from: readonly [number, ...number[]], most: number): number[] {
		return Array.from({ length: this.below(most + 1) }, () => this.pick(from));
	}
}
