import type { LiveText, ScreenMessage } from '@kiosk/contract/live';
import { onDemand } from './on-demand.ts';

/**
 * Time between two pings. They keep the connection alive, and when they stop, the daemon knows that
 * the screen is gone.
 */
const PING_EVERY_MS = 20_000;
const SUBPROTOCOL = 'echo-protocol';

type LiveListener = {
	opened: () => void;
	closed: () => void;
	message: (text: LiveText) => void;
	/** Time from a close to the reconnect, ms. Until then the screen counts as offline. */
	blockMs: () => number;
};

/** The live socket to the daemon. */
export type Live = {
	/**
	 * Keeps the socket open: after a close it is opened again.
	 * @returns a function that closes the socket for good
	 */
	keep(token: string, listener: LiveListener): () => void;
	/** @returns whether the message was sent. If not, it is dropped and not sent later. */
	say(message: ScreenMessage): boolean;
};

const loadMessages = onDemand(() => import('./live-message.ts'));

/** @returns the screen's only live socket. It opens only when `keep` is called. */
export function createLive(): Live {
	let current: WebSocket | null = null;
	const say = (message: ScreenMessage): boolean => {
		if (current?.readyState !== WebSocket.OPEN) return false;
		current.send(JSON.stringify(message));
		return true;
	};
	return { keep: (token, listener) => keepOpen(token, listener, say, (socket) => (current = socket)), say };
}

function keepOpen(token: string, listener: LiveListener, say: Live['say'], opened: (socket: WebSocket) => void): () => void {
	let socket: WebSocket | null = null;
	let ended = false;
	let retry: ReturnType<typeof setTimeout> | undefined;

	const again = () => {
		listener.closed();
		retry = setTimeout(open, listener.blockMs());
	};
	const open = async () => {
		// Loads the message reader before the socket opens, so that no message is lost.
		const messages = await loadMessages();
		if (ended) return;
		if (messages === null) {
			again();
			return;
		}
		const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
		socket = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(token)}`, SUBPROTOCOL);
		opened(socket);
		socket.onopen = () => listener.opened();
		socket.onmessage = (event) => {
			const text = messages.parseLive(event.data);
			if (text !== null) listener.message(text);
		};
		socket.onclose = () => {
			if (!ended) again();
		};
	};
	void open();
	const ping = setInterval(() => say({ message: 'ping' }), PING_EVERY_MS);

	return () => {
		ended = true;
		clearTimeout(retry);
		clearInterval(ping);
		socket?.close();
		listener.closed();
	};
}
