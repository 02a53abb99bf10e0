import type { Clock } from '../base/clock.ts';
import type { AcceptorDriver, AcceptorReport } from './driver.ts';

/**
 * Delay of the report of a note in escrow. A technician can pull a plug during this time. The time
 * is shorter than the 4 s within which the driver accepts a note.
 */
const ESCROW_PAUSE_MS = 3_000;

/**
 * Filter between the cash desk and the driver. While it is on, the desk gets the report of a note
 * in escrow three seconds late. In this time a technician can cut the power or the cable. Other
 * reports pass at once.
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
				// The driver may report the same escrow again, so only the first report starts the timer.
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

/** @returns whether a note in escrow can still be accepted after this report */
const leavesNoteWaiting = (said: AcceptorReport): boolean =>
	said.kind === 'escrow' || (said.kind === 'state' && (said.state === 'ready' || said.state === 'busy'));
