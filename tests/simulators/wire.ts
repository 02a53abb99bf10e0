import { createServer, type Socket } from 'node:net';
import { SerialPort } from 'serialport';
import { type Listening, listen } from './listen.ts';
import type { Log } from './log.ts';

/** A simulated device's end of its cable. The cable is a TCP connection or a serial line. */
export interface WireEnd {
	/** Sends bytes to the host; null while no host is connected. */
	write: ((bytes: Uint8Array) => void) | null;
	hear(bytes: Uint8Array): void;
	/**
	 * Called when a host has connected over TCP. On a serial line a connection cannot be detected.
	 */
	connected?(): void;
}

export interface SerialLine {
	path: string;
	baudRate: number;
	parity: 'none' | 'even' | 'odd';
}

const REOPEN_MS = 200;

/** Serves one host at a time, as a cable does: a new connection replaces the old one. */
export function serveTcp(port: number, end: WireEnd, log: Log): Promise<Listening> {
	let host: Socket | null = null;
	const server = createServer({ noDelay: true }, (socket) => {
		host?.destroy();
		host = socket;
		log('host connected');
		end.write = (bytes) => void socket.write(bytes);
		socket.on('data', (bytes) => end.hear(bytes));
		socket.once('close', () => {
			if (host !== socket) return;
			host = null;
			end.write = null;
			log('host gone');
		});
		end.connected?.();
	});
	return listen(server, port);
}

/**
 * Opens the serial line. Until `close` is called, the line is reopened if it closes, e.g. because
 * the adapter was unplugged.
 */
export async function openSerial(line: SerialLine, end: WireEnd, log: Log): Promise<{ close(): Promise<void> }> {
	let closed = false;
	let current: SerialPort | null = null;
	let reopen: ReturnType<typeof setTimeout> | undefined;
	const open = (): Promise<void> =>
		new Promise((resolve) => {
			const port = new SerialPort({ ...line, dataBits: 8, stopBits: 1, autoOpen: false });
			current = port;
			let gone = false;
			const lost = (): void => {
				// Only the first report counts, because serialport may report a close several times.
				if (gone) return;
				gone = true;
				end.write = null;
				if (!closed) reopen = setTimeout(() => void open(), REOPEN_MS);
				resolve();
			};
			port.on('error', lost);
			port.on('close', lost);
			port.on('data', (bytes: Buffer) => end.hear(bytes));
			port.open((error) => {
				if (error !== null) {
					lost();
					return;
				}
				end.write = (bytes) => void port.write(Buffer.from(bytes));
				log(`serial line ${line.path} open`);
				resolve();
			});
		});
	await open();
	return {
		close: () =>
			new Promise<void>((resolve) => {
				closed = true;
				clearTimeout(reopen);
				if (current?.isOpen) current.close(() => resolve());
				else resolve();
			}),
	};
}
