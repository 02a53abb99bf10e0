import type { Clock } from '../clock.ts';
import type { AcceptorDriver, AcceptorReport } from './driver.ts';

/** Whoever teaches asks every second; when nobody has asked for so long, the connection is gone and the unit closes. */
const LEASE_MS = 15_000;

/** A note that was put in while the unit was being taught, and went back. */
export interface HeardNote {
	/** Counts from 1. */
	number: number;
	/** As the settings write it, e.g. "0x44". */
	code: string;
}

export type CommissioningEnd = 'asked' | 'lease' | 'customer';

/**
 * Stands between cash desk and driver. While the unit is being taught its notes, it takes them in, names them and gives every one
 * back; the desk never hears of them, so nothing can be credited. A customer who begins to pay ends it at once.
 */
export interface Commissioning {
	/** Wraps what starts the driver. */
	around(start: (report: (report: AcceptorReport) => void) => AcceptorDriver): (report: (report: AcceptorReport) => void) => AcceptorDriver;
	begin(): void;
	end(): void;
	isOn(): boolean;
	/** What was heard since it began, and why it ended where it did; asking keeps it on. */
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
					// A payment opens the machine; whatever else the desk asks for goes on as ever.
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
