import { randomUUID } from 'node:crypto';
import { FlagSchema, type Id, IdSchema, OrderId } from '@kiosk/contract/back-office';
import { parseBoundedJson } from '@kiosk/contract/bounded-json';
import { PaymentNotification, ServerMessage } from '@kiosk/contract/live';
import * as v from 'valibot';
import WebSocket from 'ws';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/result.ts';
import { actOrDrop, faultCounter } from '../http/handler-faults.ts';
import { limitInterim } from '../http/http-call.ts';
import type { Log } from '../log/log.ts';
import { hideToken } from './hide-token.ts';
import type { OutletToken } from './token.ts';

/**
 * Pause before the n-th consecutive reconnect. The specification requires 2 s after a lost
 * connection.
 */
const RETRY_MS = [2_000, 2_000, 5_000, 10_000, 30_000];
/**
 * Minimum pause before a reconnect while the screen shows a QRIS code or a virtual account. The
 * specification requires it.
 */
const NON_CASH_BLOCK_MS = 5_000;
const JITTER = 0.25;
const HANDSHAKE_MS = 10_000;
/**
 * Interval between pings. If the server sends nothing between two pings, the connection is ended.
 * The same time is the limit for the answer to the ping that follows a sent message.
 */
const PING_MS = 20_000;
const LARGEST_MESSAGE_BYTES = 256 * 1024;
/**
 * If more than this many bytes wait in the socket because the server does not read, the daemon ends
 * the connection at the server's next ping.
 */
const LARGEST_BACKLOG_BYTES = 1024 * 1024;
/** Maximum characters of an error text in the log that may quote the server's message. */
const LONGEST_REASON = 100;
/**
 * Maximum number of messages, pings and pongs read within `SLICE_MS`. When it is reached, the
 * socket is paused for the rest of this time, so that a flood does not delay other work.
 */
const MOST_IN_SLICE = 50;
const SLICE_MS = 1_000;
/**
 * The specification's subprotocol. If a server does not select it, the link reconnects without a
 * subprotocol.
 */
const SUBPROTOCOL = 'echo-protocol';

const PAID_TYPES: ReadonlySet<string> = new Set(['payment_notification', 'payment_cash_notification']);

/**
 * An unreadable order id counts as absent, because a lost "paid" could make a customer pay twice.
 */
const odoo_id = v.fallback(OrderId, null);

/**
 * Messages that may report an invoice as paid. A payment_notification does so if `is_paid` is
 * absent or true, a payment_cash_notification only if `is_paid` is true. The kiosk itself adds the
 * invoice number for the page, so the server's number is not read.
 */
const PaidMessage = v.variant('type', [
	v.object({ ...v.omit(PaymentNotification, ['noinvoice']).entries, odoo_id }),
	v.looseObject({ type: v.literal('payment_cash_notification'), id: IdSchema, is_paid: FlagSchema, odoo_id }),
]);

/**
 * The live socket to the back office. It is open while an outlet is logged in, even without a
 * connected screen.
 */
export interface LiveLink {
	isConnected(): boolean;
	/**
	 * When the socket opened, monotonic ms; null while it is closed. Messages that the server sent
	 * before that time may be lost.
	 */
	openSince(): number | null;
	/** Why the socket last closed or failed to open; null while it is open and after a new log-in. */
	lastFailure(): string | null;
	/**
	 * Sends one message without retries. @returns whether the back office received it. The proof is
	 * the answer to a ping that is sent after the message
	 */
	send(message: object): Promise<boolean>;
	stop(): void;
}

/** The part of a WebSocket that the link uses. The simulation has its own implementation. */
export type LiveSocket = Pick<WebSocket, 'on' | 'off' | 'send' | 'ping' | 'terminate'>;
export type OpenSocket = (url: string, protocols: string[]) => LiveSocket;

/** @param ca certificate authority of the server, unless it is a public one */
export const openSocket =
	(ca: Buffer | undefined): OpenSocket =>
	(url, protocols) => {
		const socket = new WebSocket(url, protocols, {
			handshakeTimeout: HANDSHAKE_MS,
			maxPayload: LARGEST_MESSAGE_BYTES,
			perMessageDeflate: false,
			followRedirects: false,
			autoPong: false,
			// A read of 64 kB may contain 32,000 messages, so other work must be able to run between two
			// messages.
			allowSynchronousEvents: false,
			finishRequest(request) {
				limitInterim(request);
				request.end();
			},
			...(ca ? { ca } : {}),
		});
		let slice = 0;
		const count = (): void => {
			slice += 1;
			if (slice === 1)
				setTimeout(() => {
					slice = 0;
					socket.resume();
				}, SLICE_MS).unref();
			if (slice === MOST_IN_SLICE) socket.pause();
		};
		for (const event of ['message', 'ping', 'pong']) socket.on(event, count);
		socket.on('ping', (data) => {
			if (socket.bufferedAmount > LARGEST_BACKLOG_BYTES) socket.terminate();
			else socket.pong(data);
		});
		return socket;
	};

export interface LiveLinkDeps {
	/** Contains `{token}`. */
	url: string;
	open: OpenSocket;
	token: OutletToken;
	clock: Clock;
	log: Log;
	random: () => number;
	/** Whether the screen shows a QRIS code or virtual account. */
	isNonCashShown: () => boolean;
	onChanged: (connected: boolean) => void;
	/**
	 * Forwards a payment_notification to the pages. Other messages of the server are not forwarded,
	 * because only the daemon may send messages about devices.
	 */
	relay: (text: v.InferOutput<typeof PaymentNotification>) => void;
	/**
	 * Called when the server reports this payment as paid. @returns whether the screen may be
	 * informed
	 */
	onPaid: (id: Id, odoo_id: Id | null | undefined) => boolean;
}

export function startLiveLink(deps: LiveLinkDeps): LiveLink {
	const { clock, log } = deps;
	const fault = faultCounter(log);
	let socket: LiveSocket | null = null;
	let openSince: number | null = null;
	let failures = 0;
	let offerSubprotocol = true;
	let stopped = false;
	let failure: string | null = null;
	let cancelRetry = () => {};

	function connect(): void {
		cancelRetry();
		const session = deps.token.current();
		if (stopped || !session) return;
		const mine = openSession(session.token.reveal());
		if (mine === null) return;
		socket = mine;
		let cancelPing = () => {};
		// Needed because the timeout of the library restarts with every received byte.
		const cancelHandshake = clock.after(HANDSHAKE_MS, () => {
			lose(mine, `no live socket within ${HANDSHAKE_MS} ms`);
			mine.terminate();
		});
		mine.on('open', () => {
			cancelHandshake();
			failures = 0;
			failure = null;
			setConnected(true);
			log.event('socket.connected', {});
			cancelPing = keepAlive(mine, clock);
		});
		mine.on('message', (data) => {
			// A terminated socket still delivers messages that it has read. They are ignored, because
			// another outlet may be logged in now, where the same id refers to another invoice.
			if (socket !== mine) return;
			// An exception here only ends the connection: after the reconnect, the kiosk looks up the
			// invoices whose messages may be lost. An exception in another handler must end the process,
			// because it may prevent the reconnect.
			actOrDrop(
				() => receive(hideToken(String(data), session.token.reveal())),
				fault,
				() => mine.terminate(),
			);
		});
		mine.on('error', (error) => {
			cancelHandshake();
			if (/subprotocol/i.test(error.message)) offerSubprotocol = !offerSubprotocol;
			lose(mine, messageOf(error));
		});
		mine.on('close', (code) => {
			cancelHandshake();
			cancelPing();
			lose(mine, `closed with code ${code}`);
		});
	}

	/**
	 * @returns the socket; null if `open` throws, for example because the address is invalid. Then a
	 * retry is scheduled as after a lost connection
	 */
	function openSession(token: string): LiveSocket | null {
		try {
			return deps.open(deps.url.replace('{token}', encodeURIComponent(token)), offerSubprotocol ? [SUBPROTOCOL] : []);
		} catch (error) {
			retry(messageOf(error));
			return null;
		}
	}

	function lose(mine: LiveSocket, reason: string): void {
		if (socket !== mine) return;
		socket = null;
		setConnected(false);
		retry(reason);
	}

	function retry(reason: string): void {
		failure = reason;
		if (stopped || !deps.token.current()) return;
		const pause = Math.max(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, deps.isNonCashShown() ? NON_CASH_BLOCK_MS : 0);
		const retry_ms = Math.round(pause * (1 + JITTER * deps.random()));
		failures += 1;
		log.event('socket.lost', { reason, retry_ms });
		cancelRetry = clock.after(retry_ms, connect);
	}

	function setConnected(now: boolean): void {
		if ((openSince !== null) === now) return;
		openSince = now ? clock.now() : null;
		deps.onChanged(now);
	}

	function logOdd(issue: v.BaseIssue<unknown>): void {
		log.event('socket.odd_message', { path: v.getDotPath(issue), reason: issue.message.slice(0, LONGEST_REASON) });
	}

	function receive(data: string): void {
		let json: unknown;
		try {
			json = parseBoundedJson(data);
		} catch (error) {
			return log.event('socket.odd_message', { reason: `not a JSON message: ${messageOf(error).slice(0, LONGEST_REASON)}` });
		}
		const message = v.safeParse(ServerMessage, json);
		if (!message.success) return logOdd(message.issues[0]);
		const { text } = message.output;
		const paid = v.safeParse(PaidMessage, text);
		if (!paid.success) {
			if (PAID_TYPES.has(text.type)) logOdd(paid.issues[0]);
			return;
		}
		const { output } = paid;
		const believed = !output.is_paid || deps.onPaid(output.id, output.odoo_id);
		if (believed && output.type === 'payment_notification') deps.relay(output);
	}

	/** Reconnects after each change of the token, because the token is part of the address. */
	deps.token.onChange(() => {
		const old = socket;
		socket = null;
		old?.terminate();
		failure = null;
		setConnected(false);
		failures = 0;
		connect();
	});
	connect();
	return {
		isConnected: () => openSince !== null,
		openSince: () => openSince,
		lastFailure: () => failure,
		send: (message) => (socket && openSince !== null ? sendAndPing(socket, message, clock) : Promise.resolve(false)),
		stop() {
			stopped = true;
			cancelRetry();
			socket?.terminate();
		},
	};
}

/**
 * Sends a ping frame and, as the specification requires, a ping message at intervals. Ends the
 * connection if the server has sent nothing since the previous ping.
 * @returns a function that ends the pings
 */
function keepAlive(socket: LiveSocket, clock: Clock): () => void {
	let answered = true;
	let cancel = clock.after(PING_MS, beat);
	const heard = (): void => {
		answered = true;
	};
	socket.on('pong', heard);
	socket.on('message', heard);
	function beat(): void {
		if (!answered) return socket.terminate();
		answered = false;
		socket.ping();
		socket.send(JSON.stringify({ message: 'ping' }));
		cancel = clock.after(PING_MS, beat);
	}
	return () => cancel();
}

/**
 * Sends a message, then a ping. Frames arrive in order, so the answer to the ping proves that the
 * message has arrived. If the ping is not answered in time, the connection is ended, so that later
 * messages do not wait for ever.
 */
function sendAndPing(socket: LiveSocket, message: object, clock: Clock): Promise<boolean> {
	const mark = randomUUID();
	return new Promise((resolve) => {
		const heard = (data: Buffer): void => {
			if (String(data) === mark) end(true);
		};
		const lost = (): void => end(false);
		const cancelLimit = clock.after(PING_MS, () => socket.terminate());
		const end = (arrived: boolean): void => {
			cancelLimit();
			socket.off('pong', heard);
			socket.off('close', lost);
			resolve(arrived);
		};
		socket.on('pong', heard);
		socket.on('close', lost);
		socket.send(JSON.stringify(message));
		socket.ping(mark);
	});
}
