import * as v from 'valibot';
import { LiveMessage, type LiveText } from '../../../daemon/contract/live.ts';

/** From the specification: after a close the screen is offline and does not knock again for 2 s. */
const RECONNECT_BLOCK_MS = 2_000;
/** Keeps the line awake and lets the daemon notice a screen that is gone. */
const PING_EVERY_MS = 20_000;
const SUBPROTOCOL = 'echo-protocol';

type LiveListener = {
	opened: () => void;
	closed: () => void;
	message: (text: LiveText) => void;
};

/** @returns the message, or null for anything the screen does not know */
export function parseLive(data: unknown): LiveText | null {
	if (typeof data !== 'string') return null;
	try {
		const parsed = v.safeParse(LiveMessage, JSON.parse(data));
		return parsed.success ? parsed.output.text : null;
	} catch {
		return null;
	}
}

/**
 * Keeps the live socket to the daemon open, for as long as the outlet is logged in.
 * @returns closes it for good
 */
export function keepLive(token: string, listener: LiveListener): () => void {
	let socket: WebSocket | null = null;
	let ended = false;
	let retry: ReturnType<typeof setTimeout> | undefined;

	const open = () => {
		const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
		socket = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(token)}`, SUBPROTOCOL);
		socket.onopen = () => listener.opened();
		socket.onmessage = (event) => {
			const text = parseLive(event.data);
			if (text !== null) listener.message(text);
		};
		socket.onclose = () => {
			if (ended) return;
			listener.closed();
			retry = setTimeout(open, RECONNECT_BLOCK_MS);
		};
	};
	open();
	const ping = setInterval(() => {
		if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ message: 'ping' }));
	}, PING_EVERY_MS);

	return () => {
		ended = true;
		clearTimeout(retry);
		clearInterval(ping);
		socket?.close();
		listener.closed();
	};
}
