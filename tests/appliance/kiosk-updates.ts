/** Publishes versions for the booted kiosk and reads the results of its updates. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { GUEST_MS, type KioskUnderTest } from './kiosk-under-test.ts';
import { signedList, type UpdateSite } from './update-site.ts';
import { makeVariant, type Variant } from './variant.ts';

/** Time limit of download and installation together, ms; both are slow in emulation. */
export const FETCH_MS = 2 * GUEST_MS;
/**
 * Time limit of the guest's answer to one command, ms. Even while the guest starts, it answers
 * within seconds.
 */
const ANSWER_MS = 30_000;
const ENDS = ['failed', 'refused'];
/**
 * The states that an update can have once it is installed. A kiosk without a customer restarts at
 * once, so a test may see only one of the later states.
 */
const INSTALLED = ['written', 'waiting', 'restarting', 'trial', 'failed'];

const State = v.looseObject({
	...{ state: v.string(), version: v.nullable(v.string()), reason: v.string(), text: v.string() },
	history: v.array(v.looseObject({ version: v.string(), outcome: v.string(), reason: v.string(), tries: v.number() })),
});

export interface KioskUpdates {
	/** Folder of a version's published files. */
	folder(version: string): string;
	/** Makes a version and publishes it. */
	publish(version: string, variant?: Omit<Variant, 'folder'>): Promise<void>;
	/**
	 * Publishes a version, has the kiosk install it, and asks for the restart that begins its trial.
	 */
	tryVersion(version: string, variant: Omit<Variant, 'folder'>): Promise<void>;
	/** Makes the files of a release that the owner hands to a technician. @returns their paths */
	releaseFiles(version: string): Promise<string[]>;
	/** Starts a unit without waiting for its end. */
	start(unit: string): Promise<string>;
	state(): Promise<v.InferOutput<typeof State>>;
	/**
	 * Waits until the update to this version has one of these states. Throws with the reason if the
	 * version fails or is refused instead.
	 */
	reaches(states: readonly string[], version: string, limitMs?: number): Promise<void>;
	/** Waits until the update has left the state "refused", because the kiosk tries it again. */
	triesAgain(): Promise<void>;
	/** Makes the updater ask the daemon for a restart now; otherwise it asks every five minutes. */
	asksForRestart(): Promise<void>;
	/** Asks for a restart that the daemon must refuse. @param why text of the refusal */
	asksInVain(why: string): Promise<void>;
	/** The running version; undefined if the kiosk does not answer. */
	versionNow(): Promise<string | undefined>;
	/** Waits until this version runs. */
	runs(version: string, limitMs: number): Promise<void>;
	/** Version, outcome and reason of each update in the history. */
	outcomes(): Promise<string[]>;
	/**
	 * @returns the versions in both slots; fails if a version lacks its root or its verity partition
	 */
	versionsOnDisk(): Promise<string[]>;
}

export function updatesOf(kiosk: KioskUnderTest, site: UpdateSite): KioskUpdates {
	const folder = (version: string): string => join(kiosk.directory, `update-${version}`);
	const root = (command: string, limitMs?: number) => kiosk.guest().root(command, limitMs);
	// Files are read over SSH, because the root line would lose its answer if the kiosk restarts by
	// itself.
	const ssh = (command: string) => kiosk.guest().ssh(command);
	const start = (unit: string) => root(`systemctl start --no-block ${unit}`);
	const state = async () => v.parse(State, JSON.parse(await ssh('cat /var/lib/kiosk-update/state.json')));
	const versionNow = async () => /^IMAGE_VERSION="(.*)"$/m.exec(await ssh('cat /etc/os-release'))?.[1];

	async function reaches(states: readonly string[], version: string, limitMs = GUEST_MS): Promise<void> {
		const now = await until(async () => {
			const found = await state();
			expect(found.version).toBe(version);
			expect([...states, ...ENDS]).toContain(found.state);
			return found;
		}, limitMs);
		expect(states, `${now.reason}: ${now.text}`).toContain(now.state);
	}

	async function publish(version: string, variant: Omit<Variant, 'folder'> = {}): Promise<void> {
		const at = folder(version);
		await site.publish(at, version, await makeVariant(version, { folder: at, ...variant }));
	}

	const asksForRestart = () =>
		until(async () => {
			// The unit may be waiting for its next attempt. `systemctl start` would not end this wait,
			// but `restart` does. If the kiosk restarts at once, the answer is lost.
			await root('systemctl restart --no-block kiosk-update-restart', ANSWER_MS).catch(() => {});
			expect(['restarting', 'trial', 'good', 'failed']).toContain((await state()).state);
		}, GUEST_MS);

	return {
		...{ folder, publish, start, state, reaches, asksForRestart, versionNow },
		async tryVersion(version, variant) {
			await publish(version, variant);
			await start('kiosk-update');
			await reaches(INSTALLED, version, FETCH_MS);
			await asksForRestart();
		},
		async releaseFiles(version) {
			const at = folder(version);
			const names = await makeVariant(version, { folder: at });
			const { bytes, signature } = await signedList(at, version, names);
			writeFileSync(join(at, 'stable.json'), bytes);
			writeFileSync(join(at, 'stable.json.sig'), signature);
			return [...names, 'stable.json', 'stable.json.sig'].map((name) => join(at, name));
		},
		triesAgain: () => until(async () => expect((await state()).state).not.toBe('refused'), GUEST_MS),
		async asksInVain(why) {
			await root('systemctl restart --no-block kiosk-update-restart');
			await until(async () => expect(await state()).toMatchObject({ state: 'waiting', text: expect.stringContaining(why) }), GUEST_MS);
			// Otherwise the unit would retry after five minutes, during a later step.
			await root('systemctl stop kiosk-update-restart');
		},
		runs: (version, limitMs) => until(async () => expect(await versionNow()).toBe(version), limitMs),
		outcomes: async () => (await state()).history.map(({ version, outcome, reason }) => `${version} ${outcome} ${reason}`.trim()),
		async versionsOnDisk() {
			const labels = (await root('cd /dev/disk/by-partlabel; ls -d kiosk_*')).split('\n');
			const versions = labels.flatMap((label) => /^kiosk_(.*)(?<!_v)$/.exec(label)?.[1] ?? []);
			expect(labels.sort()).toEqual(versions.flatMap((version) => [`kiosk_${version}`, `kiosk_${version}_v`]).sort());
			return versions.sort();
		},
	};
}
