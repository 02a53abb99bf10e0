/**
 * Simulates roll-outs: `node tests/simulation/updates.ts [ROLL-OUTS] [FIRST-SEED]`. Each fleet gets
 * several versions, which are good, bad, staged or held. Some kiosks are off for days or months.
 */
import type { Manifest } from '../../daemon/src/update/manifest.ts';
import { type Random, randomFrom } from '../support/random.ts';
import { HOUR, type Quality, SimKiosk } from './sim-updates.ts';

const KIOSKS = 6;
const VERSIONS = 5;
const DAYS_EACH = 4;
const BEGIN = Date.UTC(2026, 10, 21);

interface Totals {
	rollouts: number;
	checks: number;
	good: number;
	failed: number;
	held: number;
	/** Number of trials that a power cut interrupted. */
	cuts: number;
}

function manifestOf(version: string, change: Partial<Manifest>): Manifest {
	return {
		...{ format: 1, channel: 'stable', version, released_at: '', rollout: { percent: 100, seed: version }, severity: 'routine' },
		...{ journal: { reads: 1, writes: 1 }, files: [], notes: { id: '', en: '' }, hold: false, failed: [], retry: 0, ...change },
	};
}

/**
 * Runs one fleet through its versions.
 * @returns the totals; throws an error that names the seed if an invariant is violated
 */
async function simulateFleet(seed: number): Promise<Totals> {
	const random = randomFrom(seed);
	const names = Array.from({ length: VERSIONS }, (_, index) => `0.${index + 2}.0`);
	const qualities = new Map<string, Quality>(names.map((name) => [name, random.pick(['good', 'good', 'never_drew', 'panic'])]));
	const world = { random, now: BEGIN, qualities, manifest: manifestOf('0.1.0', {}), cuts: random.pick([0, 0.002, 0.02]) };
	const kiosks = Array.from({ length: KIOSKS }, (_, index) => new SimKiosk(`kiosk-${seed}-${index}`, '0.1.0', world));
	const totals: Totals = { rollouts: VERSIONS, checks: 0, good: 0, failed: 0, held: 0, cuts: 0 };
	try {
		for (const version of names) await rollOut(world, kiosks, version, totals);
		for (const kiosk of kiosks) {
			for (const { outcome } of kiosk.state.history) if (outcome === 'good' || outcome === 'failed') totals[outcome] += 1;
			totals.cuts += kiosk.cutTrials.size;
		}
		return totals;
	} catch (error) {
		throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
	}
}

type World = ConstructorParameters<typeof SimKiosk>[2];

async function rollOut(world: World, kiosks: readonly SimKiosk[], version: string, totals: Totals): Promise<void> {
	const { random } = world;
	const heldFrom = random.chance(0.3) ? random.int(0, DAYS_EACH * 24) : Number.POSITIVE_INFINITY;
	const stages = random.pick([[100], [10, 100], [10, 50, 100], [0, 100]]);
	// A kiosk may be off for several roll-outs, for example in a shop that is closed for months.
	for (const kiosk of kiosks) if (random.chance(0.2)) kiosk.isOn = !kiosk.isOn;
	for (let hour = 0; hour < DAYS_EACH * 24; hour += 1) {
		world.now += HOUR;
		const percent = stages[Math.min(stages.length - 1, Math.floor((hour / (DAYS_EACH * 24)) * stages.length * 1.5))] ?? 100;
		world.manifest = manifestOf(version, { rollout: { percent, seed: version }, hold: hour >= heldFrom });
		for (const [index, kiosk] of kiosks.entries()) await anHour(kiosk, (hour + index) % 6 === 0, random, totals);
	}
	if (heldFrom < Number.POSITIVE_INFINITY) totals.held += 1;
	else if (world.qualities.get(version) === 'good') for (const kiosk of kiosks) assertArrived(kiosk, version);
}

async function anHour(kiosk: SimKiosk, checks: boolean, random: Random, totals: Totals): Promise<void> {
	if (!kiosk.isOn) return;
	kiosk.hasMoneyMoving = random.chance(0.3);
	if (checks) {
		totals.checks += 1;
		await kiosk.run(() => kiosk.check());
		kiosk.assertBootable();
	}
	if (kiosk.state.state === 'written' || kiosk.state.state === 'waiting' || kiosk.state.state === 'restarting') {
		await kiosk.run(() => kiosk.restartAtNight());
		kiosk.assertBootable();
	}
	// Sometimes staff switch a kiosk off and on.
	if (random.chance(0.01)) {
		kiosk.start();
		kiosk.assertBootable();
	}
}

/**
 * Checks that after four days every switched-on kiosk runs the good version, unless a power cut
 * interrupted the kiosk's trial of this version or the kiosk's restart still waits.
 */
function assertArrived(kiosk: SimKiosk, version: string): void {
	if (!kiosk.isOn || kiosk.running === version || kiosk.cutTrials.has(version)) return;
	const { state } = kiosk.state;
	if (state === 'written' || state === 'waiting' || state === 'restarting') return;
	throw new Error(`${kiosk.id} runs ${kiosk.running} and not ${version}: ${JSON.stringify(kiosk.state)}`);
}

/** @param rollouts least number of roll-outs @param from first seed */
export async function simulateRollouts(rollouts: number, from: number): Promise<Totals> {
	const totals: Totals = { rollouts: 0, checks: 0, good: 0, failed: 0, held: 0, cuts: 0 };
	for (let seed = from; totals.rollouts < rollouts; seed += 1) {
		const one = await simulateFleet(seed);
		for (const name of Object.keys(totals) as (keyof Totals)[]) totals[name] += one[name];
	}
	return totals;
}

if (import.meta.main) {
	const [rollouts = '10000', from = '1'] = process.argv.slice(2);
	const begun = performance.now();
	const totals = await simulateRollouts(Number(rollouts), Number(from));
	process.stdout.write(`${JSON.stringify(totals)} in ${Math.round(performance.now() - begun)} ms\n`);
}
