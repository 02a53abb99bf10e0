import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../tests/support/virtual-clock.ts';
import type { PortListener } from '../../serial/port.ts';
import type { AcceptorDriver, AcceptorReport } from '../driver.ts';
import { startIctDriver } from './driver.ts';

test('a command sent from the report callback takes effect after all reports of the same read', () => {
	const clock = new VirtualClock();
	const reports: AcceptorReport[] = [];
	let unit: PortListener | null = null;
	const driver: AcceptorDriver = startIctDriver({
		open(listener) {
			unit = listener;
			clock.after(0, () => listener.opened());
			return { write: () => {}, close: () => {} };
		},
		devicePath: null,
		locked: false,
		doubtAt: 0,
		clock,
		log: { event: () => {} },
		report(report) {
			reports.push(report);
			if (report.kind === 'cashbox_removed') driver.send('inhibit');
		},
	});
	const hear = (...bytes: number[]) => unit?.data(Uint8Array.from(bytes));
	clock.advance(100);
	driver.send('enable');
	clock.advance(100);
	hear(0x3e);
	reports.length = 0;
	hear(0x24, 0x2f, 0x3e);
	expect(reports).toEqual([{ kind: 'cashbox_removed' }, { kind: 'state', state: 'ready' }, { kind: 'state', state: 'inhibited' }]);
	driver.stop();
});
