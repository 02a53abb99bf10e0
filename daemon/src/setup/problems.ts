import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Digests } from './settings-seal.ts';

/**
 * File with the problems of the setup files. It is written at every boot of an appliance before the
 * daemon starts. Other kiosks have no such file.
 */
export const SETUP_PROBLEMS_FILE = '/run/kiosk/setup-problems.txt';
/** Digests of the sealed items that the daemon does not read; also written at every boot. */
export const SEALED_FILE = '/run/kiosk/sealed.json';

/** @returns the problems of the setup files, one sentence each */
export function setupProblems(file: string): string[] {
	try {
		return readFileSync(file, 'utf8')
			.split('\n')
			.filter((line) => line !== '');
	} catch {
		return [];
	}
}

/**
 * @returns the digests in `SEALED_FILE`; none if the file is unreadable, which counts as a change
 */
export function readSealedDigests(file: string): Digests {
	try {
		return v.parse(v.record(v.string(), v.string()), JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return {};
	}
}
