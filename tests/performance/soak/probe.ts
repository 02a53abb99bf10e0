/**
 * Preloaded into the daemon's process (`NODE_OPTIONS=--import`). Answers each message on
 * `PROBE_SOCKET` with the resource usage of the process, as one line of JSON. The daemon's own code
 * stays unchanged.
 */
import { subscribe } from 'node:diagnostics_channel';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { countStatements, ownReading } from './reading.ts';
import { STILL } from './still.ts';

for (const flag of STILL) setFlagsFromString(flag);

/** Number of doubles that take one kilobyte on the heap. */
const KILOBYTE = 128;

countStatements();

createServer((socket) => {
	socket.on('error', () => socket.destroy());
	// This socket is open at every reading, so it adds the same amount to each reading.
	socket.on('data', () => socket.write(`${JSON.stringify(ownReading())}\n`));
})
	.listen(process.env.PROBE_SOCKET)
	.unref();

/**
 * Deliberate leaks, to prove that leaks are detected. `PROBE_LEAK` names leaks, separated by
 * commas; each of these occurs once in each journey.
 */
const kept: unknown[] = [];
const LEAKS: Record<string, () => void> = {
	heap: () => kept.push(Array.from({ length: KILOBYTE }, () => Math.random())),
	files: () => kept.push(openSync('/dev/null', 'r')),
	timers: () => kept.push(setInterval(() => {}, 3_600_000)),
	statements: () => kept.push(new DatabaseSync(':memory:').prepare('SELECT 1')),
};
const leaks = (process.env.PROBE_LEAK ?? '').split(',').flatMap((name) => LEAKS[name] ?? []);
subscribe('http.server.request.start', (message) => {
	const { request } = message as { request: { url?: string } };
	if (request.url === '/kiosk/cash/close') for (const leak of leaks) leak();
});
