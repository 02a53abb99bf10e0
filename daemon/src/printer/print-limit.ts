import type { Clock } from '../clock.ts';

const MINUTE_MS = 60_000;

/** Limits how many papers a faulty or forged screen can use up. */
export interface PrintLimit {
	/** @returns for how many whole seconds no further paper is begun; 0 when one may */
	waitS(): number;
	/** A paper is begun. */
	count(): void;
}

/** @param perMinute papers that may begin within any minute */
export function printLimit(perMinute: number, clock: Clock): PrintLimit {
	/** When the last papers were begun, monotonic ms, oldest first. */
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
