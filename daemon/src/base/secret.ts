import { inspect } from 'node:util';

/**
 * A token, PIN or password. Printed, logged or serialised it is `***`; only `reveal()` returns the
 * text.
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
