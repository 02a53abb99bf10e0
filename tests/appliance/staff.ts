/** Acts as staff who only touch the booted kiosk's screen. */
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { GUEST_MS, type KioskUnderTest } from './kiosk-under-test.ts';
import type { Touch } from './measured-touches.ts';
import { alike, patchOf } from './patch.ts';

/**
 * If a button is not drawn within this time, ms, a picture is saved. It must be saved before the
 * staff screens close, which happens 80 s after the last touch.
 */
const LATE_MS = 60_000;
/** No screen has a control at this place. A touch here only ends the attract picture. */
const NOWHERE = [0.5, 0.01] as const;

export interface Staff {
	/** Touches the screen once, which ends the attract picture if it is shown. */
	wake(): Promise<void>;
	/** Touches the buttons one after the other, each after it is drawn at its place. */
	touch(touches: readonly Touch[]): Promise<void>;
	/** Waits until the measured button or text is drawn at its place. */
	sees(what: Touch): Promise<void>;
}

export const staffOf = (kiosk: KioskUnderTest): Staff => {
	async function sees({ name, box, patch }: Touch): Promise<void> {
		const isDrawn = async () => {
			const { at: colour } = await kiosk.guest().picture();
			expect(alike(patchOf(colour, box), patch), `${name} is drawn at its place`).toBe(true);
		};
		await until(isDrawn, LATE_MS).catch(async () => {
			await kiosk.guest().picture('not-at-its-place');
			await until(isDrawn, GUEST_MS);
		});
	}
	return {
		wake: () => kiosk.guest().tap(...NOWHERE),
		async touch(touches) {
			for (const one of touches) {
				await sees(one);
				if (!one.isOnlySeen) await kiosk.guest().tap(...one.at);
			}
		},
		sees,
	};
};
