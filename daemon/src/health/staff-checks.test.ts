import { expect, test } from 'vitest';
import { customerCall, touch } from './staff-checks.ts';

test('an open call of a customer is a warning with its time, screen and invoice', () => {
	expect(customerCall({ since: '2026-11-24T14:05:00+07:00', screen: '/cash-payment', invoice: 'INV/42' })).toMatchObject([
		{
			part: 'customer',
			state: 'warn',
			text: 'a customer has been calling staff since 2026-11-24T14:05:00+07:00',
			why: 'on /cash-payment, invoice INV/42',
		},
	]);
	expect(customerCall({ since: '2026-11-24T14:05:00+07:00', screen: '/', invoice: '' })[0]?.why).toBe('on the home screen');
	expect(customerCall(null)).toEqual([]);
});

const HOUR = 3_600_000;

test('if a panel that draws has had no touch for touch_quiet_hours, health shows a warning', () => {
	expect(touch(47 * HOUR, 48)).toEqual([]);
	expect(touch(48 * HOUR, 48)).toMatchObject([
		{ part: 'touch', state: 'warn', code: 'quiet', text: 'no touch for 48 h although the panel draws' },
	]);
	expect(touch(500 * HOUR, 0)).toEqual([]);
	expect(touch(null, 48)).toEqual([]);
});
