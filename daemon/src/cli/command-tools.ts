import { createInterface } from 'node:readline/promises';
import { terminalText } from './terminal-text.ts';

/** One call to the daemon. */
export type Ask = (method: string, path: string, body: object | null, accept: string) => Promise<{ status: number; text: string }>;

/** Tools of every kioskctl command. */
export interface CommandTools {
	say(line: string): void;
	/** Prints a sentence to standard error and exits. */
	refuse(sentence: string): never;
	/** @returns the daemon's JSON; if the daemon refuses, exits with the reason */
	call<T>(method: string, path: string, body?: object): Promise<T>;
	/** @returns --by and --why; exits if one is missing */
	decided(): { by: string; why: string };
	/**
	 * Asks for "yes" on the terminal; exits on any other answer, or without a terminal. With --yes,
	 * does not ask.
	 */
	confirmed(what: string): Promise<void>;
	/** Whether --yes is given. */
	yes: boolean;
}

export function createCommandTools(given: {
	by: string;
	why: string;
	yes: boolean;
	ask: Ask;
	refuse: (sentence: string) => never;
}): CommandTools {
	const { by, why, yes, refuse } = given;
	return {
		say: (line) => void process.stdout.write(`${terminalText(line)}\n`),
		refuse,
		yes,
		async call(method, path, body) {
			const { status, text } = await given.ask(method, path, body ?? null, 'application/json');
			const answer = JSON.parse(text);
			return status === 200 ? answer : refuse(terminalText(answer.reason ?? text));
		},
		decided: () => (by && why ? { by, why } : refuse('Give the name of the person who decides, and the reason: --by NAME --why TEXT')),
		async confirmed(what) {
			if (yes) return;
			if (!process.stdin.isTTY) refuse(`${what} There is no terminal to confirm it on: add --yes.`);
			const keyboard = createInterface({ input: process.stdin, output: process.stderr });
			const answer = await keyboard.question(`${terminalText(what)} Type yes: `);
			keyboard.close();
			if (answer.trim() !== 'yes') refuse('Nothing was done.');
		},
	};
}
