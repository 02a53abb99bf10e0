import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { parseBoundedJson } from '@kiosk/contract/bounded-json';
import { type LiveText, ScreenMessage } from '@kiosk/contract/live';
import * as v from 'valibot';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Clock, every } from '../base/clock.ts';
import { actOrDrop, faultCounter } from '../http/handler-faults.ts';
import type { Log } from '../log/log.ts';

const LARGEST_MESSAGE_BYTES = 64 * 1024;
/**
 * A screen that leaves this much data unread is disconnected. It gets the present state when it
 * reconnects.
 */
const LARGEST_BACKLOG_BYTES = 1024 * 1024;
/**
 * Maximum number of messages that a session may send within a second. A page needs only a few for a
 * payment, besides pings. Each message may cause a request to the terminal or the back office, so a
 * flood would delay all other pages and devices.
 */
const MOST_MESSAGES = 20;
const MESSAGES_PER_MS = 1_000;
const PING_MS = 10_000;
const SUBPROTOCOL = 'echo-protocol';

/**
 * The live socket to the screen: `/ws/{token}` on the daemon's origin. The token is the key of the
 * page's session.
 */
export interface ScreenHub {
	/**
	 * Accepts a connection whose Host, Origin and session have been checked.
	 * @param session id of the session
	 */
	accept(request: IncomingMessage, socket: Duplex, head: Buffer, session: string): void;
	/** Sends to every connected screen. */
	notify(text: LiveText): void;
	screens(): number;
	/** Disconnects every screen, e.g. at logout. */
	dropAll(): void;
	/** Disconnects the screens of an ended session. */
	drop(session: string): void;
	stop(): void;
}

export interface ScreenHubDeps {
	clock: Clock;
	log: Log;
	greeting: () => LiveText[];
	/**
	 * @returns the message to send to the screens of this session; it differs from `text` if the
	 * session must not see `text`
	 */
	seenBy: (text: LiveText, session: string | undefined) => LiveText;
	/** @param connected sessions of the connected screens */
	onCount: (connected: ReadonlySet<string>) => void;
	/** Receives a screen's message, of which only the contract's fields are kept. */
	onMessage: (message: ScreenMessage) => void;
}

export function startScreenHub(deps: ScreenHubDeps): ScreenHub {
	const server = new WebSocketServer({
		noServer: true,
		maxPayload: LARGEST_MESSAGE_BYTES,
		perMessageDeflate: false,
		handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
	});
	const silent = new WeakSet<WebSocket>();
	/**
	 * Sessions of the sockets whose messages are read. A closing socket may still send messages. They
	 * must not be read, so the entry of such a socket is removed.
	 */
	const sessions = new WeakMap<WebSocket, string>();

	/** `of`: number of messages of each session since the time `since` (monotonic ms). */
	let heard = { since: deps.clock.now(), of: new Map<string, number>() };

	/** Counts a message. @returns whether its session has sent too many */
	function isFlood(session: string): boolean {
		const now = deps.clock.now();
		if (now - heard.since >= MESSAGES_PER_MS) heard = { since: now, of: new Map() };
		const messages = (heard.of.get(session) ?? 0) + 1;
		heard.of.set(session, messages);
		return messages > MOST_MESSAGES;
	}

	function send(socket: WebSocket, text: LiveText): void {
		if (socket.bufferedAmount > LARGEST_BACKLOG_BYTES) return socket.terminate();
		socket.send(JSON.stringify({ text: deps.seenBy(text, sessions.get(socket)) }));
	}

	const count = (): void => deps.onCount(new Set([...server.clients].flatMap((socket) => sessions.get(socket) ?? [])));

	const fault = faultCounter(deps.log);
	server.on('connection', (socket: WebSocket, _request: IncomingMessage, session: string) => {
		sessions.set(socket, session);
		/**
		 * Counts this frame. Disconnects the socket if its session sends too many frames. @returns
		 * whether to read the frame: false after such a disconnect and after the end of the session
		 */
		function isRead(): boolean {
			silent.delete(socket);
			if (!sessions.has(socket)) return false;
			if (!isFlood(session)) return true;
			deps.log.event('socket.odd_message', { from: 'screen', reason: `more than ${MOST_MESSAGES} messages a second` });
			sessions.delete(socket);
			socket.terminate();
			return false;
		}
		socket.on('ping', isRead);
		socket.on('pong', isRead);
		socket.on('error', () => socket.terminate());
		// When the page that opened the acceptor disconnects, `onCount` stops the acceptor. If
		// `onCount` throws, only a restart is safe, so the exception must end the daemon.
		socket.on('close', count);
		function hear(data: string): void {
			if (!isRead()) return;
			const message = screenMessage(data);
			if (message) deps.onMessage(message);
			else deps.log.event('socket.odd_message', { from: 'screen' });
		}
		socket.on('message', (data) =>
			actOrDrop(
				() => hear(String(data)),
				fault,
				() => socket.terminate(),
			),
		);
		for (const text of deps.greeting()) send(socket, text);
		count();
	});

	function dropWhere(isMeant: (socket: WebSocket) => boolean): void {
		for (const socket of server.clients) {
			if (!isMeant(socket)) continue;
			sessions.delete(socket);
			socket.close(1008);
		}
		count();
	}

	const stopPings = every(deps.clock, PING_MS, () => {
		for (const socket of server.clients) {
			if (silent.has(socket)) socket.terminate();
			else {
				silent.add(socket);
				socket.ping();
			}
		}
	});

	return {
		accept: (request, socket, head, session) =>
			server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request, session)),
		notify(text) {
			for (const socket of server.clients) send(socket, text);
		},
		screens: () => server.clients.size,
		dropAll: () => dropWhere(() => true),
		drop: (session) => dropWhere((socket) => sessions.get(socket) === session),
		stop() {
			stopPings();
			for (const socket of server.clients) socket.terminate();
			server.close();
		},
	};
}

function screenMessage(data: string): ScreenMessage | null {
	try {
		const message = v.safeParse(ScreenMessage, parseBoundedJson(data));
		return message.success ? message.output : null;
	} catch {
		return null;
	}
}
