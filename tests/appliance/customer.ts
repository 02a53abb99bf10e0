/** Acts as a customer who types on the booted kiosk's keyboard and touches its screen. */
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { GUEST_MS, type KioskUnderTest } from './kiosk-under-test.ts';

type Place = readonly [x: number, y: number];
/**
 * Centres of the upper and lower large button on the method screens, as fractions of the screen.
 */
export const UPPER_BUTTON: Place = [0.48, 0.337];
export const LOWER_BUTTON: Place = [0.48, 0.684];
/**
 * Distance from the left of a place just inside these buttons, where only their colour is drawn.
 */
const BUTTON_EDGE = 0.272;
const WHITE = 0xff_ff_ff;
/** If the next screen does not appear within this time, ms, the customer types the number again. */
const ATTEMPT_MS = 120_000;

export interface Customer {
	/**
	 * Types the number on the home screen, again if need be, until the screen shows the route `next`.
	 */
	enter(phone: string, next?: string): Promise<void>;
	/** Waits until a large button is drawn, presses it, and waits for another heading. */
	press(button: Place): Promise<void>;
	takesNotes(): Promise<void>;
	insert(nominal: number): Promise<void>;
}

export function customerOf(kiosk: KioskUnderTest): Customer {
	return {
		async enter(phone, next = '/payment-method') {
			await until(async () => {
				// Keys typed before the field has focus are lost; the loop then types again.
				for (const _ of `${phone}00`) await kiosk.guest().keys('backspace');
				await kiosk.guest().type(`${phone}\n`);
				await kiosk.shows(next, ATTEMPT_MS);
			}, GUEST_MS);
		},
		async press([x, y]) {
			const look = async () => {
				// A key press keeps the screen from asking whether the customer is still there.
				await kiosk.guest().keys('shift');
				const picture = await kiosk.guest().picture('screen');
				return { edge: picture.at(BUTTON_EDGE, y), heading: picture.rows(0.03, 0.1, 0.25, 0.68) };
			};
			const before = await until(async () => {
				const { edge, heading } = await look();
				expect(edge).toBe(WHITE);
				return heading;
			}, GUEST_MS);
			await kiosk.guest().tap(x, y);
			await until(async () => expect((await look()).heading).not.toBe(before), GUEST_MS);
		},
		takesNotes: () => until(async () => expect(await kiosk.part('cash')).toBe('takes notes'), GUEST_MS),
		insert: (nominal) => until(() => expect(kiosk.acceptor.device.insert({ nominal })).toMatchObject({ taken: true }), GUEST_MS),
	};
}
