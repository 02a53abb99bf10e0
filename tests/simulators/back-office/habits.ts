import { type Random, randomFrom } from '../../support/random.ts';
import { jakartaIso } from './time.ts';

const SHORTEST_MS = 50;
const LONGEST_MS = 800;

/**
 * This server's notation of values: every variant is allowed by the specification, and the seed
 * chooses.
 */
export class Habits {
	readonly #random: Random;

	constructor(seed: number) {
		this.#random = randomFrom(seed);
	}

	pick<T>(of: readonly [T, ...T[]]): T {
		return this.#random.pick(of);
	}

	/** @returns the delay of the next answer, ms: mostly short */
	delayMs(): number {
		return SHORTEST_MS + this.#random.int(0, LONGEST_MS - SHORTEST_MS - 1) * this.#random.next();
	}

	/** Rupiah as a number, as a decimal text, or as a text. */
	amount(rupiah: number): number | string {
		return this.pick<number | string>([rupiah, `${rupiah}.00`, String(rupiah)]);
	}

	flag(value: boolean): boolean | number {
		return this.pick<boolean | number>([value, value ? 1 : 0]);
	}

	/** Additional, unknown fields. */
	extra(): Record<string, unknown> {
		return this.pick<Record<string, unknown>>([
			{},
			{ versi: '4.2', status: null },
			{ meta: { jejak: [1, 'dua', null, { tiga: 3 }] }, '': 0 },
			{ type: 7, text: null, data: [], error: null },
		]);
	}

	/** A refusal with its message in one of the two fields. */
	refusal(sentence: string): Record<string, unknown> {
		return this.pick<Record<string, unknown>>([{ message: sentence }, { detail: sentence }, { detail: sentence, message: null, kode: 17 }]);
	}

	/** JSON as it is or, as from a database column, inside a string. */
	column(value: object): object | string {
		return this.pick<object | string>([value, JSON.stringify(value)]);
	}

	/** A time with its offset, or as local time of the dealership. */
	moment(at: Date): string {
		const local = jakartaIso(at);
		return this.pick([local.slice(0, 19).replace('T', ' '), at.toISOString(), local]);
	}
}
