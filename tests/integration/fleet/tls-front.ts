import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Pair } from './certificates.ts';

export interface TlsFront {
	/** Address as https://localhost:port. */
	url: string;
	/** Number of bytes of all requests so far, as they were before TLS encrypted them. */
	received(): number;
	stop(): void;
}

/**
 * Acts as the owner's nginx: requires a certificate of the private authority and forwards to a
 * server on loopback.
 * @param to port of that server, which has no TLS
 */
export async function startTlsFront(server: Pair, ca: string, to: number): Promise<TlsFront> {
	let received = 0;
	const front = createServer({
		key: readFileSync(server.key),
		cert: readFileSync(server.cert),
		ca: readFileSync(ca),
		requestCert: true,
		rejectUnauthorized: true,
	});
	front.removeAllListeners('secureConnection');
	front.on('secureConnection', (client) => {
		const behind = connect(to, '127.0.0.1');
		client.on('data', (bytes) => {
			received += bytes.length;
		});
		client.pipe(behind).pipe(client);
		for (const socket of [client, behind])
			socket.on('error', () => {
				client.destroy();
				behind.destroy();
			});
	});
	front.listen(0, '127.0.0.1');
	await once(front, 'listening');
	return { url: `https://localhost:${(front.address() as AddressInfo).port}`, received: () => received, stop: () => void front.close() };
}
