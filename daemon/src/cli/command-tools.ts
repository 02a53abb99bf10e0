import { createInterface } from 'node:readline/promises';

/** One call to the daemon. */
export type Ask = (method: string, path: string, body: object | null, accept: string) => Promise<{ status: number; text: string }>;

/** What every command of `kioskctl` is made with. */
export interface CommandTools {
	say(line: string): void;
	/** Ends with a sentence on standard error. */
	refuse(sentence: string): never;
	/** @returns the daemon's JSON; ends with its sentence when it refuses */
	call<T>(method: string, path: string, body?: object): Promise<T>;
	/** Who decides, and why; ends when one is missing. */
	decided(): { by: string; why: string };
	/** Money moves: a person at the keyboard says yes, or has said --yes; else nothing is done. */
	confirmed(what: string): Promise<void>;
}

export function commandTools(given: {
	by: string;
	why: string;
	yes: boolean;
	ask: Ask;
	refuse: (sentence: string) => never;
}): CommandTools {
	const { by, why, refuse } = given;
	return {
		say: (line) => void process.stdout.write(`${line}\n`),
		refuse,
		async call(method, path, body) {
			const { status, text } = await given.ask(method, path, body ?? null, 'application/json');
			const answer = JSON.parse(text);
			return status === 200 ? answer : refuse(answer.reason ?? text);
		},
		decided: () => (by && why ? { by, why } : refuse('Who decides, and why? --by NAME --why TEXT')),
		async confirmed(what) {
			if (given.yes) return;
			if (!process.stdin.isTTY) refuse(`${what} Nobody is at the keyboard to confirm it: add --yes.`);
			const keyboard = createInterface({ input: process.stdin, output: process.stderr });
			const answer = await keyboard.question(`${what} Type yes: `);
			keyboard.close();
			if (answer.trim() !== 'yes') refuse('Nothing was done.');
		},
	};
}
