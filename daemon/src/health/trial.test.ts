import { expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import type { JournalError } from '../journal/trouble.ts';
import { ScreenLiveness } from '../screen/liveness.ts';
import { trialFacts } from './trial.ts';

const clock = new VirtualClock();
const facts = (given: {
	trouble?: JournalError['code'];
	onTrial?: boolean;
	verified?: boolean;
	acceptor?: string;
	terminal?: string;
	printer?: string | null;
}) =>
	trialFacts({
		journal: {
			trouble: () => (given.trouble ? { code: given.trouble, message: '' } : null),
			isVerified: () => given.verified ?? false,
		},
		onTrial: () => given.onTrial ?? false,
		liveness: new ScreenLiveness(clock),
		cash: { acceptorState: () => (given.acceptor ?? 'inhibited') as 'inhibited' },
		card: { terminalState: () => (given.terminal ?? 'ready') as 'ready' },
		printer: given.printer === undefined ? null : { trouble: () => given.printer ?? null },
	});

test.each([
	['ok', {}],
	['checking', { onTrial: true }],
	['ok', { onTrial: true, verified: true }],
	['refused', { onTrial: true, verified: true, trouble: 'journal_unhealthy' }],
	['newer', { trouble: 'journal_newer' }],
	['ok', { trouble: 'disk_full' }],
] as const)('the trial reports the journal as %s, given %j', (state, given) => {
	expect(facts(given).journal).toBe(state);
});

test('a device is bad only if its driver cannot communicate with it, not if it has a fault such as missing paper', () => {
	expect(facts({ printer: null }).devices).toEqual([
		{ name: 'acceptor', state: 'ok' },
		{ name: 'edc', state: 'ok' },
		{ name: 'printer', state: 'ok' },
	]);
	for (const acceptor of ['bill_jam', 'cashbox_open', 'locked', 'stacker_problem'])
		expect(facts({ acceptor }).devices[0]).toEqual({ name: 'acceptor', state: 'ok' });
	for (const acceptor of ['disconnected', 'starting', 'silent', 'garbled', 'communication_failure'])
		expect(facts({ acceptor }).devices[0]).toEqual({ name: 'acceptor', state: 'bad' });
	for (const terminal of ['disconnected', 'starting', 'silent']) expect(facts({ terminal }).devices[1]?.state).toBe('bad');
	expect(facts({ printer: 'paper_out' }).devices[2]?.state).toBe('ok');
	for (const printer of ['queue_unreachable', 'queue_missing', 'offline']) expect(facts({ printer }).devices[2]?.state).toBe('bad');
});

test('devices that are not in the settings are not reported', () => {
	expect(facts({ acceptor: 'not_configured', terminal: 'not_configured' }).devices).toEqual([]);
});

test('after a pause of more than 15 s, the time for which the screen has been drawing begins at 0 again', () => {
	const time = new VirtualClock();
	const liveness = new ScreenLiveness(time);
	expect(liveness.drawnMs()).toBe(0);
	for (let seconds = 0; seconds < 60; seconds += 5) {
		liveness.drawn('/', '');
		time.advance(5_000);
	}
	expect(liveness.drawnMs()).toBe(60_000);
	time.advance(15_000);
	expect(liveness.drawnMs()).toBe(0);
	liveness.drawn('/', '');
	time.advance(5_000);
	expect(liveness.drawnMs()).toBe(5_000);
});
