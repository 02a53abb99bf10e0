// @module-tag deep
/**
 * Staff log in while the journal is closed. The kiosk then does not know which outlets have money
 * that waits for the back office.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import { stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, partText } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const NOTES = '/payment/api/v1/payment-cash/';
const LOOK_UP = '/payment/api/v1/get-invoice-info/';

let kiosk: Kiosk;
beforeEach(async () => {
	kiosk = await kioskForTest({ environment: stateBeside });
});

const key = () => join(kiosk.directory, 'state', 'journal.key');
const lost = () => `${key()}.lost`;

/**
 * Makes a note of 50,000 wait for the back office, logs the outlet out, and restarts the kiosk
 * without the journal's key.
 */
async function closeWithWaitingNote(): Promise<void> {
	const { id } = await kiosk.openCash(BUDI);
	await kiosk.backOffice.setNetwork({ mode: 'error', path: NOTES, status: 503 });
	await feedNote(kiosk, 50_000);
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(1));
	await kiosk.post('/kiosk/cash/close', { id });
	await kiosk.staff();
	expect((await kiosk.post('/kiosk/logout', {})).status).toBe(204);
	await kiosk.crash(() => renameSync(key(), lost()));
	await until(async () => expect(partText(await kiosk.health(), 'journal')).toContain('journal.key'));
}

async function logInAs(username: string): Promise<void> {
	kiosk.backOffice.account.username = username;
	await kiosk.login();
}

test.each([
	[
		'the journal gets a new key',
		async () => {
			const resealed = await kiosk.ctl('journal', 'reseal', '--by', 'Sari', '--why', 'factory reset', '--yes');
			expect(resealed).toMatchObject({ code: 0 });
		},
	],
	['the kiosk restarts with the old key', () => kiosk.crash(() => renameSync(lost(), key()))],
])('if the outlet logs in under another spelling with the journal closed, its note is sent as soon as %s', async (_how, reopen) => {
	await closeWithWaitingNote();
	const { username } = kiosk.backOffice.account;
	await logInAs(username.toUpperCase());
	await reopen();
	expect(await kiosk.lookUp(BUDI)).toMatchObject({ list_pembayaran: [{ nominal: 50_000 }] });
	expect(kiosk.backOffice.books.notes).toEqual([]);
	await kiosk.backOffice.setNetwork({ mode: 'normal' });
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	expect(kiosk.backOffice.books.find(BUDI)?.list_pembayaran).toMatchObject([{ nominal: 50_000 }]);
});

test('if a look-up is sent while the journal is closed and answered after the journal reopened, its answer lists the waiting note', async () => {
	await closeWithWaitingNote();
	await logInAs(kiosk.backOffice.account.username);
	const held: (() => void)[] = [];
	let isHeld = true;
	kiosk.backOffice.change(LOOK_UP, (answer) => (isHeld ? new Promise((resolve) => held.push(() => resolve(answer))) : answer));
	const looking = kiosk.lookUp(BUDI);
	await until(() => expect(held).toHaveLength(1));
	expect(await kiosk.ctl('journal', 'reseal', '--by', 'Sari', '--why', 'factory reset', '--yes')).toMatchObject({ code: 0 });
	isHeld = false;
	for (const answer of held) answer();
	expect(await looking).toMatchObject({ list_pembayaran: [{ nominal: 50_000 }] });
});

test('if another outlet logs in while the journal is closed, health shows the first outlet’s waiting money afterwards', async () => {
	await closeWithWaitingNote();
	await logInAs('second-outlet');
	expect(await kiosk.ctl('journal', 'reseal', '--by', 'Sari', '--why', 'factory reset', '--yes')).toMatchObject({ code: 0 });
	const waits = { part: 'outbox', state: 'warn', text: expect.stringContaining('Rp 50000, for another account') };
	await until(async () => expect((await kiosk.health()).parts).toContainEqual(expect.objectContaining(waits)));
	expect(kiosk.backOffice.books.notes).toEqual([]);
});
