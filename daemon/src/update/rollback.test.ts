import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { until } from '../../../tests/support/until.ts';
import { type RollbackDeps, rollback } from './rollback.ts';
import { clock, daemon, disk, SESSION, slots, slotsOfEachTest } from './slots.fixture.ts';

slotsOfEachTest('0.3.0', () => {
	disk.place('kiosk_0.2.0.efi');
	disk.deps.state.change({
		state: 'good',
		version: '0.3.0',
		formats: { '0.2.0': { reads: 2, writes: 1 }, '0.3.0': { reads: 3, writes: 2 } },
	});
});
const rolledBack = (change: Partial<RollbackDeps> = {}) =>
	rollback({ ...disk.deps, floor: () => null, writes: 2, daemon: daemon.link, clock, ...change });

test('a rollback sets the remaining tries of the running version to 0 and restarts the kiosk', async () => {
	expect(await rolledBack()).toEqual({ ok: true, value: '0.2.0' });
	expect(disk.entries()).toEqual(['kiosk_0.2.0.efi', 'kiosk_0.3.0+0-1.efi']);
	expect(disk.calls()).toEqual(['systemctl reboot']);
	expect(daemon.asked[0]).toContain('"by":"person"');
});

test('a rollback is refused if the previous version cannot read the journal, is below the floor or has unknown formats', async () => {
	expect(await rolledBack({ writes: 3 })).toMatchObject({
		error: { code: 'journal_format', message: expect.stringMatching(/reads journals up to format 2/) },
	});
	expect(await rolledBack({ floor: () => '0.2.5' })).toMatchObject({ error: { code: 'floor' } });
	disk.deps.state.change({ formats: {} });
	expect(await rolledBack()).toMatchObject({ error: { code: 'journal_format', message: expect.stringMatching(/not known/) } });
	expect(disk.calls()).toEqual([]);
	expect(disk.entries()).toContain('kiosk_0.3.0.efi');
});

test('a rollback is refused if the other slot has no confirmed version', async () => {
	const alone = slots(temporaryFolder('update'), clock, '0.3.0');
	alone.place('kiosk_0.2.9+0-3.efi');
	expect(await rollback({ ...alone.deps, floor: () => null, writes: 2, daemon: daemon.link, clock })).toMatchObject({
		error: { code: 'no_version' },
	});
});

test('a rollback waits some minutes for open payments, then fails with the reason', async () => {
	daemon.lease = SESSION;
	const asked = rolledBack();
	let ended = false;
	void asked.then(() => {
		ended = true;
	});
	await until(() => {
		clock.advance(30_000);
		expect(ended).toBe(true);
	});
	expect(await asked).toMatchObject({ error: { code: 'waiting', message: expect.stringMatching(/a payment is open/) } });
	expect(disk.entries()).toContain('kiosk_0.3.0.efi');
});
