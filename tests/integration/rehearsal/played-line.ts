import { createServer, type Socket } from 'node:net';
import { type Listening, listen } from '../../simulators/listen.ts';
import { until } from '../../support/until.ts';

/**
 * The device's end of a TCP line. Until the recording is played, an idle simulator uses the line.
 */
export interface PlayedLine {
	port: number;
	/** Called with the bytes that the kiosk sends. */
	hear: (bytes: Uint8Array) => void;
	say(bytes: Uint8Array): void;
	/** Simulates a device that is off or unplugged: connections are refused until `serve`. */
	drop(): Promise<void>;
	/** Accepts connections again and waits until the kiosk connects. */
	serve(): Promise<void>;
	stop(): Promise<void>;
}

export async function startPlayedLine(): Promise<PlayedLine> {
	let kiosk: Socket | null = null;
	const open = (port: number): Promise<Listening> =>
		listen(
			createServer({ noDelay: true }, (socket) => {
				kiosk?.destroy();
				kiosk = socket;
				socket.on('data', (bytes) => line.hear(bytes));
				socket.once('close', () => {
					if (kiosk === socket) kiosk = null;
				});
			}),
			port,
		);
	let listening: Listening | null = await open(0);
	const { port } = listening;
	const line: PlayedLine = {
		port,
		hear: () => {},
		say: (bytes) => void kiosk?.write(bytes),
		async drop() {
			await listening?.close();
			listening = null;
		},
		async serve() {
			listening ??= await open(port);
			await until(() => {
				if (kiosk === null) throw new Error(`the kiosk has not opened the line on port ${port}`);
			});
		},
		stop: () => line.drop(),
	};
	return line;
}
