import { inspect } from 'node:util';

/**
 * A token, PIN or password. It is printed, logged and serialised as `***`; only `reveal()` returns
 * the text.
 */
export class Secret {
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
	}

	reveal(): string {
		return this.#text;
	}

	toString(): string {
		return '***';
	}

	toJSON(): string {
		return '***';
	}

	[inspect.custom](): string {
		return '***';
	}
}
