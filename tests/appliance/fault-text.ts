import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { BOOT_LIMIT_MS, type Guest } from './guest.ts';

/**
 * Waits until the screen shows a message for staff: two colours, black at the bottom, and text at
 * the top.
 */
export async function showsFaultText(guest: Guest, picture: string): Promise<void> {
	await until(async () => {
		const { colours, at, rows } = await guest.picture(picture);
		expect({ colours, ground: at(0.9, 0.9) }).toEqual({ colours: 2, ground: 0 });
		expect(rows(0, 0.3, 0, 1)).not.toBe(rows(0.7, 1, 0, 1));
	}, BOOT_LIMIT_MS);
}
