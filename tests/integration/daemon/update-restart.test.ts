/** Tests the updater's restart and trial with the real daemon. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../daemon/src/base/clock.ts';
import { ok } from '../../../daemon/src/base/result.ts';
import { DAYS } from '../../../daemon/src/settings/update-settings.ts';
import { staffSocketPath } from '../../../daemon/src/staff/staff-socket.ts';
import { daemonLink } from '../../../daemon/src/update/daemon-link.ts';
import { restart } from '../../../daemon/src/update/restart.ts';
import { stateFile } from '../../../daemon/src/update/state.ts';
import { judgeTrial } from '../../../daemon/src/update/trial.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

let kiosk: Kiosk;
afterEach(() => kiosk?.stop());

test('the kiosk restarts into a new version only if the real daemon grants the restart, which it refuses while cash is open', async () => {
	kiosk = await startKiosk();
	const link = () => daemonLink(staffSocketPath(join(kiosk.directory, 'journal')));
	const state = stateFile(temporaryFolder('update'), systemClock);
	const reboots: string[] = [];
	const tried = () =>
		restart({
			...{ state, daemon: link(), clock: systemClock, timezone: 'Asia/Jakarta', hours: null, everyDay: DAYS },
			run: async (...words) => {
				reboots.push(words.slice(0, 2).flat().join(' '));
				return ok('');
			},
		});
	await kiosk.openCash('081234567890');
	state.change({ state: 'written', version: '0.3.0', by_person: true });
	expect(await tried()).toBe(true);
	expect(state.read()).toMatchObject({ state: 'waiting', reason: expect.stringMatching(/./), text: expect.stringMatching(/./) });
	expect(reboots).toEqual([]);
	await kiosk.stop();

	kiosk = await startKiosk();
	const again = link();
	await until(async () => expect(await again.trial()).toMatchObject({ ok: true, value: { devices: [{ name: 'acceptor', state: 'ok' }] } }));
	const facts = await again.trial();
	expect(facts.ok && judgeTrial(facts.value, []).reason).toBe('never_drew');
	await until(async () => expect(await tried()).toBe(false));
	expect(reboots).toEqual(['systemctl reboot']);
	expect(state.read()).toMatchObject({ state: 'restarting', version: '0.3.0', devices: [{ name: 'acceptor', state: 'ok' }] });
});
