import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import type { Log } from '../log/log.ts';
import { customerText } from './customer-text.ts';
import { answerJson } from './http.ts';

/** A customer who mistypes a number finds it within a few tries. */
const MISSES = 5;
const PAUSE_MS = 30_000;
/** Says nothing about the number: the outlet's token has ended, the server is busy or was not reached in time. */
const NOT_ABOUT_THE_NUMBER = new Set([401, 403, 408, 429]);

/** Keeps strangers from trying phone numbers through: whoever finds one sees a name and a plate. */
export interface LookupLimit {
	/** @returns for how many whole seconds no further look-up is passed on; 0 when it may */
	waitS(): number;
	/** @param found whether the answer to a look-up held an invoice */
	answered(status: number, found: boolean): void;
}

export function lookupLimit({ clock, log }: { clock: Clock; log: Log }): LookupLimit {
	let misses = 0;
	let pausedUntil = clock.now();
	return {
		waitS: () => Math.max(0, Math.ceil((pausedUntil - clock.now()) / 1000)),
		answered(status, found) {
			if (found) misses = 0;
			if (found || status >= 500 || NOT_ABOUT_THE_NUMBER.has(status)) return;
			misses += 1;
			if (misses < MISSES) return;
			misses = 0;
			pausedUntil = clock.now() + PAUSE_MS;
			log.event('screen.lookups_paused', { misses: MISSES, pause_ms: PAUSE_MS });
		},
	};
}

/**
 * The one refusal of the daemon with a `message`: a look-up is answered by the back office with a text for the customer, and
 * here too it is the customer who must be told, by the same place on the screen.
 */
export function refuseLookup(response: ServerResponse, waitS: number): void {
	response.setHeader('Retry-After', waitS);
	answerJson(response, 429, { code: 'too_many_lookups', message: customerText.tooManyLookups(waitS) });
}
