import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../base/clock.ts';
import { replaceFileForGood } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';
import type { Log } from '../log/log.ts';

const FREE_TRIES = 3;
const FIRST_WAIT_MS = 30_000;
/**
 * Longest delay: long enough to protect a PIN of six digits, short enough that a playing child does
 * not lock staff out for a day.
 */
const LONGEST_WAIT_MS = 15 * 60_000;

/** @returns delay in ms after this many consecutive wrong PINs */
export const pinWaitMs = (refused: number): number =>
	refused < FREE_TRIES ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (refused - FREE_TRIES), LONGEST_WAIT_MS);

const Stored = v.strictObject({ refused: v.pipe(v.number(), v.integer(), v.minValue(0)) });

/** The result of a PIN check. `no_answer`: unknown. */
export type PinOutcome = 'right' | 'wrong' | 'no_answer';

/**
 * Counts consecutive wrong PINs of all pages together and delays the next PIN. The count is saved
 * before the PIN is checked, so that a power cut gives no new tries. A restart starts the delay
 * again.
 */
export interface PinTries {
	/**
	 * @returns seconds until the next PIN may be tried; 0 if it may be tried now; at least 1 while a
	 * PIN is being checked
	 */
	waitS(): number;
	/**
	 * Counts a try.
	 * @returns a function that takes the outcome of the try; null while no PIN may be tried
	 */
	begin(): ((outcome: PinOutcome) => void) | null;
}

/**
 * @param of.file where the count is kept
 * @param of.refused called for each wrong PIN, with the number of consecutive wrong PINs and the
 * delay in ms
 */
export function openPinTries(of: { file: string; clock: Clock; log: Log; refused: (in_a_row: number, wait_ms: number) => void }): PinTries {
	const { file, clock, log } = of;
	let refused = load(file);
	let until = clock.now() + pinWaitMs(refused);
	let checking = false;
	let isStored = true;

	function count(next: number): void {
		refused = next;
		try {
			mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
			replaceFileForGood(file, JSON.stringify({ refused }));
			isStored = true;
		} catch (error) {
			isStored = false;
			log.event('screen.pin_tries_not_stored', { reason: messageOf(error) });
		}
	}

	const waitS = (): number => Math.max(checking ? 1 : 0, Math.ceil((until - clock.now()) / 1_000));

	return {
		waitS,
		begin() {
			if (waitS() > 0) return null;
			checking = true;
			const before = refused;
			count(before + 1);
			return (outcome) => {
				checking = false;
				if (outcome === 'no_answer') return count(before);
				if (outcome === 'right') return count(0);
				// The disk may have been full when the try began.
				if (!isStored) count(refused);
				const wait_ms = pinWaitMs(refused);
				until = clock.now() + wait_ms;
				of.refused(refused, wait_ms);
			};
		},
	};
}

function load(file: string): number {
	try {
		return v.parse(Stored, JSON.parse(readFileSync(file, 'utf8'))).refused;
	} catch {
		// Without a file there was no wrong PIN. A damaged file is treated as missing.
		return 0;
	}
}
