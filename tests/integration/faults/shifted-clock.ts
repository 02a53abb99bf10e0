/**
 * Preloaded into the daemon: shifts its wall clock by the ms in the file KIOSK_TEST_CLOCK, also
 * when that changes. Timers and performance.now() are unchanged, as when a machine's clock is set.
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
