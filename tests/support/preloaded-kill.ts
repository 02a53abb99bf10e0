/**
 * Node preloads this module into the daemon. It kills the daemon as a power cut would, while the
 * daemon sets a journal aside: after the daemon has made the folder for that journal, it is killed
 * before the n-th further change of a file. The variable KIOSK_TEST_KILL names the file that
 * contains n. Without this file nothing happens.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env.KIOSK_TEST_KILL ?? '';
/** How many changes remain until the kill; null until the folder is made. */
let left: number | null = null;

function count(path: unknown): void {
	if (left === null && String(path).includes('set-aside-') && fs.existsSync(file)) left = Number(fs.readFileSync(file, 'utf8'));
	if (left === null) return;
	if (left === 0) process.kill(process.pid, 'SIGKILL');
	left -= 1;
}

for (const name of ['mkdirSync', 'renameSync', 'fsyncSync', 'writeFileSync', 'writeSync', 'rmSync', 'copyFileSync'] as const) {
	const real = fs[name] as (...of: unknown[]) => unknown;
	Object.assign(fs, {
		[name]: (...of: unknown[]) => {
			count(of[0]);
			return real(...of);
		},
	});
}
syncBuiltinESMExports();
