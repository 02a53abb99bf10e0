/**
 * Decides whether a staged roll-out includes this kiosk. The update server only offers files, so
 * each kiosk decides for itself.
 */
import { createHash } from 'node:crypto';

/**
 * Part of a manifest: the percentage of kiosks, and a seed that changes their order between
 * roll-outs.
 */
export interface Rollout {
	percent: number;
	seed: string;
}

/** @returns a number from 0 to 99, always the same for the same kiosk and seed */
export const bucketOf = (machineId: string, seed: string): number =>
	createHash('sha256').update(`${machineId} ${seed}`).digest().readUIntBE(0, 6) % 100;

/** @param override `[update] percent_override` of this kiosk's settings, or null */
export const isChosen = (machineId: string, rollout: Rollout, override: number | null): boolean =>
	bucketOf(machineId, rollout.seed) < (override ?? rollout.percent);
