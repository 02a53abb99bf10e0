import { type Random, randomFrom } from '../../support/random.ts';
import { jakartaIso } from './time.ts';

const SHORTEST_MS = 50;
const LONGEST_MS = 800;

/** Chooses by the seed how this server writes values. The specification allows every variant. */
export class Habits {
	readonly #random: Random;

	constructor(seed: number) {
		this.#random = randomFrom(seed);
	}

	pick<T>(of: readonly [T, ...T[]]): T {
		return this.#random.pick(of);
	}

	/** @returns the delay of the next answer, usually short, ms */
	delayMs(): number {
		return SHORTEST_MS + this.#random.int(0, LONGEST_MS - SHORTEST_MS - 1) * this.#random.next();
	}

	/** Writes rupiah as a number, a decimal text, or a whole number as text. */
	amount(rupiah: number): number | string {
		return this.pick<number | string>([rupiah, `${rupiah}.00`, String(rupiah)]);
	}

	flag(value: boolean): boolean | number {
		return this.pick<boolean | number>([value, value ? 1 : 0]);
	}

	/** @returns additional fields that the contract does not define */
	extra(): Record<string, unknown> {
		return this.pick<Record<string, unknown>>([
			{},
			{ versi: '4.2', status: null },
			{ meta: { jejak: [1, 'dua', null, { tiga: 3 }] }, '': 0 },
			{ type: 7, text: null, data: [], error: null },
		]);
	}

	/** @returns a refusal with its message in one of the two possible fields */
	refusal(sentence: string): Record<string, unknown> {
		return this.pick<Record<string, unknown>>([{ message: sentence }, { detail: sentence }, { detail: sentence, message: null, kode: 17 }]);
	}

	/** Writes an object as it is, or as a text with its JSON. Some servers store such a text. */
	column(value: object): object | string {
		return this.pick<object | string>([value, JSON.stringify(value)]);
	}

	/** Writes a time with an offset, or as the dealer's local time without an offset. */
	moment(at: Date): string {
		const local = jakartaIso(at);
		return this.pick([local.slice(0, 19).replace('T', ' '), at.toISOString(), local]);
	}
}
