/** The owner of many kiosks, as the network sees one: takes what comes with a certificate of the owner's authority, and keeps it. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Pair } from '../observation/certificates.ts';
import { type Listening, listen } from '../simulators/listen.ts';

export interface Owner {
	port: number;
	/** What came to an address so far, by whose certificate it came. */
	received(path: string): { from: string; bytes: Buffer };
	stop(): Promise<void>;
}

export async function startOwner(server: Pair, ca: string): Promise<Owner> {
	const calls: { path: string; from: string; parts: Buffer[] }[] = [];
	const owner = createServer(
		{ key: readFileSync(server.key), cert: readFileSync(server.cert), ca: readFileSync(ca), requestCert: true, rejectUnauthorized: true },
		(request, response) => {
			const { CN = '' } = (request.socket as TLSSocket).getPeerCertificate().subject;
			const call = { path: request.url ?? '', from: String(CN), parts: [] as Buffer[] };
			calls.push(call);
			request.on('data', (part) => call.parts.push(part)).on('end', () => response.writeHead(204).end());
		},
	);
	const listening: Listening = await listen(owner, 0);
	return {
		port: Number(listening.port),
		received(path) {
			const its = calls.filter((call) => call.path === path);
			return { from: its[0]?.from ?? '', bytes: Buffer.concat(its.flatMap(({ parts }) => parts)) };
		},
		stop: listening.close,
	};
}
