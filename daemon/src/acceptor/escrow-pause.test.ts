import { expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import type { AcceptorReport } from './driver.ts';
import { startEscrowPause } from './escrow-pause.ts';

const ESCROW: AcceptorReport = { kind: 'escrow', code: '0x44' };

function start() {
	const clock = new VirtualClock();
	const pause = startEscrowPause(clock);
	const desk: AcceptorReport[] = [];
	let unit: (said: AcceptorReport) => void = () => {};
	pause.around((report) => {
		unit = report;
		return { send: () => {}, stop: () => {} };
	})((said) => desk.push(said));
	return { clock, pause, desk, unit };
}

test('while the pause is off, every report passes at once', () => {
	const { desk, unit } = start();
	unit(ESCROW);
	expect(desk).toEqual([ESCROW]);
});

test('while the pause is on, an escrow reaches the desk three seconds late, and repeated reports do not extend this delay', () => {
	const { clock, pause, desk, unit } = start();
	pause.turn(true);
	for (let second = 0; second < 3; second += 1) {
		unit(ESCROW);
		unit({ kind: 'state', state: 'ready' });
		clock.advance(999);
	}
	expect(desk.filter(({ kind }) => kind === 'escrow')).toEqual([]);
	clock.advance(3);
	expect(desk.filter(({ kind }) => kind === 'escrow')).toEqual([ESCROW]);
});

test.each<AcceptorReport>([
	{ kind: 'returned', accepted: false },
	{ kind: 'state', state: 'silent' },
])('a note that left escrow during the pause ($kind) is never offered to the desk', (gone) => {
	const { clock, pause, desk, unit } = start();
	pause.turn(true);
	unit(ESCROW);
	unit(gone);
	clock.advance(10_000);
	expect(desk).toEqual([gone]);
});
