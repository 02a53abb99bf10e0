import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../tests/support/virtual-clock.ts';
import type { PortListener } from '../../serial/port.ts';
import type { TerminalReport } from '../terminal.ts';
import { ECR_DEFAULTS } from './bca-state.ts';
import { ACK } from './codes.ts';
import { startBcaTerminal } from './driver.ts';

const SALE = { type: 'sale', amount: rupiah(137_500) } as const;
const ACK_MS = 2_000;

/** A terminal driver in virtual time; the line is open and the test plays the terminal. */
function play(react: (report: TerminalReport) => void = () => {}) {
	const clock = new VirtualClock();
	const reports: TerminalReport[] = [];
	let timers = 0;
	let line: PortListener | null = null;
	const terminal = startBcaTerminal({
		open(listener) {
			line = listener;
			clock.after(1, () => listener.opened());
			return { write: () => {}, close: () => {} };
		},
		devicePath: null,
		settings: { ...ECR_DEFAULTS, probe: 'none', ackMs: ACK_MS },
		midSale: false,
		clock: {
			now: () => clock.now(),
			wall: () => clock.wall(),
			after(ms, action) {
				timers += 1;
				return clock.after(ms, action);
			},
		},
		log: { event: () => {} },
		report(report) {
			reports.push(report);
			react(report);
		},
	});
	clock.advance(10_000);
	return {
		clock,
		terminal,
		hear: (bytes: Uint8Array) => (line as PortListener | null)?.data(Buffer.from(bytes)),
		/** Number of timers that were started within `ms`. */
		timersIn(ms: number): number {
			const before = timers;
			clock.advance(ms);
			return timers - before;
		},
		outcomes: () => reports.filter(({ kind }) => kind !== 'state' && kind !== 'begun'),
	};
}

test('an idle terminal wakes the kiosk once a second', () => {
	expect(play().timersIn(60_000)).toBeLessThanOrEqual(60);
});

test('after an idle time, a sale that gets no byte is reported as not begun at its time limit', () => {
	const { clock, terminal, outcomes } = play();
	clock.advance(950);
	terminal.request(SALE, 's1');
	clock.advance(ACK_MS - 1);
	expect(outcomes()).toEqual([]);
	clock.advance(101);
	expect(outcomes()).toMatchObject([{ kind: 'not_begun', request_id: 's1' }]);
});

test('after an exception in the receiver of a report, the driver goes on', () => {
	let broken = true;
	const { clock, terminal, hear, outcomes } = play(({ kind }) => {
		if (kind === 'acked' && broken) throw new Error('the receiver is broken');
	});
	terminal.request(SALE, 's1');
	expect(() => hear(Uint8Array.of(ACK))).toThrow('the receiver is broken');
	broken = false;
	clock.advance(ECR_DEFAULTS.answerMs + 1_000);
	expect(outcomes()).toMatchObject([{ kind: 'acked' }, { kind: 'silent', request_id: 's1' }]);
});
