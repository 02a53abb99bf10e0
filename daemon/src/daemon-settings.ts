/** Command line and settings of the daemon. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from './base/version.ts';
import { openLog } from './log/log.ts';
import { readSettings, type Settings } from './settings/settings.ts';
import { stateProblem } from './settings/state-directory.ts';
import { handedOver } from './systemd-sockets.ts';

/** EX_CONFIG of sysexits: a restart with the same settings would fail again. */
export const EXIT_CONFIG = 78;

/** Settings, files and descriptors of this start. */
export interface Start {
	settings: Settings;
	/** Path of the settings file. */
	config: string;
	/** @returns the path of a file in the folder of the settings file */
	besideSettings: (file: string) => string;
	/** Whether the boot loader still counts the tries of this version. */
	onTrial: () => boolean;
	/** Descriptors opened by systemd, by name. */
	handed: ReadonlyMap<string, number>;
	/** Descriptor of the system's log, or null. */
	journald: number | null;
}

/**
 * Reads the command line and the settings. Ends the process after `--version`, or if the settings
 * are invalid or there is no usable state directory.
 */
export function readStart(): Start {
	const { values } = parseArgs({
		options: {
			config: { type: 'string', default: '/etc/kiosk/kiosk.toml' },
			// This file exists while the boot loader still counts the tries of this version.
			trial: { type: 'string', default: '/run/kiosk/trial' },
			version: { type: 'boolean', default: false },
		},
	});
	if (values.version) {
		process.stdout.write(`kioskd ${VERSION}\n`);
		process.exit(0);
	}
	const handed = handedOver(process.env, process.pid);
	const journald = handed.get('journald') ?? null;
	const refuse = (problems: string[]): never => {
		openLog('info', journald).event('settings.refused', { file: values.config, problems });
		process.exit(EXIT_CONFIG);
	};
	const read = readSettings(values.config, process.env.STATE_DIRECTORY);
	if (!read.ok) return refuse(read.error.problems);
	const settings = read.value;
	const noState = stateProblem(settings, process.env.STATE_DIRECTORY);
	if (noState !== null) return refuse([noState]);
	return {
		settings,
		config: values.config,
		besideSettings: (file) => join(dirname(values.config), basename(file)),
		onTrial: () => existsSync(values.trial),
		handed,
		journald,
	};
}
