/**
 * Money waits for a back office while the outlet, the server or its certificate authority changes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { type Kiosk, partText } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const LOGIN = '/auth/login-outlet/';
const NOTES = '/payment/api/v1/payment-cash/';

let kiosk: Kiosk;
let authority: string;
beforeEach(async () => {
	authority = join(temporaryFolder('authority'), 'ca.pem');
	writeFileSync(authority, 'the first authority');
	kiosk = await kioskForTest({ backOffice: `ca_file = "${authority}"` });
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

test('a log-in in development mode needs its own confirmation of the warning about waiting money', async () => {
	await noteWaits();
	const { backOffice } = kiosk;
	backOffice.account.username = 'second';
	backOffice.development = false;
	expect(await logIn()).toMatchObject(WAITS);
	backOffice.development = true;
	expect(await logIn()).toMatchObject(WAITS);
	expect((await logIn()).status).toBe(200);
});

const confirm = () => kiosk.ctl('setup', 'confirm', '--by', 'Sari', '--yes');
const settings = async (headers: Record<string, string> = kiosk.session()) =>
	(await fetch(`${kiosk.daemon.url}/kiosk/settings`, { headers })).json();
const HELD = { count: 1, total: 50_000 };
const TECHNICIAN = { status: 409, body: { code: 'technician_only' } };
const heldPart = (part: string) =>
	until(async () =>
		expect((await kiosk.health()).parts).toContainEqual(
			expect.objectContaining({
				part,
				why: expect.stringContaining('has changed'),
				remedy: expect.stringContaining('kioskctl setup confirm'),
			}),
		),
	);
/**
 * @returns a function that lists the calls which the back office has got since `callsFromNow` ran
 */
function callsFromNow(): () => string[] {
	const { length } = kiosk.backOffice.asked;
	return () => kiosk.backOffice.asked.slice(length).map(({ call }) => call);
}

test('after a change of the certificate authority, no password and no note is sent until a technician confirms the change', async () => {
	await noteWaits();
	const calls = callsFromNow();
	await kiosk.crash(async () => {
		writeFileSync(authority, 'another authority');
		await kiosk.backOffice.setNetwork({ mode: 'normal' });
	});
	expect(await logIn()).toMatchObject(TECHNICIAN);
	await heldPart('outbox');
	await heldPart('back office');
	expect(await kiosk.ctl('status')).toMatchObject({ code: 2, out: expect.stringContaining('kioskctl setup confirm') });
	expect([calls(), kiosk.backOffice.books.notes]).toEqual([[], []]);

	// Neither another start nor `kioskctl setup confirm` without `--yes` confirms the change.
	await kiosk.crash();
	const waits = `1 note(s), Rp 50.000, of outlet outlet at ${kiosk.backOffice.url} (trial): sent to the changed server`;
	expect(await kiosk.ctl('setup', 'confirm', '--by', 'Sari')).toMatchObject({ code: 1, out: expect.stringContaining(waits) });
	expect(await logIn()).toMatchObject(TECHNICIAN);
	expect(await confirm()).toMatchObject({ code: 0, out: expect.stringContaining(waits) });
	await kiosk.login();
	await until(() => expect(kiosk.backOffice.books.notes).toMatchObject([{ nominal: 50_000 }]));
});

test('after a change of the server’s path, nothing is sent with the stored log-in until a technician confirms the change', async () => {
	await noteWaits();
	const calls = callsFromNow();
	await kiosk.crash(
		() => kiosk.backOffice.setNetwork({ mode: 'normal' }),
		(settings) => settings.replace(/^url = "([^"]*)"/m, 'url = "$1/"').replace('/ws/{token}/', '/ws/{token}/?x'),
	);
	expect(kiosk.daemon.events('session.of_other_server')).toEqual([]);
	await until(() => expect(kiosk.daemon.events('outbox.waiting').length).toBeGreaterThan(0));
	await until(() => expect(kiosk.daemon.events('socket.lost').length).toBeGreaterThan(0));
	expect((await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: BUDI })).status).toBe(502);
	await heldPart('outbox');
	expect([calls(), kiosk.backOffice.books.notes, kiosk.backOffice.live.count()]).toEqual([[], [], 0]);
	const screen = await kiosk.screen();
	expect(screen.of('kiosk_setup')).toMatchObject([{ held_money: HELD }]);

	expect(await confirm()).toMatchObject({ code: 0 });
	await until(() => expect(kiosk.backOffice.books.notes).toMatchObject([{ nominal: 50_000 }]));
	expect(screen.of('kiosk_setup').at(-1)).toMatchObject({ unconfirmed: [], held_money: null });
	await until(() => expect(kiosk.backOffice.live.count()).toBe(1), 10_000);
});

test('after a log-in of the same outlet at another server, the note waits for the first server', async () => {
	await noteWaits();
	await kiosk.crash(
		() => kiosk.backOffice.setNetwork({ mode: 'normal' }),
		(settings) => settings.replace('url = "http://127.0.0.1', 'url = "http://localhost'),
	);
	expect(await logIn()).toMatchObject(TECHNICIAN);
	expect(await settings()).toMatchObject({ held_money: HELD });
	expect(await settings({})).toMatchObject({ unconfirmed: [], held_money: null });
	const waits = `1 note(s), Rp 50.000, of outlet outlet at ${kiosk.backOffice.url} (trial): waits until`;
	expect(await kiosk.ctl('setup', 'confirm', '--by', 'Sari')).toMatchObject({ code: 1, out: expect.stringContaining(waits) });
	expect(await confirm()).toMatchObject({ code: 0 });
	expect(await settings()).toMatchObject({ unconfirmed: [], held_money: null });
	expect(await logIn()).toMatchObject(WAITS);
	await kiosk.login();
	expect(partText(await kiosk.health(), 'outbox')).toContain('1 of them, Rp 50000, for another account');
	expect(kiosk.backOffice.books.notes).toEqual([]);

	await kiosk.crash(undefined, (settings) => settings.replace('url = "http://localhost', 'url = "http://127.0.0.1'));
	expect(await confirm()).toMatchObject({ code: 0 });
	await kiosk.login();
	await until(() => expect(kiosk.backOffice.books.notes).toMatchObject([{ nominal: 50_000 }]));
});

test('kioskctl setup confirm asks no question if no money waits or the server is unchanged', async () => {
	const changed = (settings: string) => settings.replace('"0x40" = 1000', '"0x40" = 100000');
	await kiosk.crash(() => writeFileSync(authority, 'another authority'));
	expect(await kiosk.ctl('setup', 'confirm', '--by', 'Sari')).toMatchObject({ code: 0 });
	await kiosk.login();
	await noteWaits();
	await kiosk.crash(undefined, changed);
	expect(await settings()).toMatchObject({ unconfirmed: ['[acceptor.notes]'], held_money: null });
	expect(await kiosk.ctl('setup', 'confirm', '--by', 'Sari')).toMatchObject({ code: 0 });
});
