import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type WebSocket from 'ws';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { as, ask as askOf, cookiesOf, keyOf, logInElsewhere, postForm, postJson } from '../../support/raw-page.ts';
import { type RawAnswer, upgradeStatus } from '../../support/raw-request.ts';
import { until } from '../../support/until.ts';

const LIST = '/payment/api/v1/payment-group/?offset=0&limit=10';
const PIN = '/payment/api/v1/login-pin-screen/';
const LOOK_UP = '/payment/api/v1/get-invoice-info/';

let kiosk: Kiosk;
beforeEach(async () => {
	kiosk = await startKiosk();
});
afterEach(() => kiosk.stop());

const ask = (method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<RawAnswer> =>
	askOf(kiosk, method, path, headers, body);
const get = (path: string, key = kiosk.token()) => ask('GET', path, as(key));
const post = (path: string) => postJson(kiosk, path, {}, kiosk.session());
const pin = (digits: string, key = kiosk.token()) => postForm(kiosk, PIN, { pin: digits }, as(key));
/** @returns 101 if the live socket opens, or else the HTTP status of the refusal */
const upgrade = (key: string, options: WebSocket.ClientOptions = {}): Promise<number> =>
	upgradeStatus(kiosk.daemon.url, `/ws/${key}`, options);
const startAt = async (address: string): Promise<RawAnswer> => ask('GET', address.slice(kiosk.daemon.url.length));
const stored = (name: string): string => readFileSync(join(kiosk.directory, 'journal', name), 'utf8');
/** Loads the page again, as the browser does. */
const reload = () => ask('GET', '/', { Cookie: `kiosk_screen=${kiosk.token()}` });
const outletToken = (): string => (JSON.parse(stored('outlet-token.json')) as { token: string }).token;

describe('without a session', () => {
	test('without a session, calls are refused and nothing reaches the back office', async () => {
		const before = kiosk.backOffice.calls.length;
		for (const [method, path] of [
			['GET', '/kiosk/visit'],
			['GET', '/kiosk/staff'],
			['GET', '/kiosk/staff/home'],
			['GET', '/kiosk/picture?url=x'],
			['GET', '/kiosk/promo/1'],
			['GET', '/health'],
			['GET', '/metrics'],
			['GET', LIST],
			['HEAD', LIST],
			['GET', '/payment/api/v1/master-va/'],
			['POST', LOOK_UP],
			['POST', PIN],
			['POST', '/payment/api/v1/open-machine/'],
			['POST', '/kiosk/cash/close'],
			['POST', '/kiosk/print'],
			['POST', '/kiosk/rendered'],
			['POST', '/kiosk/report'],
			['POST', '/kiosk/logout'],
			['POST', '/kiosk/leave'],
			['POST', '/kiosk/staff/touch'],
			['DELETE', '/kiosk/anything'],
		] as const)
			for (const headers of [{}, as('x'), as(outletToken()), { Cookie: 'kiosk_screen=x; fww_client=%7B%22token%22%3A%22x%22%7D' }])
				expect([path, (await ask(method, path, headers as Record<string, string>)).status]).toEqual([path, 401]);
		expect(kiosk.backOffice.calls.length).toBe(before);
	});

	test('the page itself loads without a cookie, and the cookies of an old session are deleted', async () => {
		const page = await ask('GET', '/');
		expect([page.status, page.headers['set-cookie']]).toEqual([200, undefined]);
		const old = await ask('GET', '/', { Cookie: 'fww_client=old; kiosk_screen=old' });
		expect(old.headers['set-cookie']).toEqual([
			expect.stringMatching(/^fww_client=;.*Max-Age=0/),
			expect.stringMatching(/^kiosk_screen=;.*Max-Age=0/),
		]);
		expect((await ask('GET', '/kiosk/settings')).status).toBe(200);
	});

	test('an address in an unusual spelling gets the page or an error, and calls nothing in the back office', async () => {
		await kiosk.post('/kiosk/rendered', { screen: '/payment-method', visit: '081234567890' });
		const page = (await ask('GET', '/')).body;
		const before = kiosk.backOffice.calls.length;
		const { host } = new URL(kiosk.daemon.url);
		for (const path of [
			'//kiosk/visit',
			'/KIOSK/visit',
			'/kiosk%2fvisit',
			'/x/../kiosk/visit',
			`http://${host}/kiosk/visit`,
			'/./health',
			'/%68ealth',
			`/${LIST}`,
		])
			for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'TRACE']) {
				const answer = await ask(method, path);
				if (answer.status === 200) expect(['', page]).toContain(answer.body);
				else expect([400, 401, 404, 405]).toContain(answer.status);
			}
		expect(kiosk.backOffice.calls.length).toBe(before);
	});

	test('without a session, the live socket is refused, even with the outlet token', async () => {
		for (const key of ['x', outletToken(), '%', `${kiosk.token()}x`]) expect(await upgrade(key)).toBe(401);
		expect(await upgrade(kiosk.token())).toBe(101);
	});
});

describe('the browser started by systemd', () => {
	test('the browser can use its secret only once, and the address after the redirect contains no secret', async () => {
		const address = kiosk.daemon.startAddress();
		const first = await startAt(`${address}&resume`);
		expect([first.status, first.headers.location]).toEqual([303, '/?resume']);
		expect(cookiesOf(first)).toMatch(/kiosk_screen=[\w-]{43}; Path=\/; Max-Age=8640000; SameSite=Strict; HttpOnly/);
		expect((await get('/kiosk/visit', keyOf(first))).status).toBe(200);
		const again = await startAt(address);
		expect([again.status, again.headers.location, again.headers['set-cookie']]).toEqual([303, '/', undefined]);
		await kiosk.crash();
		expect((await startAt(address)).headers['set-cookie']).toBeUndefined();
		expect((await get('/kiosk/visit', keyOf(first))).status).toBe(200);
	});

	test('when a new browser starts, the previous browser’s session and live socket end', async () => {
		const screen = await kiosk.screen();
		const before = kiosk.token();
		const started = keyOf(await startAt(kiosk.daemon.startAddress()));
		await until(() => expect(screen.closed()).toBe(true));
		expect((await get('/kiosk/visit', before)).status).toBe(401);
		expect(await upgrade(before)).toBe(401);
		expect(await upgrade(started)).toBe(101);
	});

	test('after a log-out the browser keeps a session, but gets no outlet cookie, no call to the back office and no live socket', async () => {
		await kiosk.staff();
		await post('/kiosk/logout');
		const page = await ask('GET', '/', { Cookie: `kiosk_screen=${kiosk.token()}; fww_client=x` });
		expect(cookiesOf(page)).toMatch(/fww_client=; .*Max-Age=0/);
		expect((await ask('POST', '/kiosk/rendered', as(kiosk.token()), '{"screen":"/login"}')).status).toBe(204);
		expect(JSON.parse((await post(LOOK_UP)).body)).toMatchObject({ code: 'no_outlet' });
		expect(await upgrade(kiosk.token())).toBe(401);
	});

	test('if the secret file is empty or short, the browser gets no session', { tags: 'deep' }, async () => {
		for (const secret of ['', 'short']) {
			writeFileSync(join(kiosk.directory, 'start-secret'), secret);
			expect((await ask('GET', `/kiosk/start?secret=${secret}`)).headers['set-cookie']).toBeUndefined();
		}
	});
});

describe('a log-in', () => {
	const logIn = (headers: Record<string, string> = {}) => {
		const { username, password } = kiosk.backOffice.account;
		return postForm(kiosk, '/auth/login-outlet/', { username, password }, headers);
	};

	test('a log-in creates a new session with the specified cookie and ends the previous session', async () => {
		const before = kiosk.token();
		const answer = await logIn({ Cookie: `kiosk_screen=${before}` });
		const { token, development } = JSON.parse(answer.body) as { token: string; development: boolean };
		expect(development).toBe(true);
		expect(token).not.toBe(before);
		expect(cookiesOf(answer)).toContain(`fww_client={"token":"${token}","development":true}; Path=/; Max-Age=8640000; SameSite=Strict`);
		expect((await get('/kiosk/visit', before)).status).toBe(401);
		expect((await get('/kiosk/visit', token)).status).toBe(200);
	});

	test('after a hundred log-ins, only eight of their sessions remain, and the session of the browser that systemd started', {
		tags: 'deep',
	}, async () => {
		const keys: string[] = [];
		for (let time = 0; time < 100; time += 1) keys.push((JSON.parse((await logIn()).body) as { token: string }).token);
		const alive = await Promise.all(keys.map(async (key) => (await get('/kiosk/visit', key)).status));
		expect(alive.filter((status) => status === 200)).toHaveLength(8);
		expect((await get('/kiosk/visit')).status).toBe(200);
		expect(statSync(join(kiosk.directory, 'journal', 'screen-sessions.json')).size).toBeLessThan(2_000);
	});

	test('a page on another port of this computer gets no access, although the browser sends the kiosk’s cookies with its requests', {
		tags: 'deep',
	}, async () => {
		const Cookie = `kiosk_screen=${kiosk.token()}`;
		for (const site of ['same-site', 'cross-site']) {
			expect((await ask('GET', LIST, { Cookie, 'Sec-Fetch-Site': site })).status).toBe(403);
			expect((await ask('POST', '/kiosk/cash/close', { Cookie, 'Sec-Fetch-Site': site })).status).toBe(403);
		}
		expect(await upgrade(kiosk.token(), { headers: { 'Sec-Fetch-Site': 'same-site' } })).toBe(403);
		expect(await upgrade(kiosk.token(), { origin: 'http://127.0.0.1:1' })).toBe(403);
	});

	test('an oversized or invalid cookie is refused and the kiosk continues', { tags: 'deep' }, async () => {
		for (const Cookie of ['fww_client=%E0%A4%A', 'fww_client=%7B%7D', '=;=;;', 'kiosk_screen'])
			expect((await ask('GET', '/kiosk/visit', { Cookie })).status).toBe(401);
		// The daemon closes the connection before it has read the whole request, so a TCP reset may
		// discard the daemon's answer.
		const oversized = ask('GET', '/kiosk/visit', { Cookie: 'kiosk_screen='.padEnd(60_000, 'x') });
		expect(await oversized.then(({ status }) => String(status), String)).toMatch(/^431$|ECONNRESET|EPIPE/);
		expect((await get('/kiosk/visit')).status).toBe(200);
	});
});

test('a page keeps its session after a reload and a daemon restart; the session is stored only as a hash in a file of mode 0600', async () => {
	const invoice = await kiosk.openCash('081234567890');
	const reloaded = await reload();
	expect([reloaded.status, keyOf(reloaded)]).toEqual([200, kiosk.token()]);
	expect((await get('/kiosk/visit')).status).toBe(200);
	await kiosk.crash();
	expect((await get('/kiosk/visit')).status).toBe(200);
	expect(await upgrade(kiosk.token())).toBe(101);
	expect((await kiosk.openCash('081234567890')).id).toBe(invoice.id);
	expect(statSync(join(kiosk.directory, 'journal', 'screen-sessions.json')).mode & 0o777).toBe(0o600);
	expect(stored('screen-sessions.json')).not.toContain(kiosk.token());
	expect(stored('screen-sessions.json')).toContain(createHash('sha256').update(kiosk.token()).digest('hex'));
});

describe('staff', () => {
	test('a page may list and resend payments only after the PIN was typed on it, until it leaves the staff screens or logs out', async () => {
		const resend = () =>
			ask('POST', '/payment/api/v1/resend-callback/1', { ...as(kiosk.token()), Cookie: 'csrftoken=abcdefgh', 'X-CSRFToken': 'abcdefgh' });
		for (const answer of [await get(LIST), await resend()]) expect(JSON.parse(answer.body)).toMatchObject({ code: 'staff_only' });
		await kiosk.staff();
		expect((await get(LIST)).status).toBe(200);
		expect((await resend()).status).toBe(200);
		for (const screen of ['/daftar-transaksi', '/staf']) {
			await kiosk.post('/kiosk/rendered', { screen });
			expect((await get(LIST)).status).toBe(200);
			expect((await get('/kiosk/staff/home')).status).toBe(200);
		}
		await kiosk.post('/kiosk/rendered', { screen: '/' });
		expect((await get(LIST)).status).toBe(403);
		expect((await get('/kiosk/staff/home')).status).toBe(403);
		await kiosk.staff();
		await post('/kiosk/staff/leave');
		expect((await get(LIST)).status).toBe(403);
		await kiosk.staff();
		expect((await post('/kiosk/logout')).status).toBe(204);
		for (const answer of [await get(LIST), await resend()]) expect(JSON.parse(answer.body)).toMatchObject({ code: 'staff_only' });
		await kiosk.login();
		expect((await get(LIST)).status).toBe(403);
		await kiosk.staff();
		const other = keyOf(await startAt(kiosk.daemon.startAddress()));
		expect((await get(LIST, other)).status).toBe(403);
	});

	test('without the back office the last accepted PIN opens the staff screen until the outlet logs out', {
		tags: 'deep',
	}, async () => {
		const home = async () => (await get('/kiosk/staff/home')).status;
		const cut = () => kiosk.backOffice.setNetwork({ mode: 'error', path: PIN, status: 503 });
		cut();
		expect((await pin(kiosk.backOffice.account.pin)).status).toBe(503);
		expect(await home()).toBe(403);
		kiosk.backOffice.setNetwork({ mode: 'normal' });
		expect((await pin(kiosk.backOffice.account.pin)).status).toBe(200);
		await post('/kiosk/staff/leave');
		cut();
		await kiosk.crash();
		expect((await pin('999999')).status).toBe(503);
		expect(await home()).toBe(403);
		expect(JSON.parse((await pin(kiosk.backOffice.account.pin)).body)).toMatchObject({ success: true });
		expect(await home()).toBe(200);
		expect(stored('offline-pin.json')).not.toContain(kiosk.backOffice.account.pin);
		await post('/kiosk/logout');
		expect(() => stored('offline-pin.json')).toThrow();
	});

	test('a PIN that the back office has refused is not accepted offline', { tags: 'deep' }, async () => {
		const old = kiosk.backOffice.account.pin;
		expect((await pin(old)).status).toBe(200);
		await post('/kiosk/staff/leave');
		for (const [typed, status] of [
			['999999', 400],
			[old, 400],
			[old, 503],
		] as const) {
			kiosk.backOffice.setNetwork({ mode: 'error', path: PIN, status });
			expect((await pin(typed)).status).toBe(status);
		}
		expect((await get('/kiosk/staff/home')).status).toBe(403);
	});

	test('[spec 2.2.4] a page can log the outlet out only after the PIN, and the logout route ends only this page’s session', async () => {
		expect((await post('/kiosk/logout')).status).toBe(403);
		expect((await get('/kiosk/visit')).status).toBe(200);
		const token = outletToken();
		expect((await post('/kiosk/leave')).status).toBe(204);
		expect((await get('/kiosk/visit')).status).toBe(401);
		expect(outletToken()).toBe(token);
		await kiosk.login();
		const other = await logInElsewhere(kiosk);
		await kiosk.staff();
		expect((await post('/kiosk/logout')).status).toBe(204);
		expect(() => outletToken()).toThrow();
		expect((await get(LIST)).status).toBe(403);
		// When the outlet is logged out, the sessions of all other pages end.
		expect((await get('/kiosk/visit', other)).status).toBe(401);
	});

	test('[spec 2.4.1] after three wrong PINs no PIN is accepted for half a minute; a reload, another session or a restart does not shorten this time', async () => {
		for (let time = 0; time < 3; time += 1) expect((await pin('000000')).status).toBe(400);
		const refused = await pin(kiosk.backOffice.account.pin);
		expect(refused.status).toBe(429);
		expect(Number(refused.headers['retry-after'])).toBeGreaterThan(25);
		expect(JSON.parse(refused.body)).toMatchObject({ message: expect.stringMatching(/^Terlalu banyak PIN yang salah/) });
		await reload();
		expect((await pin(kiosk.backOffice.account.pin)).status).toBe(429);
		const other = keyOf(await startAt(kiosk.daemon.startAddress()));
		expect((await pin('000000', other)).status).toBe(429);
		await kiosk.crash();
		expect((await pin('000000', other)).status).toBe(429);
		expect(JSON.parse((await get('/kiosk/staff', other)).body)).toMatchObject({ open: false });
		expect(kiosk.backOffice.calls.filter(({ path }) => path === PIN)).toHaveLength(3);
	});

	test('of three hundred wrong PINs that arrive in parallel, the daemon checks at most three', { tags: 'deep' }, async () => {
		const statuses = await Promise.all(Array.from({ length: 300 }, async (_, index) => (await pin(String(100_000 + index))).status));
		expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(3);
		expect(kiosk.backOffice.calls.filter(({ path }) => path === PIN).length).toBeLessThanOrEqual(3);
	});

	test('a PIN that never reached the back office does not count as wrong', { tags: 'deep' }, async () => {
		await kiosk.backOffice.setNetwork({ up: false });
		for (let time = 0; time < 5; time += 1) expect((await pin('000000')).status).toBe(502);
		await kiosk.backOffice.setNetwork({ up: true });
		expect((await pin(kiosk.backOffice.account.pin)).status).toBe(200);
	});
});

describe('the live socket', () => {
	test('forged and unknown messages from a page are not forwarded', async () => {
		const screen = await kiosk.screen();
		for (const forged of [
			{ message: { type: 'payment_cash_notification', id: 1, nominal: 100_000, note_id: 'x', time: '' } },
			{
				message: {
					type: 'payment_edc_bca_notification ',
					event: 'transaction_approve',
					data: { no_invoice: 'x', access_token: 'x', json_success_payment: {} },
				},
			},
			{ message: { type: 'payment_edc_bca_notification', event: 'transaction_approve ', data: {} } },
			{ message: { type: 'payment_notification', id: 1, is_paid: true } },
			{ message: 'transaction' },
			{ message: 'transaction', amount: '1e9' },
			{ message: 'transaction ', amount: 1 },
			{ message: ['transaction'], amount: 1 },
			{ message: 'anything' },
		])
			screen.send(forged);
		screen.send({ message: 'transaction', amount: 137_500, extra: 'x', type: 'payment_cash_notification' });
		await until(() => expect(kiosk.backOffice.live.received).toContainEqual({ message: 'transaction', amount: 137_500 }));
		expect(kiosk.backOffice.live.received).toEqual([{ message: 'transaction', amount: 137_500 }]);
	});

	test('only payment messages of the server are forwarded to the page, without their unknown fields', async () => {
		const screen = await kiosk.screen();
		for (const type of ['something_new', 'payment_cash_notification', 'machine_ready', 'kiosk_edc', 'payment_notification '])
			kiosk.backOffice.live.say({ type, id: 9, is_paid: true, is_ready: true });
		kiosk.backOffice.live.say({ type: 'payment_notification', id: 99, odoo_id: 'SO9', is_paid: true, extra: 'x' });
		await until(() =>
			expect(screen.of('payment_notification')).toEqual([{ type: 'payment_notification', id: 99, odoo_id: 'SO9', is_paid: true }]),
		);
		for (const type of ['something_new', 'payment_cash_notification', 'payment_notification ']) expect(screen.of(type)).toEqual([]);
	});
});

describe('the technicians’ address', () => {
	test('the technicians’ address serves health and metrics without a session, but no page, call or live socket', async () => {
		const at = (path: string, init: RequestInit = {}) => fetch(kiosk.daemon.service + path, init);
		expect(await (await at('/health')).text()).toContain('back office');
		expect(await (await at('/metrics')).text()).toContain('kiosk_');
		expect((await at('/screenshot')).status).toBe(503);
		for (const path of ['/', '/kiosk/visit', '/kiosk/settings', LIST, '/ws/x']) expect((await at(path)).status).toBe(404);
		for (const path of ['/health', '/kiosk/logout', LOOK_UP]) expect((await at(path, { method: 'POST' })).status).toBe(405);
		expect((await at('/health', { headers: { Origin: kiosk.daemon.url } })).status).toBe(403);
	});
});
