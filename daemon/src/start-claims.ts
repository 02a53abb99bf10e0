/**
 * Claims the journal's folder, the state directory and the screen's address. A daemon must hold
 * them exclusively before it changes anything.
 */
import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Claim, ClaimError } from './journal/claim.ts';

/**
 * How long a daemon waits for its predecessor. A killed predecessor exits within milliseconds.
 * systemd itself waits for a predecessor that stops cleanly. A technician who starts a second
 * daemon by hand should get the error soon.
 */
export const PREDECESSOR_MS = 3_000;
const LOOK_EVERY_MS = 50;

/**
 * Takes all of `claims`, in order. Waits while a predecessor holds one.
 * @returns the error of the first claim that was not free within `PREDECESSOR_MS` or cannot be
 * used; null: all are taken
 */
export async function takeClaims(claims: readonly Claim[], now: () => number): Promise<ClaimError | null> {
	const end = now() + PREDECESSOR_MS;
	for (;;) {
		let found: ClaimError | null = null;
		for (const claim of claims) found ??= claim.take();
		if (found === null || found.code === 'unusable' || now() > end) return found;
		for (const claim of claims) claim.release();
		await delay(LOOK_EVERY_MS);
	}
}

/**
 * Binds the address on which the daemon's server will `listen` later. Until then nothing serves it:
 * connections wait in the kernel's queue, provided that the caller does not yield to the event
 * loop.
 * @returns the bound server; null if another program holds the address for longer than
 * `PREDECESSOR_MS`. Throws any other error
 */
export async function takeAddress(host: string, port: number, now: () => number): Promise<Server | null> {
	const end = now() + PREDECESSOR_MS;
	for (;;) {
		const server = createServer();
		const problem = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
			server.once('error', resolve);
			server.listen(port, host, () => resolve(null));
		});
		if (problem === null) return server;
		if (problem.code !== 'EADDRINUSE') throw problem;
		if (now() > end) return null;
		await delay(LOOK_EVERY_MS);
	}
}
