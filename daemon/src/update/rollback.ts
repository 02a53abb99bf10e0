/** `kiosk-update rollback`: returns to the previous version at the request of a person. */
import { type Clock, pause } from '../base/clock.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { entryOf, exhaustEntry, readEntries } from './boot-entries.ts';
import type { DaemonLink } from './daemon-link.ts';
import type { Run } from './runner.ts';
import type { State, StateFile } from './state.ts';
import { compareVersions, newest } from './version.ts';

const REBOOT_MS = 60_000;
const AGAIN_MS = 5_000;
/**
 * Maximum wait for the daemon's permission. It is limited, because a person waits for the result.
 */
const PATIENCE_MS = 9 * 60_000;

export interface RollbackDeps {
	state: StateFile;
	running: string;
	bootEntries: string;
	floor: () => string | null;
	/** Journal format that this version writes. */
	writes: number;
	daemon: DaemonLink;
	run: Run;
	clock: Clock;
}

export interface RollbackRefused {
	code: 'no_version' | 'journal_format' | 'floor' | 'waiting' | 'command';
	message: string;
}

/** @returns the version that will start */
export async function rollback(of: RollbackDeps): Promise<Result<string, RollbackRefused>> {
	const target = targetOf(of, of.state.read());
	if (!target.ok) return target;
	const begun = of.clock.now();
	for (;;) {
		const lease = await of.daemon.lease('person');
		if (lease.ok && lease.value.granted) break;
		if (of.clock.now() - begun > PATIENCE_MS) {
			const why = lease.ok ? (lease.value.granted ? '' : lease.value.reasons.map(({ text }) => text).join('; ')) : lease.error.message;
			return fail({ code: 'waiting', message: `the daemon does not let the kiosk restart: ${why}` });
		}
		await pause(of.clock, AGAIN_MS);
	}
	// systemd-bless-boot can mark an entry as bad only if its name has a try counter. The name of a
	// confirmed entry has none, so this program renames the entry itself.
	const own = entryOf(readEntries(of.bootEntries), of.running);
	if (own !== undefined) exhaustEntry(of.bootEntries, own);
	const rebooted = await of.run('systemctl', ['reboot'], REBOOT_MS);
	if (rebooted.ok) return target;
	await of.daemon.release();
	return rebooted;
}

function targetOf({ bootEntries, running, floor, writes }: RollbackDeps, { formats }: State): Result<string, RollbackRefused> {
	const others = readEntries(bootEntries).filter(({ version, left }) => version !== running && left === null);
	const version = newest(others.map((entry) => entry.version));
	if (version === null) return fail({ code: 'no_version', message: 'the other slot has no version that is confirmed as good' });
	const lowest = floor();
	if (lowest !== null && compareVersions(version, lowest) < 0)
		return fail({ code: 'floor', message: `${version} is in the other slot, and versions below ${lowest} are not accepted any more` });
	const reads = formats[version]?.reads;
	if (reads === undefined) return fail({ code: 'journal_format', message: `it is not known which journals ${version} reads` });
	if (reads < writes)
		return fail({
			code: 'journal_format',
			message: `${version} reads journals up to format ${reads}, and the present journal has format ${writes}`,
		});
	return ok(version);
}
