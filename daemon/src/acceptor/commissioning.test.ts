import { expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { startCommissioning } from './commissioning.ts';
import type { AcceptorCommand, AcceptorReport } from './driver.ts';

function setUp() {
	const clock = new VirtualClock();
	const sent: AcceptorCommand[] = [];
	const desk: AcceptorReport[] = [];
	let say = (_report: AcceptorReport): void => {};
	const commissioning = startCommissioning(clock);
	const driver = commissioning.around((report) => {
		say = report;
		return { send: (command) => sent.push(command), stop() {} };
	})((report) => desk.push(report));
	return { clock, sent, desk, commissioning, driver, say: (report: AcceptorReport) => say(report) };
}

const ESCROW: AcceptorReport = { kind: 'escrow', code: '0x44' };

test('while commissioning is off, reports and commands pass unchanged', () => {
	const { desk, sent, driver, say } = setUp();
	say(ESCROW);
	driver.send('accept');
	driver.send('inhibit');
	expect(desk).toEqual([ESCROW]);
	expect(sent).toEqual(['accept', 'inhibit']);
});

test('commissioning rejects a note in escrow and hides it from the desk, but the desk receives STACKED', () => {
	const { desk, sent, commissioning, say } = setUp();
	commissioning.begin();
	say(ESCROW);
	say({ kind: 'stacked', accepted: false, late: false, code: '0x44' });
	expect(sent).toEqual(['enable', 'reject']);
	expect(commissioning.look()).toMatchObject({ on: true, heard: [{ number: 1, code: '0x44' }] });
	expect(desk).toEqual([{ kind: 'stacked', accepted: false, late: false, code: '0x44' }]);
	commissioning.end();
	expect(sent.at(-1)).toBe('inhibit');
	say(ESCROW);
	expect(desk.at(-1)).toEqual(ESCROW);
});

test('ENABLE from the desk ends commissioning, and the next escrow reaches the desk', () => {
	const { sent, commissioning, driver, desk, say } = setUp();
	commissioning.begin();
	driver.send('enable');
	expect(sent).toEqual(['enable', 'inhibit', 'enable']);
	expect(commissioning.look()).toMatchObject({ on: false, ended: 'customer' });
	say(ESCROW);
	expect(desk).toEqual([ESCROW]);
});

test('commissioning ends and the acceptor is inhibited 15 s after the last request of the client', () => {
	const { clock, sent, commissioning } = setUp();
	commissioning.begin();
	clock.advance(14_000);
	expect(commissioning.look().on).toBe(true);
	clock.advance(14_000);
	expect(commissioning.isOn()).toBe(true);
	clock.advance(2_000);
	expect(commissioning.look()).toMatchObject({ on: false, ended: 'lease' });
	expect(sent).toEqual(['enable', 'inhibit']);
});
