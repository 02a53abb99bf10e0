import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Fields, isFields } from '../http.ts';
import type { Dialect } from './dialect.ts';

/** Largest size of a message, bytes. The kiosk's messages are smaller. */
const LARGEST_MESSAGE = 65_536;
const PATH = /^\/ws\/([^/]+)\/?$/;
const KEPT_MESSAGES = 100;

export interface LiveOptions {
	knowsToken(token: string): boolean;
	/** If set, the live socket acts as that of another server, which has no subprotocol. */
	dialect?: Dialect | undefined;
	/** Called with a `transaction_approve` of a logged-in kiosk. */
	onApproval(noInvoice: string, success: unknown): void;
}

/** The live sockets of all kiosks. */
export interface Live {
	/** The latest messages from kiosks, oldest first; approvals without their access tokens. */
	received: unknown[];
	/** Messages that are not a JSON object with a `message`. */
	odd: string[];
	count(): number;
	upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
	/** Sends `{text}` to every kiosk, unless silent. */
	say(text: Fields): void;
	/** Sends this text unchanged to every kiosk, unless silent. */
	sayRaw(text: string): void;
	/** While silent, the server sends nothing and reads nothing, not even pings. */
	setSilent(silent: boolean): void;
	/** Closes every socket with a close frame, as a restarting server does. */
	close(): void;
}

export function liveSockets(options: LiveOptions): Live {
	const { dialect } = options;
	const server = new WebSocketServer({
		noServer: true,
		maxPayload: LARGEST_MESSAGE,
		perMessageDeflate: false,
		handleProtocols: (offered) => (!dialect && offered.has('echo-protocol') ? 'echo-protocol' : false),
	});
	const received: unknown[] = [];
	const odd: string[] = [];
	let silent = false;

	const hear = (message: unknown): void => {
		if (!isFields(message) || message.message === undefined) odd.push(JSON.stringify(message));
		const approval = approvalIn(message);
		received.push(approval === null ? message : { ...(message as Fields), message: { ...approval.envelope, data: approval.known } });
		if (received.length > KEPT_MESSAGES) received.shift();
		if (approval !== null && options.knowsToken(approval.accessToken)) options.onApproval(approval.noInvoice, approval.success);
	};
	const accept = (socket: WebSocket): void => {
		socket.on('error', () => socket.terminate());
		socket.on('message', (data) => {
			try {
				hear(JSON.parse(String(data)));
			} catch (error) {
				if (!(error instanceof SyntaxError)) throw error;
				odd.push(String(data));
				socket.close(1003, 'not JSON');
			}
		});
		if (dialect) socket.send(dialect.greeting);
	};
	const sayRaw = (text: string): void => {
		if (silent) return;
		for (const socket of server.clients) socket.send(text);
	};
	/** @returns the token in the address of a live socket */
	const tokenIn = ({ pathname, searchParams }: URL): string | undefined => {
		if (!dialect) return PATH.exec(pathname)?.[1];
		return pathname === dialect.socket.path ? (searchParams.get(dialect.socket.parameter) ?? undefined) : undefined;
	};
	return {
		received,
		odd,
		sayRaw,
		count: () => server.clients.size,
		upgrade(request, socket, head) {
			socket.on('error', () => socket.destroy());
			const token = tokenIn(new URL(request.url ?? '/', 'http://localhost'));
			if (token === undefined || !options.knowsToken(dialect ? token : decodeURIComponent(token))) {
				socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
				return;
			}
			server.handleUpgrade(request, socket, head, accept);
		},
		say: (text) => sayRaw(dialect?.says(text) ?? JSON.stringify({ text })),
		setSilent(next) {
			silent = next;
			for (const socket of server.clients) silent ? socket.pause() : socket.resume();
		},
		close() {
			for (const socket of server.clients) socket.close(1012, 'service restart');
		},
	};
}

/**
 * @returns the parts of `{message: {type, event: "transaction_approve", data: {no_invoice,
 * access_token, json_success_payment}}}`, or null for another message
 */
function approvalIn(message: unknown) {
	if (!isFields(message) || !isFields(message.message) || !isFields(message.message.data)) return null;
	const envelope = message.message;
	if (envelope.type !== 'payment_edc_bca_notification' || envelope.event !== 'transaction_approve') return null;
	const { access_token, ...known } = message.message.data;
	return { envelope, known, accessToken: String(access_token), noInvoice: String(known.no_invoice), success: known.json_success_payment };
}
