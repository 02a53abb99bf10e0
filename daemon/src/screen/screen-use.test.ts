import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { ScreenLiveness } from './liveness.ts';
import { type ScreenUse, watchScreenUse } from './screen-use.ts';

let clock: VirtualClock;
let liveness: ScreenLiveness;
let use: ScreenUse;
beforeEach(() => {
	clock = new VirtualClock();
	liveness = new ScreenLiveness(clock);
	use = watchScreenUse(clock, liveness);
});

/** Makes a call. @returns a function that answers it */
function call(method: string, path: string): () => void {
	const response = new EventEmitter();
	expect(use.handler({ method } as never, response as never, path)).toBe(false);
	return () => response.emit('close');
}

test('the idle time counts from the latest of these: the start, the last answered call, the last frame of a visit', () => {
	clock.advance(700_000);
	expect(use.idleMs()).toBe(700_000);
	liveness.drawn('/payment-method', '08123');
	clock.advance(5_000);
	expect(use.idleMs()).toBe(5_000);
	const answer = call('POST', '/payment/api/v1/get-invoice-info/');
	clock.advance(2_000);
	answer();
	expect(use.idleMs()).toBe(0);
});

test('frames of the home screen and automatic calls of a page do not count as use', () => {
	clock.advance(60_000);
	liveness.drawn('/', '');
	call('POST', '/kiosk/rendered')();
	call('GET', '/kiosk/settings')();
	expect(use.idleMs()).toBe(60_000);
});

test('a call counts as use until it is answered', () => {
	const answers = [call('POST', '/payment/api/v1/payment/'), call('POST', '/kiosk/print')];
	expect(use.calls()).toBe(2);
	for (const answer of answers) answer();
	expect(use.calls()).toBe(0);
});

test('a payment code counts as shown until another screen is drawn', () => {
	liveness.drawn('/non-cash-payment', '08123');
	clock.advance(60_000);
	expect(use.showsCode()).toBe(true);
	liveness.drawn('/', '');
	expect(use.showsCode()).toBe(false);
});
