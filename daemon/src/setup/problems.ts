import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Digests } from './seal.ts';

/** Written at every start of an appliance, before the daemon; a kiosk that is no appliance has none. */
export const SETUP_PROBLEMS_FILE = '/run/kiosk/setup-problems.txt';
/** Likewise: digests of what the daemon does not read itself and the seal covers. */
export const SEALED_FILE = '/run/kiosk/sealed.json';

/** @returns what was wrong in the setup files, a sentence each */
export function setupProblems(file: string): string[] {
	try {
		return readFileSync(file, 'utf8')
			.split('\n')
			.filter((line) => line !== '');
	} catch {
		return [];
	}
}

/** @returns the digests in `SEALED_FILE`; none where it cannot be read, which the seal takes for a change */
export function sealedBySetup(file: string): Digests {
	try {
		return v.parse(v.record(v.string(), v.string()), JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return {};
	}
}
