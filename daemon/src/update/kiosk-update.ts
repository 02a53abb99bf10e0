/**
 * The updater's programs, one for each unit (systemd/kiosk-*.service). Each program performs one
 * step, writes the state and exits, so the updater uses no memory between steps.
 */
import { readFileSync } from 'node:fs';
import { systemClock as clock } from '../base/clock.ts';
import { clockSynchronised } from '../base/clock-synchronised.ts';
import { READS, WRITES } from '../journal/format.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { DAYS } from '../settings/update-settings.ts';
import { staffSocketPath } from '../staff/staff-socket.ts';
import { assembler } from './assemble.ts';
import { BOOT_ENTRIES, readEntries } from './boot-entries.ts';
import { check } from './check.ts';
import { daemonLink } from './daemon-link.ts';
import { raiseFloor, readFloor } from './floor.ts';
import { imageFacts } from './image-facts.ts';
import { importSet } from './import.ts';
import { freeBytesOf, install } from './install.ts';
import { outcomeOf } from './outcome.ts';
import type { Patience } from './receive.ts';
import { restart } from './restart.ts';
import { rollback } from './rollback.ts';
import { commandRunner } from './runner.ts';
import { updateServer } from './server.ts';
import { shareText } from './share.ts';
import { readKeys, UPDATE_KEYS } from './signature.ts';
import { type State, stateFile, UPDATE_FOLDER } from './state.ts';
import { endTrial, waitUntilSettled } from './trial.ts';
import { manifestIn } from './version-folder.ts';

const SETTINGS = '/etc/kiosk/kiosk.toml';
const FLOOR = '/var/lib/kiosk-journal/update-floor';
const DEFINITIONS = '/usr/lib/sysupdate.d';
const PARTITIONS = '/dev/disk/by-partlabel';
const SCRATCH = '/run';
/** The running root, verified by dm-verity. */
const RUNNING_ROOT = '/dev/mapper/root';
const STATE_OF_DAEMON = '/var/lib/kiosk';
/** EX_TEMPFAIL: systemd starts the unit again. */
const EXIT_LATER = 75;

/**
 * A download is given up after a minute without a byte, or after five minutes below 1 KiB/s. A weak
 * mobile connection is faster; at less than 1 KiB/s a download would not end within a night.
 */
const PATIENCE: Patience = { silenceMs: 60_000, slowMs: 300_000, slowBytes: 300 * 1024 };

/** Prints a sentence and ends with code 1. */
function refuse(sentence: string): never {
	process.stderr.write(`${sentence}\n`);
	process.exit(1);
}

const [command = '', subject = '', other = ''] = process.argv.slice(2);
if (command === 'share') {
	// Prints, for developers, how much an update from the old to the new hash partition would fetch.
	process.stdout.write(shareText(subject, other));
	process.exit(0);
}
const running = imageFacts().version ?? refuse('This system is not a kiosk image: /etc/os-release names no IMAGE_VERSION.');
const state = stateFile(UPDATE_FOLDER, clock);
const keys = () => readKeys(UPDATE_KEYS);
const run = commandRunner();

function settings(): Settings {
	const read = readSettings(SETTINGS, STATE_OF_DAEMON);
	return read.ok ? read.value : refuse(`${SETTINGS}: ${read.error.problems.join('; ')}`);
}

const daemon = daemonLink(staffSocketPath(STATE_OF_DAEMON));
const factsOf = ({ update }: Settings) => ({
	...{ running, machineId: readFileSync('/etc/machine-id', 'utf8').trim(), channel: update?.channel ?? 'stable' },
	...{ percentOverride: update?.percent_override ?? null, retry: null, journal: { reads: READS, writes: WRITES } },
});
const common = { folder: UPDATE_FOLDER, state, keys, clockSynchronised: () => clockSynchronised() === true };

/** The back office's certificate authority is valid only for the host of the back office. */
function authority({ update, back_office }: Settings): Buffer | null {
	const isOwn = update !== undefined && new URL(update.url).hostname === new URL(back_office.url).hostname;
	return isOwn && back_office.ca_file ? readFileSync(back_office.ca_file) : null;
}

async function checkServer(): Promise<State> {
	const known = settings();
	if (known.update === undefined) refuse('The settings have no section [update]: this kiosk does not update over the network.');
	const ending = new AbortController();
	process.once('SIGTERM', () => ending.abort(new Error('the service ends')));
	const server = updateServer({ url: known.update.url, ca: authority(known) });
	const rate = known.update.rate === undefined ? null : known.update.rate * 1_024;
	try {
		return await check({
			...common,
			facts: factsOf(known),
			server,
			line: { clock, rate, patience: PATIENCE, signal: ending.signal },
			assemble: assembler({ root: RUNNING_ROOT, verity: `${PARTITIONS}/kiosk_${running}_v` }),
		});
	} finally {
		server.close();
	}
}

function recordOutcome(): State {
	const before = state.read();
	const change = outcomeOf(before, running, readEntries(BOOT_ENTRIES), state.now());
	const known = keys();
	const isGood = change.state === 'good';
	const floor = raiseFloor(FLOOR, isGood && known.ok ? manifestIn(UPDATE_FOLDER, running, known.value)?.floor : undefined);
	return state.change({ ...change, floor, formats: { ...before.formats, [running]: { reads: READS, writes: WRITES } } });
}

async function restartWhenGranted(): Promise<State> {
	const { update, site } = settings();
	const hours = update === undefined ? null : { window: update.window, days: update.days };
	const later = await restart({ state, daemon, run, clock, timezone: site.timezone, hours, everyDay: DAYS });
	if (later) process.exitCode = EXIT_LATER;
	return state.read();
}

async function returnToPrevious(): Promise<State> {
	const done = await rollback({
		state,
		running,
		bootEntries: BOOT_ENTRIES,
		floor: () => readFloor(FLOOR),
		writes: WRITES,
		daemon,
		run,
		clock,
	});
	// kioskctl reads the result from the state, because it does not see the output of this program.
	if (!done.ok) {
		state.change({ text: `no return to the previous version: ${done.error.message}` });
		process.exitCode = 1;
	} else state.change({ text: `returning to ${done.value}` });
	return state.read();
}

async function importFrom(folder: string): Promise<State> {
	const after = await importSet({ ...common, facts: factsOf(settings()), now: () => clock.wall() }, folder);
	if (after.state !== 'verified') process.exitCode = 1;
	return after;
}

const COMMANDS: Record<string, () => Promise<State> | State> = {
	check: checkServer,
	import: () => importFrom(subject || refuse('Name the folder: kiosk-update import DIR')),
	install: () =>
		install({
			...{ folder: UPDATE_FOLDER, state, keys, running, floor: () => readFloor(FLOOR), bootEntries: BOOT_ENTRIES },
			...{ definitions: DEFINITIONS, partitions: PARTITIONS, scratch: SCRATCH, freeBytes: freeBytesOf, run },
		}),
	restart: restartWhenGranted,
	outcome: recordOutcome,
	async settled() {
		await waitUntilSettled({ state: state.read, running, daemon, clock });
		return state.read();
	},
	async 'trial-deadline'() {
		await endTrial({ state, running, daemon, clock });
		return state.read();
	},
	rollback: returnToPrevious,
};

const chosen = COMMANDS[command] ?? refuse(`usage: kiosk-update ${Object.keys(COMMANDS).join('|')}|share OLD.verity NEW.verity`);
const after = await chosen();
const about = [after.version, after.reason, after.text].filter(Boolean).join(', ');
process.stdout.write(`${after.state}${about && `: ${about}`}\n`);
