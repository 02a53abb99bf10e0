import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../tests/support/virtual-clock.ts';
import type { PortListener } from '../../serial/port.ts';
import type { AcceptorReport } from '../driver.ts';
import { COMMANDS } from './codes.ts';
import { startIctDriver } from './driver.ts';

/** Starts a driver whose line has just opened. */
function start({ boxOut }: { boxOut: boolean }) {
	const clock = new VirtualClock();
	const reports: AcceptorReport[] = [];
	const listeners: PortListener[] = [];
	const driver = startIctDriver({
		open(listener) {
			listeners.push(listener);
			clock.after(0, () => listener.opened());
			return { write: () => {}, close: () => {} };
		},
		devicePath: null,
		locked: false,
		boxOut,
		doubtAt: 0,
		clock,
		log: { event: () => {} },
		report(report) {
			reports.push(report);
			if (report.kind === 'cashbox_removed') driver.send('inhibit');
		},
	});
	clock.advance(100);
	const hear = (...bytes: number[]) => listeners.at(-1)?.data(Uint8Array.from(bytes));
	return { clock, driver, reports, hear };
}

test('a command sent from the report callback takes effect after all reports of the same read', () => {
	const { clock, driver, reports, hear } = start({ boxOut: false });
	driver.send('enable');
	clock.advance(100);
	hear(0x3e);
	reports.length = 0;
	hear(0x24, 0x2f, 0x3e);
	expect(reports).toEqual([{ kind: 'cashbox_removed' }, { kind: 'state', state: 'ready' }, { kind: 'state', state: 'inhibited' }]);
	driver.stop();
});

test('if the cashbox was out in an earlier run, one healthy answer does not show that the cashbox is back, but three answers do', () => {
	const { driver, reports, hear } = start({ boxOut: true });
	hear(0x5e);
	expect(reports.at(-1)).toEqual({ kind: 'state', state: 'cashbox_open' });
	hear(0x5e);
	hear(0x5e);
	expect(reports.at(-1)).toEqual({ kind: 'state', state: 'inhibited' });
	expect(reports.filter(({ kind }) => kind === 'cashbox_removed')).toEqual([]);
	driver.stop();
});

/**
 * Starts a driver and a unit that answers each poll with the last command, unless the unit is
 * silent.
 */
function startPolled() {
	const clock = new VirtualClock();
	const unit = { polls: [] as number[], answer: 0x5e, silent: false };
	const reports: AcceptorReport[] = [];
	const driver = startIctDriver({
		open(listener) {
			clock.after(0, () => listener.opened());
			const write = ([byte]: Uint8Array) => {
				if (byte === COMMANDS.enable || byte === COMMANDS.inhibit) unit.answer = byte;
				if (byte !== COMMANDS.poll) return;
				unit.polls.push(clock.now());
				if (!unit.silent) clock.after(5, () => listener.data(Uint8Array.of(unit.answer)));
			};
			return { write, close: () => {} };
		},
		devicePath: null,
		locked: false,
		boxOut: false,
		doubtAt: null,
		clock,
		log: { event: () => {} },
		report: (report) => reports.push(report),
	});
	/** @returns the times between the polls of the next `ms` */
	const pausesIn = (ms: number): number[] => {
		unit.polls = [clock.now()];
		clock.advance(ms);
		return unit.polls.slice(1).map((at, index) => at - (unit.polls[index] ?? 0));
	};
	return { clock, driver, unit, reports, pausesIn };
}

test('an idle unit is polled every second, and the driver wakes only for polls', () => {
	const { clock, driver, unit, pausesIn } = startPolled();
	clock.advance(10_000);
	for (const pause of pausesIn(60_000).slice(1)) expect(pause).toBeCloseTo(1_000, -1);
	const [end, before] = [clock.now() + 60_000, unit.polls.length];
	let timers = 0;
	while (clock.step(end)) timers += 1;
	// Each poll needs one timer for the tick and one for the unit's answer.
	expect(timers).toBeLessThanOrEqual(2 * (unit.polls.length - before) + 1);
	driver.stop();
});

test('when an idle unit is enabled between two polls, polling every 300 ms begins at once', () => {
	const { clock, driver, pausesIn } = startPolled();
	clock.advance(10_050);
	driver.send('enable');
	for (const pause of pausesIn(6_000)) expect(pause).toBeLessThanOrEqual(300);
	driver.stop();
});

test('an idle unit that stops answering is reported as silent after five unanswered polls', () => {
	const { clock, driver, unit, reports } = startPolled();
	clock.advance(10_000);
	unit.silent = true;
	clock.advance(5_000);
	expect(reports.at(-1)).toEqual({ kind: 'state', state: 'inhibited' });
	clock.advance(2_400);
	expect(reports.at(-1)).toEqual({ kind: 'state', state: 'silent' });
	driver.stop();
});
