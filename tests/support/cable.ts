import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A serial cable between two pseudo terminals. If a daemon at one end is killed, the cable stays.
 */
export interface Cable {
	/** The simulator's end. */
	device: string;
	/** The daemon's end. */
	host: string;
	stop(): Promise<void>;
}

/**
 * @param folder holds the two ends; `stop` deletes it. A later cable in the same folder has the
 * same paths.
 */
export async function plugCable(folder = mkdtempSync(join(tmpdir(), 'cable-'))): Promise<Cable> {
	mkdirSync(folder, { recursive: true });
	const [device, host] = [join(folder, 'device'), join(folder, 'host')];
	const end = (link: string): string => `PTY,raw,echo=0,link=${link}`;
	const socat = spawn('socat', ['-d', '-d', end(device), end(host)], { stdio: ['ignore', 'ignore', 'pipe'] });
	const ended = once(socat, 'exit');
	await new Promise<void>((resolve, reject) => {
		socat.once('error', reject);
		socat.stderr.on('data', (text) => String(text).includes('starting data transfer loop') && resolve());
	});
	return {
		device,
		host,
		async stop() {
			socat.kill();
			await ended;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
