import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../tests/support/virtual-clock.ts';
import type { PortListener } from '../../serial/port.ts';
import type { AcceptorReport } from '../driver.ts';
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

test('if the cashbox was out in an earlier run, one healthy answer does not show that it is back, but three do', () => {
	const { driver, reports, hear } = start({ boxOut: true });
	hear(0x5e);
	expect(reports.at(-1)).toEqual({ kind: 'state', state: 'cashbox_open' });
	hear(0x5e);
	hear(0x5e);
	expect(reports.at(-1)).toEqual({ kind: 'state', state: 'inhibited' });
	expect(reports.filter(({ kind }) => kind === 'cashbox_removed')).toEqual([]);
	driver.stop();
});
