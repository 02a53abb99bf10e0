import { createServer } from 'node:net';
import { type Listening, listen } from '../simulators/listen.ts';

/** The port of raw network printers; the kiosk's firewall knows no other. */
const PORT = 9_100;

/** A receipt printer on the network: keeps what it is sent. */
export async function startPaper(): Promise<{ port: number; sheets: Buffer[]; stop: () => Promise<void> }> {
	const sheets: Buffer[] = [];
	const server = createServer((socket) => {
		const parts: Buffer[] = [];
		socket.on('data', (part) => parts.push(part));
		socket.on('error', () => undefined);
		socket.on('close', () => {
			if (parts.length > 0) sheets.push(Buffer.concat(parts));
		});
	});
	const listening: Listening = await listen(server, PORT);
	return { port: listening.port, sheets, stop: listening.close };
}
