import { describe, expect, test } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import type { TrialFacts } from './daemon-link.ts';
import { clock, daemon, disk, GRANTED, SESSION, slotsOfEachTest } from './slots.fixture.ts';
import { devicesBefore, endTrial, judgeTrial, waitUntilSettled } from './trial.ts';

const OK: TrialFacts = { journal: 'ok', drawn_seconds: 60, devices: [{ name: 'acceptor', state: 'ok' }] };
const BEFORE = [
	{ name: 'acceptor', state: 'ok' as const },
	{ name: 'edc', state: 'bad' as const },
];

test.each<[string, Partial<TrialFacts>, string]>([
	['no reason is given if page, journal and devices work', {}, ''],
	['no reason is given if a device works that did not work before', { devices: [...(OK.devices ?? []), { name: 'edc', state: 'ok' }] }, ''],
	['no reason is given if a device still does not work', { devices: [...(OK.devices ?? []), { name: 'edc', state: 'bad' }] }, ''],
	['the reason is the page if it has not drawn for a minute', { drawn_seconds: 59 }, 'never_drew'],
	['the reason is the journal while it is still being checked', { journal: 'checking' }, 'journal'],
	['the reason is the journal if it is refused', { journal: 'refused' }, 'journal'],
	['the reason is the devices if one of them no longer works', { devices: [{ name: 'acceptor', state: 'bad' }] }, 'devices'],
	['the reason is the devices if one of them is gone', { devices: [] }, 'devices'],
])('on trial, %s', (_what, change, reason) => {
	expect(judgeTrial({ ...OK, ...change }, BEFORE).reason).toBe(reason);
});

test('outside a trial a start is good if the page has been drawing for a minute', () => {
	expect(judgeTrial({ ...OK, journal: 'refused', devices: [] }, null).reason).toBe('');
	expect(judgeTrial({ ...OK, drawn_seconds: 3 }, null).reason).toBe('never_drew');
});

describe('with a daemon', () => {
	slotsOfEachTest('0.3.0', () => disk.deps.state.change({ state: 'trial', version: '0.3.0', from: '0.2.0', devices: BEFORE }));

	test('devices are compared only if the running version is on trial', () => {
		expect(devicesBefore(disk.deps.state.read(), '0.3.0')).toEqual(BEFORE);
		expect(devicesBefore(disk.deps.state.read(), '0.2.0')).toBeNull();
		disk.deps.state.change({ state: 'good' });
		expect(devicesBefore(disk.deps.state.read(), '0.3.0')).toBeNull();
	});

	test('a trial waits until the daemon reports a good start', async () => {
		daemon.trial = null;
		let settled = false;
		const waiting = waitUntilSettled({ state: disk.deps.state.read, running: '0.3.0', daemon: daemon.link, clock }).then(() => {
			settled = true;
		});
		const looks = async (count: number): Promise<void> => {
			const before = daemon.asked.length;
			await until(() => {
				clock.advance(5_000);
				expect(daemon.asked.length).toBeGreaterThanOrEqual(before + count);
			});
		};
		await looks(2);
		daemon.trial = { ...OK, drawn_seconds: 10 };
		await looks(2);
		expect(settled).toBe(false);
		daemon.trial = OK;
		await looks(1);
		await waiting;
	});

	test('at its deadline a trial records why it failed, and the restart waits for open payments', async () => {
		daemon.trial = { ...OK, devices: [{ name: 'acceptor', state: 'bad' }] };
		daemon.lease = SESSION;
		let ended = false;
		const ending = endTrial({ state: disk.deps.state, running: '0.3.0', daemon: daemon.link, clock }).then(() => {
			ended = true;
		});
		const leases = (): number => daemon.asked.filter((call) => call.startsWith('POST')).length;
		await until(() => {
			clock.advance(60_000);
			expect(leases()).toBeGreaterThan(20);
		});
		expect(ended).toBe(false);
		expect(disk.deps.state.read()).toMatchObject({ state: 'trial', trial_reason: 'devices', text: expect.stringContaining('acceptor') });
		daemon.lease = GRANTED;
		await until(() => {
			clock.advance(5_000);
			expect(ended).toBe(true);
		});
		await ending;
	});

	test('if the daemon does not answer, the restart after the deadline waits only a minute', async () => {
		daemon.trial = null;
		daemon.lease = null;
		let ended = false;
		const ending = endTrial({ state: disk.deps.state, running: '0.3.0', daemon: daemon.link, clock }).then(() => {
			ended = true;
		});
		await until(() => {
			clock.advance(5_000);
			expect(ended).toBe(true);
		});
		await ending;
		expect(disk.deps.state.read().trial_reason).toBe('never_drew');
	});
});
