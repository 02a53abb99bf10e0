import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { TokenSchema } from '../../contract/back-office.ts';
import type { Log } from '../log/log.ts';
import { replaceFile } from '../replace-file.ts';
import { messageOf } from '../result.ts';
import { Secret } from '../secret.ts';

const Stored = v.strictObject({ token: TokenSchema, development: v.boolean() });

export interface OutletSession {
	token: Secret;
	development: boolean;
	/** The back office answered 401 to it: nobody is shown as logged in until it works again or staff log in. */
	refused: boolean;
}

/** The outlet account that is logged in. The token lives in one file of mode 0600 and survives restarts until logout. */
export interface OutletToken {
	current(): OutletSession | null;
	keep(token: string, development: boolean): void;
	forget(): void;
	markRefused(token: string): void;
	markWorking(token: string): void;
	matches(token: string): boolean;
	/** Called after every change of the token itself. */
	onChange(listener: () => void): void;
}

/** @param directory the daemon's state directory; it is created if missing */
export function openOutletToken(directory: string, log: Log): OutletToken {
	const file = join(directory, 'outlet-token.json');
	const listeners: (() => void)[] = [];
	let session = load(file, log);

	const changed = (): void => {
		for (const listener of listeners) listener();
	};
	const matches = (token: string): boolean => session?.token.reveal() === token;

	return {
		current: () => session,
		keep(token, development) {
			if (session && matches(token) && session.development === development && !session.refused) return;
			session = { token: new Secret(token), development, refused: false };
			try {
				mkdirSync(directory, { recursive: true, mode: 0o700 });
				replaceFile(file, JSON.stringify({ token, development }));
			} catch (error) {
				log.event('session.not_stored', { reason: messageOf(error) });
			}
			log.event('session.logged_in', { development });
			changed();
		},
		forget() {
			session = null;
			rmSync(file, { force: true });
			log.event('session.logged_out', {});
			changed();
		},
		markRefused(token) {
			if (!session || !matches(token) || session.refused) return;
			session.refused = true;
			log.event('session.token_refused', {});
		},
		markWorking(token) {
			if (session && matches(token)) session.refused = false;
		},
		matches,
		onChange: (listener) => void listeners.push(listener),
	};
}

/** @returns null without a file, and for one that cannot be used: the next login replaces it */
function load(file: string, log: Log): OutletSession | null {
	try {
		const stored = v.parse(Stored, JSON.parse(readFileSync(file, 'utf8')));
		return { token: new Secret(stored.token), development: stored.development, refused: false };
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		// The message of a parse error may quote the token.
		if (code !== 'ENOENT') log.event('session.stored_unusable', { reason: code ?? 'not a token of this kiosk' });
		return null;
	}
}
