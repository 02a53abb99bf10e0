/** Claims and opens the journal, and checks the seal of the settings. */
import { join, resolve } from 'node:path';
import { systemClock as clock } from './base/clock.ts';
import type { DaemonLog } from './daemon-log.ts';
import { EXIT_CONFIG, type Start } from './daemon-settings.ts';
import { type Claim, claimFolder } from './journal/claim.ts';
import { TRIAL_WRITES, WRITES } from './journal/format.ts';
import { type Journal, openJournal } from './journal/journal.ts';
import { hideSeal, readSeal, sealKeyPath } from './journal/seal.ts';
import { openStore } from './journal/store.ts';
import { logTrouble } from './journal/trouble.ts';
import { timedStore } from './metrics/call-timings.ts';
import { readSealedDigests, SEALED_FILE } from './setup/problems.ts';
import { openSeal, sealedSettings } from './setup/settings-seal.ts';
import { takeAddress, takeClaims } from './start-claims.ts';

/**
 * Reserved disk space for about fifty records: enough to finish a payment and its receipt on a full
 * disk.
 */
const JOURNAL_RESERVE_BYTES = 2 * 1024 * 1024;

export type DaemonJournal = ReturnType<typeof openSealedJournal>;

/**
 * Claims the journal, the state directory and the address, which only one daemon may hold. Ends the
 * process if another process holds one of them, or if the state directory is unusable.
 * @returns the address for `listen`, and the claim of the journal
 */
export async function claimAll({ settings, config, handed }: Start, { log, now }: DaemonLog) {
	const { screen } = settings;
	// The claims must be taken before recovery: recovery would put a note in doubt that another
	// daemon is still handling.
	const self = { pid: process.pid, since: now(), settings: resolve(config), address: screen.listen };
	const journalClaim = claimFolder(settings.journal.directory, 'journal.lock', self);
	const stateClaim = claimFolder(settings.state_directory, 'state.lock', self);
	const notTaken = await takeClaims([stateClaim, journalClaim], clock.now);
	// If the journal disk is unusable, the daemon still runs: it reports the fault and retries. If
	// the state directory is unusable, the daemon cannot run.
	const unclaimed = notTaken?.code === 'unusable' ? stateClaim.take() : notTaken;
	if (unclaimed) {
		log.event(unclaimed.code === 'held' ? 'daemon.already_runs' : 'daemon.state_unusable', { reason: unclaimed.message });
		process.exit(EXIT_CONFIG);
	}
	const [host = '', port] = screen.listen.split(':');
	// On the appliance systemd opens the address, so that no request fails while the daemon starts.
	const given = handed.get('kioskd.socket');
	const address = given === undefined ? await takeAddress(host, Number(port), clock.now) : { fd: given };
	if (address === null) {
		log.event('daemon.address_in_use', { address: screen.listen });
		process.exit(EXIT_CONFIG);
	}
	return { address, journalClaim };
}

/** Opens the journal, and compares the settings with their seal. */
export function openSealedJournal({ settings, onTrial, besideSettings }: Start, { log, now, metrics }: DaemonLog, claim: Claim) {
	const keyFile = sealKeyPath(settings.state_directory);
	if (hideSeal(keyFile)) log.event('journal.key_exposed', { file: keyFile });
	const journal = openJournal(
		{
			directory: settings.journal.directory,
			claim,
			minFreeBytes: settings.journal.min_free_mb * 1024 * 1024,
			headFile: join(settings.state_directory, 'journal.head'),
			keyFile,
			reserveBytes: JOURNAL_RESERVE_BYTES,
			writes: () => (onTrial() ? TRIAL_WRITES : WRITES),
		},
		clock,
		timedStore(openStore, metrics, clock.now),
	);
	const journalTrouble = journal.trouble();
	if (journalTrouble) logTrouble(log, journalTrouble);
	const seal = openSeal({
		directories: [settings.state_directory, settings.journal.directory],
		sealed: sealedSettings(settings, readSealedDigests(besideSettings(SEALED_FILE))),
		keyFile,
		isFirstStart: isFirstStart(journal, keyFile),
		now,
		log,
	});
	return { journal, keyFile, seal };
}

/**
 * @returns whether the journal had no sealed record before this run. Such a journal is empty or was
 * written by version 0.1.0, which sealed nothing. False for an unreadable journal, because it may
 * have sealed records.
 */
function isFirstStart(journal: Journal, keyFile: string): boolean {
	const [trouble, key] = [journal.trouble(), readSeal(keyFile)];
	const isOpen = trouble === null || trouble.code === 'disk_full';
	return isOpen && key.state === 'found' && journal.openedAt() < key.seal.from;
}
