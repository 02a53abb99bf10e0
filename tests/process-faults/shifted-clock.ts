/**
 * Loaded into the daemon before everything else: its wall clock is off by what the file KIOSK_TEST_CLOCK says, in ms, and follows the
 * file. Timers and performance.now() run as before, as they do when somebody sets the clock of a machine.
 */
import { readFileSync } from 'node:fs';

const file = process.env.KIOSK_TEST_CLOCK ?? '';
const RealDate = Date;

function shiftMs(): number {
	try {
		return Number(readFileSync(file, 'utf8'));
	} catch {
		return 0;
	}
}

class ShiftedDate extends RealDate {
	constructor(...of: [] | ConstructorParameters<typeof RealDate>) {
		if (of.length === 0) super(RealDate.now() + shiftMs());
		else super(...of);
	}

	static override now(): number {
		return RealDate.now() + shiftMs();
	}
}

globalThis.Date = ShiftedDate as DateConstructor;
