import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/result.ts';
import { DEFAULT_STATE, type Settings } from './settings.ts';

const SET_ONE = 'set STATE_DIRECTORY to a folder that the daemon may write to, or [journal] directory in the settings';

/**
 * Creates the state directory if it is missing.
 * @param stateDirectory the state directory given by systemd, or undefined
 * @returns a sentence for a technician if the daemon has no usable folder for journal, token and
 * staff socket; else null
 */
export function stateProblem(settings: Settings, stateDirectory: string | undefined): string | null {
	if (!stateDirectory && settings.journal.directory === join(DEFAULT_STATE, 'journal'))
		return `neither $STATE_DIRECTORY nor [journal] directory is set: ${SET_ONE}`;
	try {
		mkdirSync(settings.state_directory, { recursive: true, mode: 0o700 });
		accessSync(settings.state_directory, constants.W_OK | constants.X_OK);
		return null;
	} catch (error) {
		return `the state folder ${settings.state_directory} cannot be used (${messageOf(error)}): ${SET_ONE}`;
	}
}
