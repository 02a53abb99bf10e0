/**
 * Claims the resources that a daemon must hold exclusively before it changes anything: the
 * journal's folder, the state directory and the address.
 */
import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Claim, ClaimError } from './journal/claim.ts';

/**
 * How long to wait for a predecessor. A killed predecessor needs some milliseconds to exit. A
 * predecessor that stops in order may wait longer for a note in flight; then systemd waits for it,
 * and a technician who starts a second daemon by hand gets the message soon.
 */
export const PREDECESSOR_MS = 3_000;
const LOOK_EVERY_MS = 50;

/**
 * Takes all of `claims`, in order; waits for a predecessor.
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
 * Binds the address without serving it, for `listen` of the later server. Connections meanwhile
 * wait in the kernel's queue, as long as the caller does not yield to the event loop.
 * @returns null if another program holds the address for longer than `PREDECESSOR_MS`; throws for
 * any other reason
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
