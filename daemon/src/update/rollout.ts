/**
 * Which kiosks a staged roll-out reaches. The update server only offers files, so each kiosk
 * decides by itself.
 */
import { createHash } from 'node:crypto';

/** Part of a manifest: percentage of kiosks; the seed shuffles the kiosks for each roll-out. */
export interface Rollout {
	percent: number;
	seed: string;
}

/** @returns 0 to 99; the same for a kiosk and a seed for ever */
export const bucketOf = (machineId: string, seed: string): number =>
	createHash('sha256').update(`${machineId} ${seed}`).digest().readUIntBE(0, 6) % 100;

/** @param override `[update] percent_override` of this kiosk's settings, or null */
export const isChosen = (machineId: string, rollout: Rollout, override: number | null): boolean =>
	bucketOf(machineId, rollout.seed) < (override ?? rollout.percent);
