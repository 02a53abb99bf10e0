import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { guardFlood } from './flood-guard.ts';
import type { OpenPort, PortListener } from './port.ts';

const LIMITS = { burstBytes: 100, bytesPerSecond: 10, bytesPerRequest: 50, sliceBytes: 40 };

/** A clock controlled by the test. */
function handClock(): Clock & { pass(ms: number): void } {
	let now = 0;
	let timers: { at: number; action: () => void }[] = [];
	return {
		now: () => now,
		wall: () => new Date(now),
		after(ms, action) {
			const timer = { at: now + ms, action };
			timers.push(timer);
			return () => {
				timers = timers.filter((other) => other !== timer);
			};
		},
		pass(ms) {
			const end = now + ms;
			for (;;) {
				const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
				if (!next) break;
				timers = timers.filter((other) => other !== next);
				now = Math.max(now, next.at);
				next.action();
			}
			now = end;
		},
	};
}

/** A guarded line, with the events that its driver receives and the ports that it opens. */
function guarded() {
	const clock = handClock();
	const heard: string[] = [];
	const ports: { listener: PortListener; closed: boolean; paused: boolean }[] = [];
	const bytes: number[] = [];
	const slices: number[] = [];
	const inner: OpenPort = (listener) => {
		const port = { listener, closed: false, paused: false };
		ports.push(port);
		return {
			write: (sent) => heard.push(`wrote ${sent.length}`),
			close() {
				if (port.closed) return;
				port.closed = true;
				listener.closed('closed by the daemon');
			},
			pause() {
				port.paused = true;
			},
			resume() {
				port.paused = false;
			},
		};
	};
	const open = guardFlood(inner, LIMITS, clock);
	const openLine = () =>
		open({
			opened: () => heard.push('opened'),
			data(slice) {
				bytes.push(...slice);
				slices.push(slice.length);
			},
			closed: (reason, flooded) => heard.push(`${flooded ? 'flooded' : 'closed'}: ${reason.slice(0, 7)}`),
		});
	const newest = () => {
		const port = ports.at(-1);
		if (!port) throw new Error('no port was opened');
		return port;
	};
	const say = (count: number) => newest().listener.data(Uint8Array.from({ length: count }, (_, at) => at));
	return { clock, heard, ports, bytes, slices, openLine, newest, say };
}

test('bytes at a device’s normal rate pass unchanged for hours', () => {
	const { clock, heard, bytes, openLine, newest, say } = guarded();
	openLine();
	newest().listener.opened();
	for (let second = 0; second < 36_000; second += 1) {
		say(10);
		clock.pass(1_000);
	}
	expect(bytes).toHaveLength(360_000);
	expect(heard).toEqual(['opened']);
});

test('answers to quick requests are not a flood, but frames to which the kiosk sends only acknowledgements are', () => {
	const { heard, bytes, openLine, say, clock } = guarded();
	const line = openLine();
	for (let sale = 0; sale < 1_000; sale += 1) {
		line.write(new Uint8Array(200));
		say(40);
		line.write(new Uint8Array(1));
		clock.pass(1);
	}
	expect(bytes).toHaveLength(40_000);
	for (let frame = 0; frame < 3; frame += 1) {
		say(40);
		line.write(new Uint8Array(1));
	}
	expect(heard).toContain('flooded: flooded');
});

test('a burst is passed on in slices, and bytes that arrive between the slices keep their place in the order', () => {
	const { clock, bytes, slices, openLine, say } = guarded();
	openLine();
	say(90);
	say(3);
	expect(slices).toEqual([40]);
	clock.pass(1);
	expect(slices).toEqual([40, 40, 13]);
	expect(bytes).toEqual([...Array(90).keys(), 0, 1, 2]);
});

test('a line that closes after a burst first delivers the whole burst', () => {
	const { heard, bytes, openLine, newest, say } = guarded();
	openLine();
	say(90);
	newest().listener.closed('gone');
	expect(bytes).toHaveLength(90);
	expect(heard).toEqual(['closed: gone']);
});

test('a flooded line counts as lost, and its bytes are discarded until it is calm and reopened', () => {
	const { clock, heard, ports, bytes, openLine, newest, say } = guarded();
	openLine();
	newest().listener.opened();
	say(1_000_000);
	expect(heard).toEqual(['opened', 'flooded: flooded']);
	expect(newest()).toMatchObject({ closed: false, paused: true });
	openLine();
	for (let read = 0; read < 100; read += 1) {
		clock.pass(50);
		expect(newest().paused).toBe(false);
		say(100_000);
		expect(newest().paused).toBe(true);
	}
	expect(ports).toHaveLength(1);
	clock.pass(2_200);
	expect(ports.map(({ closed }) => closed)).toEqual([true, false]);
	newest().listener.opened();
	say(90);
	clock.pass(10);
	expect(heard).toEqual(['opened', 'flooded: flooded', 'opened']);
	expect(bytes).toHaveLength(90);
});

test('an endless flood is reported repeatedly, so that the line does not count as abandoned', () => {
	const { clock, heard, ports, openLine, say } = guarded();
	openLine();
	say(1_000);
	openLine();
	for (let second = 0; second < 30; second += 1) {
		clock.pass(1_000);
		ports[0]?.listener.data(new Uint8Array(1_000));
	}
	expect(heard).toEqual(['flooded: flooded', 'flooded: flooded']);
	expect(ports).toHaveLength(1);
});

test('a flooding line that closes is reopened', () => {
	const { clock, heard, ports, openLine, newest, say } = guarded();
	openLine();
	say(1_000);
	openLine();
	newest().listener.closed('gone');
	clock.pass(200);
	expect(ports).toHaveLength(2);
	expect(heard).toEqual(['flooded: flooded']);
});

test('if a flooding line is closed twice, its end is reported once', () => {
	const { heard, openLine, say } = guarded();
	openLine();
	say(1_000);
	const again = openLine();
	again.close();
	again.close();
	again.write(Uint8Array.of(1));
	expect(heard).toEqual(['flooded: flooded', 'closed: closed ']);
});
