import type { AddressInfo, Server, Socket } from 'node:net';

export interface Listening {
	port: number;
	/** Closes the listener and cuts every open connection. Resolves when all are closed. */
	close(): Promise<void>;
}

/**
 * Listens on loopback and tracks the connections, because `close()` of a net or http server would
 * only wait until they end.
 * @param port 0 chooses a free port
 */
export async function listen(server: Server, port: number): Promise<Listening> {
	const sockets = new Set<Socket>();
	const remember = (socket: Socket): void => {
		sockets.add(socket);
		socket.on('error', () => socket.destroy());
		socket.once('close', () => sockets.delete(socket));
	};
	server.on('connection', remember);
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			server.removeListener('error', reject);
			resolve();
		});
	});
	return {
		port: (server.address() as AddressInfo).port,
		close: () =>
			new Promise((resolve) => {
				server.removeListener('connection', remember);
				server.close(() => resolve());
				for (const socket of sockets) socket.resetAndDestroy();
			}),
	};
}
