/**
 * During the trial of a version the daemon reports facts. From them the appliance decides whether
 * the version is good.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { staffCall } from '../../support/staff-call.ts';
import { until } from '../../support/until.ts';

let kiosk: Kiosk;
afterEach(() => kiosk?.stop());

const facts = async () => (await staffCall(kiosk, 'GET', '/trial')).body;
const GOOD = [
	{ name: 'acceptor', state: 'ok' },
	{ name: 'edc', state: 'ok' },
];

test('during a trial the daemon reports a verified journal, working devices and how long the page has been drawing', async () => {
	const trial = join(temporaryFolder('trial'), 'trial');
	writeFileSync(trial, '');
	kiosk = await startKiosk({ edc: {}, parameters: ['--trial', trial] });
	await until(async () => expect(await facts()).toEqual({ journal: 'ok', drawn_seconds: 0, devices: GOOD }));
	// During a trial the kiosk takes payments.
	const invoice = await kiosk.openCash('081234567890');
	await feedNote(kiosk, 20_000);
	await until(async () => {
		await kiosk.draw(invoice);
		expect((await facts()).drawn_seconds).toBeGreaterThanOrEqual(1);
	});
	rmSync(trial);
	expect((await facts()).journal).toBe('ok');
});

test('a device that is cut off is reported as bad', async () => {
	kiosk = await startKiosk({ edc: {} });
	await until(async () => expect((await facts()).devices).toEqual(GOOD));
	await kiosk.edc.stop();
	await until(async () => expect((await facts()).devices).toEqual([GOOD[0], { name: 'edc', state: 'bad' }]));
});
