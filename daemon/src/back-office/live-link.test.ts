import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { Secret } from '../base/secret.ts';
import { type LiveSocket, openSocket, startLiveLink } from './live-link.ts';
import type { OutletToken } from './token.ts';

class FakeSocket extends EventEmitter {
	sent: string[] = [];
	pings: unknown[] = [];
	ended = false;
	send(text: string): void {
		this.sent.push(text);
	}
	ping(mark?: unknown): void {
		this.pings.push(mark);
	}
	terminate(): void {
		if (this.ended) return;
		this.ended = true;
		this.emit('close', 1006);
	}
	hears(text: object | string): void {
		this.emit('message', Buffer.from(JSON.stringify({ text })));
	}
}

/** Starts a link on sockets that the test controls. `refuse`: opening throws. */
function start({ nonCash = false, refuse = false, onPaid = (_id: unknown) => {} } = {}) {
	const clock = new VirtualClock();
	const sockets: FakeSocket[] = [];
	const seen = {
		paid: [] as unknown[],
		relayed: [] as string[],
		changes: [] as boolean[],
		events: [] as { id: string; retry_ms?: unknown }[],
	};
	const token = { current: () => ({ token: new Secret('t'), development: false, refused: false }), onChange: () => {} };
	let tries = 0;
	const link = startLiveLink({
		url: 'ws://office.example/ws/{token}/',
		open() {
			tries += 1;
			if (refuse) throw new SyntaxError('Invalid URL');
			const socket = new FakeSocket();
			sockets.push(socket);
			return socket as unknown as LiveSocket;
		},
		token: token as unknown as OutletToken,
		clock: clock.ofProcess(() => true),
		log: { event: (id, fields) => void seen.events.push({ id, ...fields }) },
		random: () => 0,
		isNonCashShown: () => nonCash,
		onChanged: (connected) => void seen.changes.push(connected),
		relay: (text) => void seen.relayed.push(text.type),
		onPaid(id) {
			onPaid(id);
			return seen.paid.push(id) > 0;
		},
	});
	const pass = (ms: number): void => clock.advance(ms);
	return { link, sockets, seen, pass, tries: () => tries };
}

test.each([
	['payment_notification', undefined, true],
	['payment_notification', true, true],
	['payment_notification', 1, true],
	['payment_notification', false, false],
	['payment_notification', 'maybe', false],
	['payment_cash_notification', undefined, false],
	['payment_cash_notification', true, true],
	['another', true, false],
])('[spec 4.12, 7.15] %s with is_paid %j counts as paid: %j', (type, is_paid, paid) => {
	const { sockets, seen } = start();
	sockets[0]?.emit('open');
	sockets[0]?.hears({ type, id: 7, is_paid });
	expect(seen.paid).toEqual(paid ? [7] : []);
});

test.each([
	[false, 2_000],
	[true, 5_000],
])('[spec 7.16, 9.9] after a lost connection (non-cash screen: %j) the link reconnects after %i ms', (nonCash, ms) => {
	const { sockets, pass, tries } = start({ nonCash });
	sockets[0]?.emit('open');
	sockets[0]?.emit('close', 1001);
	pass(ms - 1);
	expect(tries()).toBe(1);
	pass(1);
	expect(tries()).toBe(2);
});

test('if the address is invalid, the link retries as after a lost connection', () => {
	const { link, seen, pass, tries } = start({ refuse: true });
	expect([link.isConnected(), link.lastFailure(), tries()]).toEqual([false, 'Invalid URL', 1]);
	pass(60_000);
	expect(tries()).toBeGreaterThan(4);
	expect(seen.events.every(({ id }) => id === 'socket.lost')).toBe(true);
});

test('if the handling of a message fails, the failure is logged once and the link reconnects', () => {
	const { sockets, seen, pass } = start({
		onPaid(id) {
			if (id === 7) throw new TypeError('no such payment');
		},
	});
	sockets[0]?.emit('open');
	sockets[0]?.hears({ type: 'payment_notification', id: 7 });
	expect(seen.events.filter(({ id }) => id === 'screen.handler_failed')).toMatchObject([
		{ error: 'TypeError', message: 'no such payment', count: 1 },
	]);
	expect([sockets[0]?.ended, seen.relayed, seen.changes]).toEqual([true, [], [true, false]]);
	pass(2_000);
	sockets[1]?.emit('open');
	sockets[1]?.hears({ type: 'payment_notification', id: 8 });
	expect([seen.paid, seen.relayed, seen.changes]).toEqual([[8], ['payment_notification'], [true, false, true]]);
});

test('a handshake that is not complete after 10 s is aborted', () => {
	const { link, sockets, pass, tries } = start();
	pass(10_000);
	expect([sockets[0]?.ended, link.lastFailure()]).toEqual([true, 'no live socket within 10000 ms']);
	pass(2_000);
	expect(tries()).toBe(2);
});

test('if a server sends messages but does not answer the ping after a sent message, the link ends the connection and the message counts as not sent', async () => {
	const { link, sockets, pass } = start();
	const socket = sockets[0];
	socket?.emit('open');
	const sent = link.send({ message: 'x' });
	for (let second = 0; second < 20; second += 1) {
		socket?.hears({ type: 'promo' });
		pass(1_000);
	}
	expect(await sent).toBe(false);
	expect(socket?.ended).toBe(true);
});

test.each([
	['messages', 0x81, 'message'],
	['pings', 0x89, 'ping'],
])('20,000 empty %s in one read do not block other work', async (_what, opcode, event) => {
	const server = createServer().listen(0, '127.0.0.1');
	const sockets = new WebSocketServer({ server });
	const frames = Buffer.alloc(40_000, Buffer.from([opcode, 0]));
	sockets.on('connection', (_socket, { socket }) => void socket.write(frames));
	await once(server, 'listening');
	const address = server.address();
	const socket = openSocket(undefined)(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, []);
	let heard = 0;
	const heardBeforeOthers = new Promise<number>((resolve) => {
		socket.on(event, () => {
			heard += 1;
			if (heard === 1) setImmediate(() => resolve(heard));
		});
	});
	expect(await heardBeforeOthers).toBeLessThan(50);
	socket.terminate();
	sockets.close();
	server.close();
});

test('a handshake that is answered with more than 100 interim answers ("100 Continue") is aborted', async () => {
	const flood = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000));
	const server = createServer(({ socket }) => void socket.on('error', () => undefined).write(flood)).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const socket = openSocket(undefined)(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, []);
	const error = await new Promise<Error>((resolve) => socket.on('error', resolve));
	expect(error.message).toBe('more than 100 interim answers');
	server.closeAllConnections();
	server.close();
});
