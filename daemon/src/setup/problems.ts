import { readFileSync } from 'node:fs';

/** Written at every start of an appliance, before the daemon; a kiosk that is no appliance has none. */
export const SETUP_PROBLEMS_FILE = '/run/kiosk/setup-problems.txt';

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
