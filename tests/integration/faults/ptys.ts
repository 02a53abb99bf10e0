import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A serial cable between two pseudo terminals. It stays connected when a daemon at one end is
 * killed.
 */
export interface Cable {
	/** The simulator's end. */
	device: string;
	/** The daemon's end. */
	host: string;
	stop(): void;
}

export async function plugCable(): Promise<Cable> {
	const folder = mkdtempSync(join(tmpdir(), 'cable-'));
	const [device, host] = [join(folder, 'device'), join(folder, 'host')];
	const end = (link: string): string => `PTY,raw,echo=0,link=${link}`;
	const socat: ChildProcess = spawn('socat', ['-d', '-d', end(device), end(host)], { stdio: ['ignore', 'ignore', 'pipe'] });
	await new Promise<void>((resolve, reject) => {
		socat.once('error', reject);
		socat.stderr?.on('data', (text) => String(text).includes('starting data transfer loop') && resolve());
	});
	return {
		device,
		host,
		stop() {
			socat.kill();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
