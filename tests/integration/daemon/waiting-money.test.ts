/** Money waits for a back office while its account, server or certificate authority changes. */
import { beforeEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import type { Kiosk } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const LOGIN = '/auth/login-outlet/';
const NOTES = '/payment/api/v1/payment-cash/';

let kiosk: Kiosk;
beforeEach(async () => {
	kiosk = await kioskForTest();
});

/** Leaves a note of Rp 50.000 waiting for the back office. */
async function noteWaits(): Promise<void> {
	const { id } = await kiosk.openCash(BUDI);
	await kiosk.backOffice.setNetwork({ mode: 'error', path: NOTES, status: 503 });
	await feedNote(kiosk, 50_000);
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(1));
	await kiosk.post('/kiosk/cash/close', { id });
}

const logIn = () => kiosk.call(LOGIN, kiosk.backOffice.account);
const WAITS = { status: 409, body: { code: 'money_waits', message: expect.stringContaining('Rp 50.000') } };

test('a warning about the live account does not confirm a log-in of the same outlet in trial mode', async () => {
	await noteWaits();
	const { backOffice } = kiosk;
	backOffice.account.username = 'second';
	backOffice.development = false;
	expect(await logIn()).toMatchObject(WAITS);
	backOffice.development = true;
	expect(await logIn()).toMatchObject(WAITS);
	expect((await logIn()).status).toBe(200);
});
