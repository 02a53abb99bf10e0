import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type WebSocket from 'ws';
import { type Kiosk, partText, startKiosk } from '../../support/kiosk.ts';
import { rawRequest, upgradeStatus } from '../../support/raw-request.ts';
import { until } from '../../support/until.ts';

let kiosk: Kiosk;
beforeEach(async () => {
	kiosk = await startKiosk({ login: false });
});
afterEach(() => kiosk.stop());

/**
 * Sends a request without `fetch`, because `fetch` allows no forged Host and Origin. @returns the
 * status of a request with exactly these headers
 */
const statusOf = async (path: string, headers: Record<string, string>, method = 'GET'): Promise<number> =>
	(await rawRequest(kiosk.daemon.url, method, path, headers)).status;

/** @returns 101, or the HTTP status if the live socket is refused */
const upgrade = (path: string, options: WebSocket.ClientOptions, protocols?: string[]): Promise<number> =>
	upgradeStatus(kiosk.daemon.url, path, options, protocols);

describe('one origin', () => {
	test('a foreign Host or Origin is refused', async () => {
		for (const host of ['localhost:8080', '127.evil.test', '127.0.0.1', '[::1]:8080'])
			expect(await statusOf('/health', { Host: host }), `Host ${host}`).toBe(403);
		await kiosk.login();
		for (const origin of ['null', 'http://localhost:8080', 'https://evil.test', 'http://127.0.0.1:1']) {
			expect(await statusOf('/kiosk/cash/close', { Origin: origin }, 'POST'), `Origin ${origin}`).toBe(403);
			expect(await upgrade(`/ws/${kiosk.token()}`, { origin }), `Origin ${origin}`).toBe(403);
		}
	});

	test('answers have a strict content policy and no CORS header', async () => {
		const response = await fetch(`${kiosk.daemon.service}/health`);
		expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
		expect(response.headers.get('access-control-allow-origin')).toBeNull();
		expect(response.headers.get('x-content-type-options')).toBe('nosniff');
	});
});

describe('the live socket', () => {
	test('[spec 6.6, 7.11] the live socket opens only with the page’s session in its path, and only if an outlet is logged in', async () => {
		expect(await upgrade('/ws/', {})).toBe(404);
		expect(await upgrade('/ws/wrong', {})).toBe(401);
		await kiosk.login();
		expect(await upgrade('/ws/wrong', {})).toBe(401);
		expect(await upgrade(`/ws/${kiosk.token()}`, { origin: kiosk.daemon.url })).toBe(101);
		expect(await upgrade(`/ws/${kiosk.token()}/`, {}, [])).toBe(101);
		expect(await upgrade(`/ws/${kiosk.token()}`, {}, ['other'])).toBe(400);
	});

	test('the live socket relays payment messages of the back office, but no messages about the kiosk’s own devices', async () => {
		await kiosk.login();
		const screen = await kiosk.screen();
		kiosk.backOffice.live.say({ type: 'machine_ready', is_ready: true });
		kiosk.backOffice.live.say({ type: 'payment_cash_notification', id: 99, nominal: 50_000 });
		kiosk.backOffice.live.say({ type: 'payment_notification', id: 99, is_paid: true, extra: 'left out' });
		await until(() => expect(screen.of('payment_notification')).toEqual([{ type: 'payment_notification', id: 99, is_paid: true }]));
		expect(screen.of('payment_cash_notification')).toEqual([]);
		// The kiosk itself may send `machine_ready` while its acceptor starts, but not with `is_ready`
		// true.
		expect(screen.of('machine_ready').filter((text) => text.is_ready)).toEqual([]);
	});
});

describe('calls to the back office', () => {
	test('the daemon forwards only the calls on its list, which does not contain uploads of notes', async () => {
		await kiosk.login();
		const before = kiosk.backOffice.calls.length;
		for (const path of ['/payment/api/v1/payment-cash/', '/admin/', '/payment/api/v1/resend-callback/1/2', '/payment/api/v1/../../admin/'])
			expect((await fetch(kiosk.daemon.url + path, { method: 'POST', headers: kiosk.session() })).status).toBe(404);
		expect(kiosk.backOffice.calls.length).toBe(before);
		await kiosk.staff();
		expect((await kiosk.call('/payment/api/v1/resend-callback/1', {})).status).toBeLessThan(500);
		expect(kiosk.backOffice.calls.at(-1)?.path).toBe('/payment/api/v1/resend-callback/1');
	});

	test('[spec 7.3] the CSRF pair and the server’s CSRF cookie are passed on, but no other cookies', async () => {
		const body = new FormData();
		body.set('formData', JSON.stringify({ username: 'outlet', password: 'salah' }));
		const response = await fetch(`${kiosk.daemon.url}/auth/login-outlet/`, { method: 'POST', body });
		expect(response.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual(['csrftoken']);
		await kiosk.login();
		expect(kiosk.backOffice.calls.at(-1)?.status).toBe(200);
	});

	test('if the server is down, the page gets an error code; an answer that is not JSON is passed on; afterwards look-ups work again', async () => {
		await kiosk.login();
		await kiosk.backOffice.setNetwork({ up: false });
		const down = await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: '1' });
		expect(down).toMatchObject({ status: 502, body: { code: 'back_office_unreachable' } });
		await kiosk.backOffice.setNetwork({ up: true, mode: 'garbage' });
		const garbage = await fetch(`${kiosk.daemon.url}/payment/api/v1/master-va/?is_active=true`, {
			headers: { Authorization: `Token ${kiosk.token()}` },
		});
		expect([garbage.status, await garbage.text()]).toEqual([200, '{"results": [{"id": 1, "tot']);
		await kiosk.backOffice.setNetwork({ mode: 'normal' });
		expect((await kiosk.lookUp('081234567890')).noinvoice).toBe('INV/2026/11/0042');
	});

	test('if an answer violates the contract, the log names the field', async () => {
		await kiosk.login();
		await kiosk.backOffice.setNetwork({ mode: 'garbage', path: 'get-invoice-info' });
		await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: '081234567890' }).catch(() => undefined);
		await until(() => expect(kiosk.daemon.events('back_office.odd_answer')).toHaveLength(1));
		await kiosk.backOffice.setNetwork({ mode: 'normal', path: '' });
		kiosk.backOffice.change('get-invoice-info', (answer) => ({ ...answer, body: answer.body.replace('"total":137500', '"total":{}') }));
		await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: '081234567890' });
		const logged = { call: 'invoice_info', path: expect.stringMatching(/^results\.total: /) };
		await until(() => expect(kiosk.daemon.events('back_office.odd_answer').at(-1)).toMatchObject(logged));
	});

	test('if a look-up is answered with status 200 and only a message, the page gets this message', async () => {
		await kiosk.login();
		kiosk.backOffice.change('get-invoice-info', (answer) => ({ ...answer, body: '{"message":"Invoice sudah dibatalkan"}' }));
		const answer = await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: '081234567890' });
		expect(answer).toEqual({ status: 200, body: { message: 'Invoice sudah dibatalkan' } });
	});
});

describe('the outlet account', () => {
	test('the outlet’s token is in one file of mode 0600; token and live socket survive a restart, and a log-out deletes the token', async () => {
		await kiosk.login();
		const file = join(kiosk.directory, 'journal', 'outlet-token.json');
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token: string };
		const holders = readdirSync(kiosk.directory, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name))
			.filter((path) => readFileSync(path, 'latin1').includes(token));
		expect(holders).toEqual([file]);
		await kiosk.crash();
		await until(async () => expect(partText(await kiosk.health(), 'back office')).toMatch(/^live socket open/));
		const page = await fetch(`${kiosk.daemon.url}/`, { headers: { ...kiosk.session(), Accept: 'text/html' } });
		expect(decodeURIComponent(page.headers.get('set-cookie') ?? '')).toContain(
			`fww_client={"token":"${kiosk.token()}","development":true}`,
		);
		await kiosk.staff();
		await kiosk.post('/kiosk/logout', {});
		expect(() => statSync(file)).toThrow();
		expect(await upgrade(`/ws/${kiosk.token()}`, {})).toBe(401);
		const after = await fetch(`${kiosk.daemon.url}/`, { headers: { Accept: 'text/html', Cookie: 'fww_client=x' } });
		expect(after.headers.get('set-cookie')).toContain('Max-Age=0');
	});

	test('a wrong password does not log the outlet in, and the page gets the server’s answer', async () => {
		const refused = await kiosk.call('/auth/login-outlet/', { username: 'outlet', password: 'falsch' });
		expect(refused).toEqual({ status: 400, body: { message: 'Username atau password salah' } });
		expect(partText(await kiosk.health(), 'back office')).toBe('no outlet account is logged in');
	});

	test('health shows a fault after the server rejects the outlet’s token, until staff log in again', async () => {
		await kiosk.login();
		kiosk.backOffice.books.revokeTokens();
		await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: '081234567890' });
		expect(partText(await kiosk.health(), 'back office')).toContain('401');
		await kiosk.login();
		expect((await kiosk.health()).parts).toContainEqual(expect.objectContaining({ part: 'back office', state: 'ok' }));
	});

	test('log and journal contain no token, password or PIN', async () => {
		await kiosk.login();
		await kiosk.call('/payment/api/v1/login-pin-screen/', { pin: kiosk.backOffice.account.pin });
		await kiosk.call('/auth/login-outlet/', { username: 'outlet', password: 'geheim-123' });
		await kiosk.backOffice.setNetwork({ up: false });
		await until(() => expect(kiosk.daemon.events('socket.lost')).not.toHaveLength(0));
		const outlet = JSON.parse(readFileSync(join(kiosk.directory, 'journal', 'outlet-token.json'), 'utf8')) as { token: string };
		// The write-ahead log is read, too, because it contains the newest records.
		const journal = ['journal.sqlite', 'journal.sqlite-wal'].map((name) => readFileSync(join(kiosk.directory, 'journal', name), 'latin1'));
		const everything = [JSON.stringify(kiosk.daemon.log), ...journal].join();
		for (const secret of [outlet.token, kiosk.token(), 'geheim-123', kiosk.backOffice.account.password, kiosk.backOffice.account.pin])
			expect(everything).not.toContain(secret);
	});
});

test('invalid bodies are refused with a reason, and oversized or truncated bodies do not stop the daemon', async () => {
	const post = (body: BodyInit) => fetch(`${kiosk.daemon.url}/kiosk/cash/close`, { method: 'POST', body, headers: kiosk.session() });
	expect(await (await post('{')).json()).toEqual({ code: 'bad_request', reason: 'the body is not JSON' });
	expect(await (await post('{"id":{}}')).json()).toMatchObject({ code: 'bad_request', reason: expect.stringMatching(/^id: /) });
	await post('x'.repeat(2_000_000)).catch(() => undefined);
	const { port } = new URL(kiosk.daemon.url);
	const socket = connect(Number(port), '127.0.0.1');
	socket.write(
		`POST /kiosk/cash/close HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Token ${kiosk.token()}\r\nContent-Length: 50\r\n\r\n{"id":`,
	);
	socket.destroy();
	expect((await kiosk.health()).state).toBeDefined();
});

test('a customer’s look-up is answered while many requests of another page are incomplete', async () => {
	await kiosk.login();
	const { host, hostname, port } = new URL(kiosk.daemon.url);
	const head = `POST /payment/api/v1/get-invoice-info/ HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Token ${kiosk.token()}\r\nContent-Length: 50\r\n\r\n{`;
	const sockets = Array.from({ length: 8 }, () => connect({ host: hostname, port: Number(port) }));
	try {
		// Waits until these requests are sent, so that the daemon reads them before the look-up.
		await Promise.all(sockets.map((socket) => new Promise<void>((sent) => socket.on('error', () => undefined).write(head, () => sent()))));
		expect(await kiosk.lookUp('081234567890')).toMatchObject({ noinvoice: 'INV/2026/11/0042' });
	} finally {
		for (const socket of sockets) socket.destroy();
	}
});

test('after a request is refused, its connection is closed even if the client keeps sending or keeps the connection open', async () => {
	const { hostname, port } = new URL(kiosk.daemon.url);
	/** Resolves when the daemon has closed the connection. */
	const closed = (text: string, more = ''): Promise<unknown> => {
		const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
		socket.on('error', () => undefined);
		const ended = new Promise((resolve) => socket.on('close', resolve));
		socket.resume().write(text);
		const sending = setInterval(() => void (more === '' || socket.write(more)), 10);
		return ended.finally(() => clearInterval(sending));
	};
	const body = 'POST /nothing HTTP/1.1\r\nHost: evil\r\nTransfer-Encoding: chunked\r\n\r\n';
	await closed(body, '1\r\nx\r\n'.repeat(1_000));
	const upgrades = 'GET /ws/x HTTP/1.1\r\nHost: evil\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
	await closed(upgrades, 'x');
	// A client that keeps its half of the connection open cannot see whether the daemon has closed
	// the socket. The daemon's count of open files shows it.
	const openFiles = async () => Number(/^process_open_fds (\d+)/m.exec(await (await fetch(`${kiosk.daemon.service}/metrics`)).text())?.[1]);
	const before = await openFiles();
	const idle = [body, upgrades].flatMap((text) => Array.from({ length: 20 }, () => text));
	const sockets = idle.map((text) => {
		const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).resume();
		socket.on('error', () => undefined).write(text);
		return socket;
	});
	try {
		await Promise.all(sockets.map((socket) => new Promise((ended) => socket.on('end', ended))));
		await until(async () => expect(await openFiles()).toBeLessThan(before + 10));
	} finally {
		for (const socket of sockets) socket.destroy();
	}
});

test('[spec 7.3] if the server never answers a call, the call ends at the time limit', { tags: 'deep' }, async () => {
	await kiosk.stop();
	kiosk = await startKiosk({ backOffice: 'timeout_ms = 1000' });
	await kiosk.backOffice.setNetwork({ mode: 'silent' });
	expect(await kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: '1' })).toMatchObject({
		status: 504,
		body: { code: 'back_office_timeout' },
	});
});

test('health shows which route the screen has drawn', { tags: 'deep' }, async () => {
	await kiosk.login();
	await kiosk.screen();
	await kiosk.post('/kiosk/rendered', { screen: '/cash-payment' });
	expect(partText(await kiosk.health(), 'screen')).toBe('shows /cash-payment, drawn 0 s ago');
});
