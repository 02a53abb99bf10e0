// @module-tag deep
/**
 * The back office answers a log-in slowly. Meanwhile staff log in again or log out, and notes wait.
 */
import { beforeEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import type { Kiosk } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const LOGIN = '/auth/login-outlet/';

let kiosk: Kiosk;
/** One function for each held answer to a log-in; calling it sends the answer. */
let held: (() => void)[];
let isHeld: boolean;
beforeEach(async () => {
	// The acceptor is slow, so that a log-in can be answered while a note moves.
	kiosk = await kioskForTest({ acceptor: { timing: { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 800, returnMs: 20 } } });
	held = [];
	isHeld = true;
	kiosk.backOffice.change(LOGIN, (answer) => (isHeld ? new Promise((resolve) => held.push(() => resolve(answer))) : answer));
});

/** Makes this outlet the back office's only outlet and logs in as it. */
async function logIn(username: string, key?: string): Promise<{ status: number; body: Record<string, unknown> }> {
	const { account } = kiosk.backOffice;
	account.username = username;
	const body = new FormData();
	body.set('formData', JSON.stringify(account));
	const headers = key ? { Authorization: `Token ${key}` } : {};
	const answer = await fetch(kiosk.daemon.url + LOGIN, { method: 'POST', headers, body });
	return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Sends a log-in and holds its answer in `held`. @returns a promise of this answer */
async function slowLogIn(username: string, key?: string) {
	const before = held.length;
	const answer = logIn(username, key);
	await until(() => expect(held).toHaveLength(before + 1));
	return { answer };
}

async function noteWaits(): Promise<void> {
	await kiosk.openCash(BUDI);
	kiosk.backOffice.change('payment-cash', (answer) => ({ ...answer, status: 503 }));
	await feedNote(kiosk, 50_000);
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(1));
}

test('a log-in that is sent before the warning about waiting money does not confirm this warning', async () => {
	await noteWaits();
	const first = await slowLogIn('second-outlet');
	const again = await slowLogIn('second-outlet');
	for (const letGo of held) letGo();
	expect([(await first.answer).status, (await again.answer).status]).toEqual([409, 409]);
	isHeld = false;
	expect(await logIn('second-outlet')).toMatchObject({ status: 200 });
});

test('if staff log out before the back office answers a log-in, the kiosk refuses the log-in', async () => {
	await kiosk.staff();
	const late = await slowLogIn('second-outlet', kiosk.token());
	expect((await kiosk.post('/kiosk/logout', {})).status).toBe(204);
	held[0]?.();
	expect((await late.answer).status).not.toBe(200);
	expect((await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: BUDI })).status).toBe(401);
});

test('if another outlet’s log-in is answered after a newer log-in, the late log-in is refused and the customer’s payment continues', async () => {
	const late = await slowLogIn('second-outlet');
	isHeld = false;
	const { body } = await logIn('third-outlet', kiosk.token());
	const key = String(body.token);
	const call = async (path: string, value: object) => {
		const form = new FormData();
		form.set('formData', JSON.stringify(value));
		const headers = { Authorization: `Token ${key}` };
		const answer = await fetch(kiosk.daemon.url + path, { method: 'POST', headers, body: form });
		return (await answer.json()) as { results: Record<string, unknown> };
	};
	const { results } = await call('/payment/api/v1/get-invoice-info/', { noinvoice: BUDI });
	await call('/payment/api/v1/open-machine/', { ...results, hp: BUDI });
	await fetch(`${kiosk.daemon.url}/kiosk/rendered`, {
		method: 'POST',
		headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
		body: JSON.stringify({ screen: '/cash-payment', visit: '', id: results.id }),
	});
	await feedNote(kiosk, 50_000);
	// Waits until the outbox is empty, because the kiosk refuses a log-in with a warning while money
	// waits.
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	held[0]?.();
	expect((await late.answer).status).not.toBe(200);
	await feedNote(kiosk, 20_000);
	await until(() => expect(kiosk.backOffice.books.find(BUDI)?.list_pembayaran).toMatchObject([{ nominal: 50_000 }, { nominal: 20_000 }]));
	expect(kiosk.daemon.events('cash.closed')).toEqual([]);
});

test('late answers to older log-ins, of this or another outlet, do not replace a newer log-in', async () => {
	const { username } = kiosk.backOffice.account;
	const other = await slowLogIn('second-outlet', kiosk.token());
	const own = await slowLogIn(username, kiosk.token());
	isHeld = false;
	expect(await logIn(username, kiosk.token())).toMatchObject({ status: 200 });
	const before = kiosk.daemon.events('session.logged_in').length;
	for (const letGo of held) letGo();
	expect((await other.answer).status).not.toBe(200);
	expect((await own.answer).status).toBe(200);
	// The daemon adopts neither late log-in: not that of the other outlet, and not the older token of
	// this outlet.
	expect(kiosk.daemon.events('session.logged_in')).toHaveLength(before);
});

test('if another outlet’s log-in is answered while a note moves, the note waits until its own outlet logs in again', async () => {
	const { username } = kiosk.backOffice.account;
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(1));
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	const late = await slowLogIn('second-outlet');
	await feedNote(kiosk, 20_000, 'accepted');
	held[0]?.();
	expect((await late.answer).status).toBe(200);
	await until(() => expect(kiosk.daemon.events('cash.note_credited')).toHaveLength(2));
	await until(() => expect(kiosk.acceptor.device.enabled).toBe(false));
	expect(kiosk.acceptor.device.insert({ nominal: 10_000 })).toMatchObject({ taken: false });
	const waits = expect.stringContaining('1 of them, Rp 20000, for another account');
	await until(async () => expect((await kiosk.health()).parts).toContainEqual(expect.objectContaining({ part: 'outbox', text: waits })));
	expect(kiosk.backOffice.books.notes).toHaveLength(1);
	isHeld = false;
	expect(await logIn(username)).toMatchObject({ status: 200 });
	await until(() => expect(kiosk.backOffice.books.find(BUDI)?.list_pembayaran).toMatchObject([{ nominal: 50_000 }, { nominal: 20_000 }]));
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
});
