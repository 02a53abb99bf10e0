import type { Clock } from '../base/clock.ts';

const MINUTE_MS = 60_000;

/** Limits how many printouts a faulty or forged screen can request. */
export interface PrintLimit {
	/** @returns seconds until the next print may begin; 0 if now */
	waitS(): number;
	/** Counts a print. */
	count(): void;
}

/** @param perMinute number of prints that may begin within a minute */
export function printLimit(perMinute: number, clock: Clock): PrintLimit {
	/** Times at which the last prints began, monotonic ms, oldest first. */
	let begun: number[] = [];
	return {
		waitS() {
			begun = begun.filter((at) => clock.now() - at < MINUTE_MS);
			const [oldest = 0] = begun;
			return begun.length < perMinute ? 0 : Math.max(1, Math.ceil((oldest + MINUTE_MS - clock.now()) / 1000));
		},
		count: () => void begun.push(clock.now()),
	};
}
