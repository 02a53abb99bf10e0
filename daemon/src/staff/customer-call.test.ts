import { expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { openCustomerCall } from './customer-call.ts';

const MINUTE = 60_000;

function desk() {
	const clock = new VirtualClock();
	const logged: { id: string; fields: unknown }[] = [];
	const told: (string | null)[] = [];
	const call = openCustomerCall({
		clock,
		now: () => clock.wall().toISOString(),
		log: { event: (id, fields) => logged.push({ id, fields }) },
		changed: (since) => told.push(since),
	});
	return { clock, logged, told, call, ids: () => logged.map(({ id }) => id) };
}

test('a hundred presses of the button make one call, one log event and one message to the screens', () => {
	const { clock, logged, told, call } = desk();
	const first = call.call('/cash-payment', 'INV/42');
	for (let press = 0; press < 99; press += 1) {
		clock.advance(100);
		expect(call.call('/', '')).toEqual(first);
	}
	expect(logged).toEqual([{ id: 'staff.called', fields: { screen: '/cash-payment', invoice: 'INV/42' } }]);
	expect(told).toEqual([first.since]);
	expect(call.open()).toEqual({ since: '2026-11-21T01:00:00.000Z', screen: '/cash-payment', invoice: 'INV/42' });
});

test('after staff have answered a call, the staff screen still shows it for ten minutes', () => {
	const { clock, ids, logged, told, call } = desk();
	const made = call.call('/', '');
	clock.advance(3 * MINUTE);
	call.answer('staff screen');
	expect(call.open()).toBeNull();
	expect(call.shown()).toEqual(made);
	expect(told).toEqual([made.since, null]);
	expect(ids()).toEqual(['staff.called', 'staff.call_answered']);
	expect(logged[1]?.fields).toEqual({ by: 'staff screen', waited_ms: 3 * MINUTE });
	clock.advance(10 * MINUTE);
	expect(call.shown()).toBeNull();
	// After the call has ended, `answer` has no effect.
	expect(call.answer('staff screen')).toBe(false);
	expect(ids()).toHaveLength(2);
});

test('a call that staff do not answer expires after fifteen minutes; the next customer can then call', () => {
	const { clock, logged, told, call } = desk();
	call.call('/', '');
	clock.advance(15 * MINUTE);
	expect(call.open()).toBeNull();
	expect(told.at(-1)).toBeNull();
	expect(logged.at(-1)).toEqual({ id: 'staff.call_expired', fields: { waited_ms: 15 * MINUTE } });
	call.call('/payment-method', '');
	clock.advance(14 * MINUTE);
	expect(call.open()?.screen).toBe('/payment-method');
});

test('the waiting time counts from the start of the open call', () => {
	const { clock, call } = desk();
	expect(call.waitedMs()).toBe(0);
	call.call('/', '');
	clock.advance(5_000);
	expect(call.waitedMs()).toBe(5_000);
});
