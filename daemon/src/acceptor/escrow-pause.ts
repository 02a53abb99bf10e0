import type { Clock } from '../base/clock.ts';
import type { AcceptorDriver, AcceptorReport } from './driver.ts';

/**
 * How long a note stays in escrow before the desk decides: time for a technician to pull a plug.
 * The driver accepts a note only within 4 s after its escrow, so this time is shorter.
 */
const ESCROW_PAUSE_MS = 3_000;

/**
 * Filter between cash desk and driver. While it is on, a note stays in escrow for three seconds
 * before the desk decides about it, so that power or cable can be cut at that point. While it is
 * off, every report passes at once.
 */
export interface EscrowPause {
	/** Wraps the function that starts the driver. */
	around(start: (report: (report: AcceptorReport) => void) => AcceptorDriver): (report: (report: AcceptorReport) => void) => AcceptorDriver;
	turn(on: boolean): void;
}

export function startEscrowPause(clock: Clock): EscrowPause {
	let on = false;
	return {
		turn(wanted) {
			on = wanted;
		},
		around: (start) => (report) => {
			let cancel: (() => void) | null = null;
			function drop(): void {
				cancel?.();
				cancel = null;
			}
			const driver = start((said) => {
				if (!leavesNoteWaiting(said)) drop();
				if (said.kind !== 'escrow' || (!on && cancel === null)) return report(said);
				// The driver repeats its report until the note is decided.
				cancel ??= clock.after(ESCROW_PAUSE_MS, () => {
					cancel = null;
					report(said);
				});
			});
			return {
				send: (command) => driver.send(command),
				stop() {
					drop();
					driver.stop();
				},
			};
		},
	};
}

/** @returns whether a note in escrow is still there after this report */
const leavesNoteWaiting = (said: AcceptorReport): boolean =>
	said.kind === 'escrow' || (said.kind === 'state' && (said.state === 'ready' || said.state === 'busy'));
