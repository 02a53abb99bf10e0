import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { watchLine } from './line-watch.ts';
import type { Port, PortListener } from './port.ts';

const deaf: PortListener = { opened: () => {}, data: () => {}, closed: () => {} };

/** A line whose port and clock are driven by the test. */
function watched() {
	const time = { now: 0 };
	const clock: Clock = { now: () => time.now, wall: () => new Date(0), after: () => () => {} };
	const port: Port = { write: () => {}, close: () => {} };
	let hears = deaf;
	const line = watchLine(
		'bill acceptor',
		(listener) => {
			hears = listener;
			return port;
		},
		clock,
	);
	return {
		line,
		hears: () => hears,
		pass: (ms: number) => {
			time.now += ms;
		},
	};
}

test('a line is healthy while it is open, and while it is lost but retried', () => {
	const { line, hears, pass } = watched();
	line.open(deaf);
	hears().opened();
	pass(86_400_000);
	line.ask();
	for (let time = 0; time < 100; time += 1) {
		hears().closed('unplugged');
		pass(5_000);
		line.open(deaf);
		line.ask();
	}
});

test.each([
	['an opening that never ends', () => {}],
	['a lost line that is not retried', (hears: PortListener) => hears.closed('unplugged')],
])('%s is reported after a minute', (_, then) => {
	const { line, hears, pass } = watched();
	line.open(deaf);
	then(hears());
	pass(59_999);
	line.ask();
	pass(1);
	expect(() => line.ask()).toThrow('the line to the bill acceptor has not been retried for 60 s');
});
