/** Decides whether this kiosk takes a published version. The functions are pure. */
import { fail, ok, type Result } from '../base/result.ts';
import type { Manifest } from './manifest.ts';
import { isChosen } from './rollout.ts';
import { compareVersions } from './version.ts';

/** Why a version is not taken. */
export type RefusalCode =
	| ('signature' | 'manifest' | 'channel' | 'hold' | 'failed_version' | 'current' | 'older' | 'floor' | 'not_before' | 'expired')
	| ('percent' | 'min_version' | 'journal_format' | 'space' | 'checksum');

export interface Refusal {
	code: RefusalCode;
	/** A sentence for technicians, without the version's name. */
	message: string;
}

/** The facts that the decision needs besides the manifest. */
export interface KioskFacts {
	/** Version that runs now. */
	running: string;
	machineId: string;
	/** Channel of the settings. */
	channel: string;
	percentOverride: number | null;
	/** The lowest acceptable version; null if no version has set one. */
	floor: string | null;
	/**
	 * Journal formats of the running version: the highest format that it reads, and the format that
	 * it writes.
	 */
	journal: { reads: number; writes: number };
	/** How often each version has failed or a person has rolled it back. */
	failures: ReadonlyMap<string, number>;
	/** Failed version that a person wants to try again; null for none. */
	retry: string | null;
	/** Wall clock, ms since 1970. */
	now: number;
	/** Whether network time has set the clock. */
	clockSynchronised: boolean;
	/** `person`: a stick, or files sent by a technician. */
	from: 'network' | 'person';
}

/** @returns ok if the kiosk installs the version, else the reason for the refusal */
export function decide(manifest: Manifest, of: KioskFacts): Result<'install', Refusal> {
	const { version } = manifest;
	const failures = of.failures.get(version) ?? 0;
	const byPerson = of.from === 'person';
	// Dates count only if network time has set the clock, because a wrong clock could block updates
	// for ever. They do not count for files that a person brings deliberately.
	const clockCounts = of.clockSynchronised && !byPerson;

	// The owner's decision also applies to files that a person brings.
	if (manifest.hold) return refuse('hold', 'the owner has stopped this roll-out');
	if (manifest.failed.includes(version)) return refuse('failed_version', 'the owner has marked this version as bad');
	if (manifest.channel !== of.channel)
		return refuse('channel', `it belongs to the channel ${manifest.channel}, this kiosk follows ${of.channel}`);
	const order = compareVersions(version, of.running);
	if (order === 0) return refuse('current', 'it runs already');
	if (of.floor !== null && compareVersions(version, of.floor) < 0)
		return refuse('floor', `versions below ${of.floor} are not accepted any more`);
	// The boot loader prefers the higher version, so an older version would never start.
	if (order < 0) return refuse('older', `${of.running} runs, which is newer`);
	if (!byPerson && of.retry !== version && failures > manifest.retry)
		return refuse(
			'failed_version',
			`it has failed on this kiosk ${failures} time(s); it is tried again when the manifest or a person requests it`,
		);
	if (clockCounts && manifest.not_before !== undefined && of.now < Date.parse(manifest.not_before))
		return refuse('not_before', `it may be installed from ${manifest.not_before} on`);
	if (clockCounts && manifest.expires !== undefined && of.now > Date.parse(manifest.expires))
		return refuse('expired', `it expired at ${manifest.expires}`);
	const mustLeave = manifest.failed.includes(of.running);
	if (!byPerson && !mustLeave && !isChosen(of.machineId, manifest.rollout, of.percentOverride))
		return refuse('percent', `${of.percentOverride ?? manifest.rollout.percent} percent of the kiosks get it now, but not this kiosk`);
	if (manifest.min_version !== undefined && compareVersions(of.running, manifest.min_version) < 0)
		return refuse('min_version', `at least version ${manifest.min_version} must be installed before it`);
	if (manifest.journal.reads < of.journal.writes)
		return refuse(
			'journal_format',
			`it reads journals up to format ${manifest.journal.reads}, the journal has format ${of.journal.writes}`,
		);
	// After a rollback, the version that runs now must be able to read the records of the new
	// version.
	if (manifest.journal.writes > of.journal.reads)
		return refuse(
			'journal_format',
			`it writes journal format ${manifest.journal.writes}, and ${of.running} reads formats up to ${of.journal.reads} only`,
		);
	return ok('install');
}

const refuse = (code: RefusalCode, message: string) => fail<Refusal>({ code, message });

/** @returns whether an intermediate release can resolve this refusal */
export const needsIntermediate = ({ code }: Refusal): boolean => code === 'min_version' || code === 'journal_format';
