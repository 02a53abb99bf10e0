import type { Clock } from '../base/clock.ts';
import type { AcceptorDriver, AcceptorReport } from './driver.ts';

/**
 * Commissioning ends if its client sends no request for this time. `kioskctl` sends a request every
 * 200 ms.
 */
const LEASE_MS = 15_000;

/** A note that came into escrow during commissioning and was rejected. */
export interface HeardNote {
	/** Number of the note in this commissioning, from 1. */
	number: number;
	/** Code of the note, as in the settings, e.g. "0x44". */
	code: string;
}

export type CommissioningEnd = 'asked' | 'lease' | 'customer';

/**
 * Filter between the cash desk and the driver. During commissioning, the filter lists and rejects
 * every note in escrow. It hides the escrow from the desk, so that the desk cannot accept the note.
 * Other reports pass. When the desk sends ENABLE for a customer, commissioning ends.
 */
export interface Commissioning {
	/** Wraps the function that starts the driver. */
	around(start: (report: (report: AcceptorReport) => void) => AcceptorDriver): (report: (report: AcceptorReport) => void) => AcceptorDriver;
	begin(): void;
	end(): void;
	isOn(): boolean;
	/**
	 * Extends commissioning by `LEASE_MS` if it is on.
	 * @returns whether commissioning is on, why it ended, whether the acceptor is ready, and the
	 * notes so far
	 */
	look(): { on: boolean; ended: CommissioningEnd | null; taking: boolean; heard: HeardNote[] };
}

export function startCommissioning(clock: Clock): Commissioning {
	let driver: AcceptorDriver | null = null;
	let on = false;
	let ended: CommissioningEnd | null = null;
	let taking = false;
	let heard: HeardNote[] = [];
	let cancelLease = () => {};

	function end(why: CommissioningEnd): void {
		if (!on) return;
		on = false;
		ended = why;
		cancelLease();
		driver?.send('inhibit');
	}

	function lease(): void {
		cancelLease();
		cancelLease = clock.after(LEASE_MS, () => end('lease'));
	}

	return {
		around: (start) => (report) => {
			const real = start((said) => {
				if (said.kind === 'state') taking = said.state === 'ready';
				if (!on || said.kind !== 'escrow') return report(said);
				heard.push({ number: heard.length + 1, code: said.code });
				real.send('reject');
			});
			driver = real;
			return {
				send(command) {
					// ENABLE means that a customer pays, so it ends commissioning. During commissioning the
					// desk's INHIBIT is ignored, because the acceptor must take notes.
					if (command === 'enable') end('customer');
					if (on && command === 'inhibit') return;
					real.send(command);
				},
				stop: () => real.stop(),
			};
		},
		begin() {
			heard = [];
			ended = null;
			on = true;
			lease();
			driver?.send('enable');
		},
		end: () => end('asked'),
		isOn: () => on,
		look() {
			if (on) lease();
			return { on, ended, taking, heard: [...heard] };
		},
	};
}
