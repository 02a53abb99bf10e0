import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import * as v from 'valibot';
import { type WebSocket, WebSocketServer } from 'ws';
import { parseBoundedJson } from '../../contract/bounded-json.ts';
import { type LiveText, ScreenMessage } from '../../contract/live.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log/log.ts';

const LARGEST_MESSAGE_BYTES = 64 * 1024;
/** A screen that has not read this much is dead; it gets everything again when it reconnects. */
const LARGEST_BACKLOG_BYTES = 1024 * 1024;
const PING_MS = 10_000;
const SUBPROTOCOL = 'echo-protocol';

/** The live socket to the screen: `/ws/{token}` on the daemon's own origin. */
export interface ScreenHub {
	/** Takes over an upgraded connection whose Host, Origin and token have been checked. */
	accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
	/** To every connected screen. `text` is a LiveText, or a message of the back office as it came. */
	tell(text: LiveText | { type: string }): void;
	screens(): number;
	/** Drops every screen, e.g. at logout: its token is no longer good. */
	dropAll(): void;
	stop(): void;
}

export interface ScreenHubParts {
	clock: Clock;
	log: Log;
	greeting: () => LiveText[];
	count: (screens: number) => void;
	/** What a screen sent, as it came; it has the shape of the contract. */
	heard: (message: ScreenMessage) => void;
}

export function startScreenHub(parts: ScreenHubParts): ScreenHub {
	const server = new WebSocketServer({
		noServer: true,
		maxPayload: LARGEST_MESSAGE_BYTES,
		perMessageDeflate: false,
		handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
	});
	const silent = new WeakSet<WebSocket>();

	function send(socket: WebSocket, text: object): void {
		if (socket.bufferedAmount > LARGEST_BACKLOG_BYTES) return socket.terminate();
		socket.send(JSON.stringify({ text }));
	}

	server.on('connection', (socket) => {
		socket.on('pong', () => silent.delete(socket));
		socket.on('error', () => socket.terminate());
		socket.on('close', () => parts.count(server.clients.size));
		socket.on('message', (data) => {
			silent.delete(socket);
			const message = screenMessage(String(data));
			if (message) parts.heard(message);
			else parts.log.event('socket.odd_message', { from: 'screen' });
		});
		for (const text of parts.greeting()) send(socket, text);
		parts.count(server.clients.size);
	});

	let cancelPing = parts.clock.after(PING_MS, beat);
	function beat(): void {
		cancelPing = parts.clock.after(PING_MS, beat);
		for (const socket of server.clients) {
			if (silent.has(socket)) socket.terminate();
			else {
				silent.add(socket);
				socket.ping();
			}
		}
	}

	return {
		accept: (request, socket, head) => server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request)),
		tell(text) {
			for (const socket of server.clients) send(socket, text);
		},
		screens: () => server.clients.size,
		dropAll() {
			for (const socket of server.clients) socket.close(1008);
		},
		stop() {
			cancelPing();
			for (const socket of server.clients) socket.terminate();
			server.close();
		},
	};
}

function screenMessage(data: string): ScreenMessage | null {
	try {
		const message = parseBoundedJson(data);
		return v.is(ScreenMessage, message) ? message : null;
	} catch {
		return null;
	}
}
