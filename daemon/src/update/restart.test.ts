import { expect, test } from 'vitest';
import { DAYS } from '../settings/update-settings.ts';
import { type RestartDeps, restart } from './restart.ts';
import { clock, daemon, disk, GRANTED, SESSION, slotsOfEachTest } from './slots.fixture.ts';

/** The clock begins at 08:00 in Jakarta. */
const HOUR = 3_600_000;
slotsOfEachTest('0.2.0', () => disk.deps.state.change({ state: 'written', version: '0.3.0', from: '0.2.0' }));

const restarted = (change: Partial<RestartDeps> = {}) =>
	restart({
		...{ state: disk.deps.state, daemon: daemon.link, run: disk.deps.run, clock, timezone: 'Asia/Jakarta', everyDay: DAYS },
		...{ hours: { window: '02:00-05:00', days: DAYS }, ...change },
	});
const isNight = (): void => clock.skipTo(19 * HOUR);

test('at night the kiosk restarts if the daemon grants the lease, and the state records the devices', async () => {
	isNight();
	expect(await restarted()).toBe(false);
	expect(disk.calls()).toEqual(['systemctl reboot']);
	expect(disk.deps.state.read()).toMatchObject({ state: 'restarting', devices: [{ name: 'acceptor', state: 'ok' }], from: '0.2.0' });
	expect(daemon.asked[0]).toBe('POST /restart/lease {"by":"update","seconds":120}');
});

test('by day the updater waits without asking the daemon', async () => {
	expect(await restarted()).toBe(true);
	expect(disk.deps.state.read()).toMatchObject({ state: 'waiting', reason: 'window', text: 'outside the hours 02:00-05:00' });
	expect(daemon.asked).toEqual([]);
});

test('while the daemon refuses the lease, the updater waits each night and records the reason', async () => {
	isNight();
	daemon.lease = SESSION;
	for (let night = 0; night < 3; night += 1) {
		expect(await restarted()).toBe(true);
		expect(disk.deps.state.read()).toMatchObject({ state: 'waiting', reason: 'session', text: 'a payment is open' });
		clock.advance(24 * HOUR);
	}
	expect(disk.calls()).toEqual([]);
	daemon.lease = GRANTED;
	expect(await restarted()).toBe(false);
	expect(disk.calls()).toEqual(['systemctl reboot']);
});

test('if the daemon does not answer, the restart waits', async () => {
	isNight();
	daemon.lease = null;
	expect(await restarted()).toBe(true);
	expect(disk.deps.state.read()).toMatchObject({ state: 'waiting', reason: 'no_answer' });
	expect(disk.calls()).toEqual([]);
});

test('a version that a person has brought waits for open payments but not for the night', async () => {
	disk.deps.state.change({ by_person: true });
	daemon.lease = SESSION;
	expect(await restarted({ hours: null })).toBe(true);
	daemon.lease = GRANTED;
	expect(await restarted()).toBe(false);
	expect(daemon.asked[0]).toContain('"by":"person"');
	expect(disk.calls()).toEqual(['systemctl reboot']);
});

test('the manifest can replace the hours of the settings and allow any day', async () => {
	disk.deps.state.change({ window: '08:00-09:00' });
	const never = { hours: { window: '02:00-05:00', days: ['mon' as const] } };
	expect(await restarted(never)).toBe(true);
	disk.deps.state.change({ any_day: true });
	expect(await restarted(never)).toBe(false);
});

test('if a hold arrives while the daemon decides, the lease is given back without a restart', async () => {
	isNight();
	const { lease } = daemon.link;
	daemon.link.lease = async (by) => {
		disk.deps.state.change({ state: 'refused', version: '0.3.0', reason: 'hold' });
		return lease(by);
	};
	expect(await restarted()).toBe(false);
	expect(disk.calls()).toEqual([]);
	expect(daemon.asked.at(-1)).toBe('DELETE /restart/lease');
});

test('if systemd refuses the restart, the lease is given back', async () => {
	isNight();
	disk.breaks('systemctl', 'Transport endpoint is not connected');
	expect(await restarted()).toBe(true);
	expect(disk.deps.state.read()).toMatchObject({
		state: 'waiting',
		reason: 'command',
		text: expect.stringContaining('Transport endpoint'),
	});
	expect(daemon.asked.at(-1)).toBe('DELETE /restart/lease');
});

test('if no installed version awaits a restart, the updater does not ask the daemon', async () => {
	isNight();
	for (const state of ['idle', 'good', 'refused', 'trial', 'failed', 'verified'] as const) {
		disk.deps.state.change({ state });
		expect(await restarted()).toBe(false);
	}
	expect(daemon.asked).toEqual([]);
});
