import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../daemon/src/journal/store.ts';
import { freePort } from '../../support/daemon.ts';
import { writeWaiting } from '../soak/waiting-notes.ts';
import { amount, type Figure, median, ms, ratioFigure } from './figures.ts';

/** Months without the back office. */
const NOTES = amount(100_000, 2_000);
const ROUNDS = amount(5, 2);
const LOOKS = 20;
const DAEMON = join(import.meta.dirname, '..', '..', '..', 'daemon', 'kioskd');
/** tmpfs: syncs cost nothing there, or writing the queue would take minutes. */
const IN_MEMORY = '/dev/shm';

/**
 * The real daemon with 100,000 waiting notes compared with one without: its start, and one health
 * request.
 */
export async function waitingNotes(): Promise<Figure[]> {
	const directory = mkdtempSync(join(IN_MEMORY, 'bench-waiting-'));
	try {
		const opened = openStore(join(directory, String(NOTES)));
		if (!opened.ok) throw new Error(opened.error.message);
		writeWaiting(opened.value, NOTES);
		opened.value.close();
		const [none, many] = [0, NOTES].map(() => ({ start: [] as number[], health: [] as number[] })) as [Times, Times];
		for (let round = 0; round < ROUNDS; round += 1) {
			await measure(directory, 0, none);
			await measure(directory, NOTES, many);
		}
		const figure = (name: string, of: 'start' | 'health', goal: number): Figure =>
			ratioFigure({ name: `${name}, ${NOTES} notes waiting (none)`, measured: median(many[of]), floor: median(none[of]), show: ms, goal });
		return [figure('start to the first answer', 'start', 1.5), figure('one health request', 'health', 5)];
	} finally {
		rmSync(directory, { recursive: true });
	}
}

interface Times {
	start: number[];
	health: number[];
}

async function measure(directory: string, notes: number, times: Times): Promise<void> {
	const [port, servicePort] = [await freePort(), await freePort()];
	const file = join(directory, 'kiosk.toml');
	writeFileSync(
		file,
		`[screen]\nlisten = "127.0.0.1:${port}"\nservice_listen = "127.0.0.1:${servicePort}"\n[journal]\ndirectory = "${directory}/${notes}"\n`,
	);
	const address = `http://127.0.0.1:${servicePort}/health`;
	const begin = performance.now();
	const child = spawn(DAEMON, ['--config', file], { stdio: 'ignore' });
	while (!(await answers(address))) await new Promise((resolve) => setTimeout(resolve, 2));
	times.start.push(performance.now() - begin);
	for (let look = 0; look < LOOKS; look += 1) {
		const asked = performance.now();
		await (await fetch(address)).text();
		times.health.push(performance.now() - asked);
	}
	child.kill('SIGKILL');
	await once(child, 'exit');
}

const answers = (address: string): Promise<boolean> =>
	fetch(address).then(
		() => true,
		() => false,
	);
