import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type UpdateServer, updateServer } from './server.ts';

/** @returns the client of a server that answers like this */
async function serverThat(answers: RequestListener): Promise<UpdateServer> {
	const server = createServer(answers).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	const client = updateServer({ url: `http://127.0.0.1:${port}/`, ca: null });
	onTestFinished(() => {
		client.close();
		server.close();
	});
	return client;
}
const read = (server: UpdateServer) => server.read('stable.json', 100, new AbortController().signal);

test('a request on a connection that the server has just closed for being idle is sent again on a new connection', async () => {
	const connections = new Set<unknown>();
	const server = await serverThat((request, response) => {
		if (connections.has(request.socket)) return void request.socket.destroy();
		connections.add(request.socket);
		response.end('list');
	});
	for (let times = 0; times < 3; times += 1) expect(await read(server)).toMatchObject({ ok: true });
	expect(connections.size).toBe(3);
});

test('a server that closes every connection is asked once', async () => {
	let asked = 0;
	const server = await serverThat((request) => {
		asked += 1;
		request.socket.destroy();
	});
	expect(await read(server)).toMatchObject({ ok: false, error: { code: 'unreachable' } });
	expect(asked).toBe(1);
});
