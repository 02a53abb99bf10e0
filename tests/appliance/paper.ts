import { createServer } from 'node:net';
import { type Listening, listen } from '../simulators/listen.ts';

/** The port of raw network printers; the kiosk's firewall allows no other. */
export const PRINTER_PORT = 9_100;

export interface Paper {
	sheets: readonly Buffer[];
	stop(): Promise<void>;
}

/** A receipt printer on the network: stores what it receives and passes each sheet on. */
export async function startPaper(onSheet: (sheet: Buffer) => void = () => undefined): Promise<Paper> {
	const sheets: Buffer[] = [];
	const server = createServer((socket) => {
		const parts: Buffer[] = [];
		socket.on('data', (part) => parts.push(part));
		socket.on('error', () => undefined);
		socket.on('close', () => {
			if (parts.length === 0) return;
			const sheet = Buffer.concat(parts);
			sheets.push(sheet);
			onSheet(sheet);
		});
	});
	const listening: Listening = await listen(server, PRINTER_PORT);
	return { sheets, stop: listening.close };
}
