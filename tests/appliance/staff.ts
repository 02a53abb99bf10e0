/** Staff in front of the booted kiosk, who only touch its screen. */
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { GUEST_MS, type KioskUnderTest } from './kiosk-under-test.ts';
import type { Touch } from './measured-touches.ts';

/** Nothing is here on any screen; it ends the picture that invites customers. */
const NOWHERE = [0.5, 0.01] as const;
/** A screen that still changes after this many looks is touched anyway: a clock or a picture moves. */
const LOOKS = 5;

export interface Staff {
	/** Ends the picture that invites customers, if it is shown. */
	wake(): Promise<void>;
	/** Touches one button after the other: keys at once, others when the picture is still. */
	touch(touches: readonly Touch[]): Promise<void>;
}

export function staffOf(kiosk: KioskUnderTest): Staff {
	const look = async () => (await kiosk.guest().picture()).rows(0, 1, 0, 1);
	async function still(): Promise<string> {
		let seen = await look();
		for (let looks = 1; looks < LOOKS; looks += 1) {
			const next = await look();
			if (next === seen) break;
			seen = next;
		}
		return seen;
	}
	return {
		async wake() {
			await kiosk.guest().tap(...NOWHERE);
			await still();
		},
		async touch(touches) {
			for (const { name, at, changes } of touches) {
				const isKey = name.length === 1;
				const before = await (isKey ? look() : still());
				await kiosk.guest().tap(...at);
				if (changes) await until(async () => expect(await look(), name).not.toBe(before), GUEST_MS);
			}
		},
	};
}
