import { rupiah } from '@kiosk/contract/money';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../../tests/support/virtual-clock.ts';
import type { TerminalReport } from '../terminal.ts';
import { ECR_DEFAULTS } from './bca-state.ts';
import { startBcaTerminal } from './driver.ts';

test('after an exception in the report callback the driver still sends the request and reports its end', () => {
	const clock = new VirtualClock();
	const reports: TerminalReport[] = [];
	const frames: number[] = [];
	const terminal = startBcaTerminal({
		open(listener) {
			clock.after(0, () => listener.opened());
			return { write: () => void frames.push(1), close: () => {} };
		},
		devicePath: null,
		settings: { ...ECR_DEFAULTS, probe: 'none' },
		midSale: false,
		clock,
		log: { event: () => {} },
		report(report) {
			reports.push(report);
			if (report.kind === 'begun') throw new Error('an exception');
		},
	});
	onTestFinished(() => terminal.stop());
	clock.advance(200);
	expect(() => terminal.request({ type: 'sale', amount: rupiah(50_000) }, 'a-1')).toThrow('an exception');
	clock.advance(200);
	expect(frames).toHaveLength(1);
	clock.advance(ECR_DEFAULTS.ackMs);
	expect(reports).toMatchObject([
		{ state: 'ready' },
		{ kind: 'begun' },
		{ state: 'busy' },
		{ kind: 'not_begun', request_id: 'a-1' },
		{ state: 'silent' },
	]);
});
