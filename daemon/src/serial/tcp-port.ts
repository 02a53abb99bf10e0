import { connect } from 'node:net';
import { closedOnce, type OpenPort, UNREAD_BYTES } from './port.ts';

/**
 * If a device server on the LAN does not answer within this time, it counts as absent and is
 * retried.
 */
const CONNECT_LIMIT_MS = 5_000;

/**
 * A serial device over TCP: a simulator, a serial device server or a terminal with a network
 * socket.
 */
export const tcpPort =
	(host: string, port: number): OpenPort =>
	(listener) => {
		const closed = closedOnce(listener);
		const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 5_000 });
		socket.setTimeout(CONNECT_LIMIT_MS, () => socket.destroy(new Error(`no answer from ${host}:${port} within ${CONNECT_LIMIT_MS} ms`)));
		socket.on('connect', () => {
			socket.setTimeout(0);
			listener.opened();
		});
		socket.on('data', (bytes) => listener.data(bytes));
		socket.on('error', (error) => closed(error.message));
		socket.on('close', () => closed('connection closed by the device'));
		return {
			write(bytes) {
				if (!socket.writable) return;
				socket.write(bytes);
				if (socket.writableLength > UNREAD_BYTES) socket.destroy(new Error('the device does not read the bytes sent to it'));
			},
			pause: () => void socket.pause(),
			resume: () => void socket.resume(),
			close: () => {
				socket.destroy();
				closed('closed by the daemon');
			},
		};
	};
