import { inspect } from 'node:util';

/** A token, PIN or password. Whatever prints, logs or serialises it sees `***`; only `reveal()` gives the text. */
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
