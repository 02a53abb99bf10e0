/**
 * Roll-outs over a fleet in simulated time. The code that decides, waits for the time window,
 * restarts and judges the outcome is the real code; boot partition and boot loader are a model. The
 * power may fail at each `#step`.
 */
import type { Clock } from '../../daemon/src/base/clock.ts';
import { ok } from '../../daemon/src/base/result.ts';
import { DAYS } from '../../daemon/src/settings/update-settings.ts';
import type { Entry } from '../../daemon/src/update/boot-entries.ts';
import { isInSlot, stateAfterRefusal } from '../../daemon/src/update/check.ts';
import type { DaemonLink } from '../../daemon/src/update/daemon-link.ts';
import { decide } from '../../daemon/src/update/decision.ts';
import type { Manifest } from '../../daemon/src/update/manifest.ts';
import { outcomeOf } from '../../daemon/src/update/outcome.ts';
import { restart } from '../../daemon/src/update/restart.ts';
import { changed, failuresOf, initialState, type State, type StateFile } from '../../daemon/src/update/state.ts';
import { newest } from '../../daemon/src/update/version.ts';
import type { Random } from '../support/random.ts';

export const HOUR = 3_600_000;
/** How a version behaves on this fleet. */
export type Quality = 'good' | 'never_drew' | 'panic';
/** No trial needs this many starts in a row. After that many starts the kiosk counts as stuck. */
const MOST_STARTS = 20;

class PowerCut extends Error {}
class Broken extends Error {}

interface World {
	random: Random;
	now: number;
	qualities: ReadonlyMap<string, Quality>;
	/** The manifest on the server. */
	manifest: Manifest;
	/** Probability that the power fails at a step. */
	cuts: number;
}

/** One kiosk. Its disk survives power cuts, its memory does not. */
export class SimKiosk {
	readonly id: string;
	running: string;
	isOn = true;
	state: State;
	entries: Entry[];
	/** Versions in the slots, and whether each is complete. */
	slots: Map<string, boolean>;
	hasMoneyMoving = false;
	/** Versions that this kiosk has seen on hold. The kiosk must not begin a trial of them. */
	readonly obeyed = new Set<string>();
	readonly starts = new Map<string, number>();
	/** Versions whose trial a power cut interrupted. */
	cutTrials = new Set<string>();
	#world: World;

	constructor(id: string, version: string, world: World) {
		this.#world = world;
		this.id = id;
		this.running = version;
		this.state = initialState('');
		this.entries = [entry(version, null)];
		this.slots = new Map([[version, true]]);
	}

	get #now(): string {
		return new Date(this.#world.now).toISOString();
	}

	/** A step at which the power may fail. */
	#step(): void {
		if (this.#world.random.chance(this.#world.cuts)) throw new PowerCut();
	}

	#change(change: Partial<State>): void {
		this.#step();
		this.state = changed(this.state, change, this.#now);
	}

	/** Runs a program of the updater. A power cut during the program restarts the kiosk. */
	async run(program: () => Promise<void> | void): Promise<void> {
		try {
			await program();
		} catch (error) {
			if (!(error instanceof PowerCut)) throw error;
			this.start();
		}
	}

	check(): void {
		const { manifest, now } = this.#world;
		const before = this.state;
		if (before.state === 'restarting' || before.state === 'trial') return;
		const decided = decide(manifest, {
			...{ running: this.running, machineId: this.id, channel: 'stable', percentOverride: null, retry: null },
			...{
				journal: { reads: 1, writes: 1 },
				floor: before.floor,
				failures: failuresOf(before),
				now,
				clockSynchronised: true,
				from: 'network',
			},
		});
		if (!decided.ok) this.#change(stateAfterRefusal(before, decided.error, manifest.version));
		else if (!isInSlot(before, manifest.version)) {
			this.#change({ state: 'downloading', version: manifest.version });
			this.#step();
			this.#change({ state: 'verified' });
		}
		this.install();
		if (manifest.hold) this.obeyed.add(manifest.version);
	}

	/** Installs in the same order as install.ts. */
	install(): void {
		const { state, version } = this.state;
		if (version === null || version === this.running) return;
		if (state === 'refused') this.#remove((one) => one.version === version && (one.left ?? 0) > 0);
		if (state !== 'verified' && state !== 'writing') return;
		if (this.entries.find((one) => one.version === this.running)?.left !== null) return;
		this.#change({ state: 'writing' });
		this.#remove((one) => one.version !== this.running);
		for (const other of [...this.slots.keys()]) if (other !== this.running) this.slots.delete(other);
		this.slots.set(version, false);
		this.#step();
		this.slots.set(version, true);
		this.#step();
		this.entries.push(entry(version, 3));
		this.#change({ state: 'written', from: this.running, tries: 0, trial_reason: '' });
	}

	#remove(which: (entry: Entry) => boolean): void {
		for (const one of this.entries.filter(which)) {
			this.#step();
			this.entries = this.entries.filter((other) => other !== one);
		}
	}

	/** Asks for the restart at night, as the updater does. */
	async restartAtNight(): Promise<void> {
		let rebooted = false;
		const clock: Clock = { now: () => this.#world.now, wall: () => new Date(this.#world.now), after: () => () => undefined };
		const daemon: DaemonLink = {
			lease: async () =>
				ok(this.hasMoneyMoving ? { granted: false, reasons: [{ code: 'session', text: '' }] } : { granted: true, until: '' }),
			release: async () => undefined,
			trial: async () => ok({ journal: 'ok', drawn_seconds: 60, devices: [] }),
		};
		const state: StateFile = {
			read: () => this.state,
			now: () => this.#now,
			change: (change) => {
				this.#change(change);
				return this.state;
			},
		};
		const run = async () => {
			if (this.hasMoneyMoving) throw new Broken(`${this.id} restarts while money moves`);
			rebooted = true;
			return ok('');
		};
		const hours = { window: '02:00-05:00', days: DAYS };
		await restart({ state, daemon, run, clock, timezone: 'UTC', hours, everyDay: DAYS });
		if (rebooted) this.start();
	}

	/**
	 * Starts from the boot loader until a version stays up. The loader counts an attempt before the
	 * kernel starts.
	 */
	start(): void {
		for (let starts = 0; ; starts += 1) {
			if (starts > MOST_STARTS) throw new Broken(`${this.id} does not stop restarting: ${JSON.stringify(this.entries)}`);
			if (this.#startOnce()) return;
		}
	}

	/** @returns whether the version stays up */
	#startOnce(): boolean {
		const chosen = firstEntry(this.entries);
		const { version } = chosen;
		const quality = this.#world.qualities.get(version) ?? 'good';
		if (chosen.left !== null && chosen.left > 0) {
			chosen.left -= 1;
			chosen.done += 1;
			this.#countStart(version);
		}
		if (this.slots.get(version) !== true || quality === 'panic') return false;
		this.running = version;
		this.hasMoneyMoving = false;
		try {
			this.#outcome();
			if (chosen.left === null) return true;
			this.#step();
			if (quality === 'never_drew') {
				this.#change({ trial_reason: 'never_drew' });
				return false;
			}
			chosen.left = null;
			this.#step();
			this.#outcome();
			return true;
		} catch (error) {
			if (!(error instanceof PowerCut)) throw error;
			if (chosen.left !== null) this.cutTrials.add(version);
			return false;
		}
	}

	#countStart(version: string): void {
		if (this.obeyed.has(version) && !this.starts.has(version))
			throw new Broken(`${this.id} starts ${version} although a check saw it held`);
		const count = (this.starts.get(version) ?? 0) + 1;
		this.starts.set(version, count);
		if (count > 3) throw new Broken(`${this.id} tries ${version} ${count} times`);
	}

	#outcome(): void {
		const change = outcomeOf(this.state, this.running, this.entries, this.#now);
		if (Object.keys(change).length > 0) this.#change(change);
	}

	/** Throws unless the boot loader alone reaches a version that works. */
	assertBootable(): void {
		const entries = this.entries.map((one) => ({ ...one }));
		for (let starts = 0; starts < MOST_STARTS; starts += 1) {
			const chosen = firstEntry(entries);
			const works = this.slots.get(chosen.version) === true && (this.#world.qualities.get(chosen.version) ?? 'good') === 'good';
			if (works) return;
			if (chosen.left === null || chosen.left === 0) break;
			chosen.left -= 1;
		}
		throw new Broken(`${this.id} has no version that starts: ${JSON.stringify(this.entries)}`);
	}
}

const entry = (version: string, left: number | null): Entry => ({ name: '', version, left, done: 0, bytes: 1 });

/**
 * @returns the entry that systemd-boot chooses: the highest version; an exhausted entry only if all
 * entries are exhausted
 */
function firstEntry(entries: readonly Entry[]): Entry {
	const live = entries.filter(({ left }) => left !== 0);
	const from = live.length > 0 ? live : entries;
	const version = newest(from.map((one) => one.version));
	const chosen = from.find((one) => one.version === version);
	if (chosen === undefined) throw new Broken('the boot partition is empty');
	return chosen;
}
