// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLive } from './live.ts';
import { parseLive } from './live-message.ts';

class FakeSocket {
	static made: FakeSocket[] = [];
	static OPEN = 1;
	readyState = 1;
	sent: string[] = [];
	onopen?: () => void;
	onclose?: () => void;
	onmessage?: (event: { data: unknown }) => void;
	url: string;
	protocol: string;
	constructor(url: string, protocol: string) {
		this.url = url;
		this.protocol = protocol;
		FakeSocket.made.push(this);
	}
	send(data: string) {
		this.sent.push(data);
	}
	close() {
		this.onclose?.();
	}
}

const listener = (blockMs = 2_000) => ({ opened: vi.fn(), closed: vi.fn(), message: vi.fn(), blockMs: () => blockMs });
/** Waits until the message reader is loaded and the socket opens. */
const opened = () => vi.advanceTimersByTimeAsync(0);
const last = () => FakeSocket.made.at(-1) as FakeSocket;

beforeEach(() => {
	FakeSocket.made = [];
	vi.stubGlobal('WebSocket', FakeSocket);
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

test('messages of an unknown type or with invalid fields are ignored', () => {
	expect(parseLive('{"text":{"type":"connection","is_connected":true}}')).toMatchObject({ type: 'connection', is_connected: true });
	expect(parseLive('{"text":{"type":"stranger"}}')).toBeNull();
	expect(parseLive('{"text":{"type":"payment_cash_notification","id":1,"nominal":1.5}}')).toBeNull();
	expect(parseLive('{')).toBeNull();
	expect(parseLive(new ArrayBuffer(1))).toBeNull();
});

test('[spec 7.11] the socket’s path contains the token, and its subprotocol is echo-protocol', async () => {
	const stop = createLive().keep('a/b', listener());
	await opened();
	expect(last().url).toMatch(/\/ws\/a%2Fb$/);
	expect(last().protocol).toBe('echo-protocol');
	stop();
});

test('[spec 7.12] a ping is sent every 20 s', async () => {
	const stop = createLive().keep('t', listener());
	await opened();
	vi.advanceTimersByTime(40_000);
	expect(last().sent).toEqual(['{"message":"ping"}', '{"message":"ping"}']);
	stop();
});

test.each([2_000, 5_000])(
	'[spec 7.16] when the socket closes, the screen is told at once, and the socket reconnects after %i ms and not before',
	async (blockMs) => {
		const heard = listener(blockMs);
		const stop = createLive().keep('t', heard);
		await opened();
		last().close();
		expect(heard.closed).toHaveBeenCalledTimes(1);
		vi.advanceTimersByTime(blockMs - 1);
		expect(FakeSocket.made).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(1);
		expect(FakeSocket.made).toHaveLength(2);
		last().onopen?.();
		expect(heard.opened).toHaveBeenCalledTimes(1);
		stop();
		await vi.advanceTimersByTimeAsync(10_000);
		expect(FakeSocket.made).toHaveLength(2);
	},
);

test('a message is sent only on an open socket, and the caller learns whether it was sent', async () => {
	const live = createLive();
	expect(live.say({ message: 'transaction', amount: 137_500 })).toBe(false);
	const stop = live.keep('t', listener());
	await opened();
	expect(live.say({ message: 'transaction', amount: 137_500 })).toBe(true);
	expect(last().sent).toEqual(['{"message":"transaction","amount":137500}']);
	last().readyState = 3;
	expect(live.say({ message: 'ping' })).toBe(false);
	stop();
});
