import { createServer, type Socket } from 'node:net';
import { type Listening, listen } from '../simulators/listen.ts';

/**
 * The port of network printers that take raw data; the kiosk's firewall permits connections to this
 * port.
 */
export const PRINTER_PORT = 9_100;

export interface Paper {
	sheets: readonly Buffer[];
	/** From now on the printer is busy: it keeps the connection of each sheet open. */
	hold(): void;
	/** Ends the held connections. Later connections end after their sheet. */
	release(): void;
	stop(): Promise<void>;
}

/** A receipt printer on the network: stores each received sheet and passes it to `onSheet`. */
export async function startPaper(onSheet: (sheet: Buffer) => void = () => undefined): Promise<Paper> {
	const sheets: Buffer[] = [];
	let held: Socket[] | null = null;
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		const parts: Buffer[] = [];
		socket.on('data', (part) => parts.push(part));
		socket.on('error', () => undefined);
		socket.on('end', () => (held ? held.push(socket) : socket.end()));
		socket.on('close', () => {
			if (parts.length === 0) return;
			const sheet = Buffer.concat(parts);
			sheets.push(sheet);
			onSheet(sheet);
		});
	});
	const listening: Listening = await listen(server, PRINTER_PORT);
	return {
		sheets,
		hold() {
			held ??= [];
		},
		release() {
			for (const socket of held ?? []) socket.end();
			held = null;
		},
		stop: listening.close,
	};
}
