import { expect, onTestFinished, test } from 'vitest';
import { publisher } from './publisher.fixture.ts';
import { updateServer } from './server.ts';

const LIST = 'stable.json';

/** @returns the web server, and a function that reads its list over the same client */
async function started() {
	const web = await publisher({ [LIST]: Buffer.from('list') });
	const server = updateServer({ url: web.url, ca: null });
	onTestFinished(() => server.close());
	return { web, read: () => server.read(LIST, 100, new AbortController().signal) };
}

test('a request on a connection that the server has just closed for being idle is sent again on a new connection', async () => {
	const { web, read } = await started();
	expect(await read()).toMatchObject({ ok: true });
	web.misbehave(LIST, (request) => request.socket.destroy(), 1);
	expect(await read()).toMatchObject({ ok: true });
});

test('a server that closes every connection is asked once', async () => {
	const { web, read } = await started();
	web.misbehave(LIST, (request) => request.socket.destroy());
	expect(await read()).toMatchObject({ ok: false, error: { code: 'unreachable' } });
	expect(web.asked).toHaveLength(1);
});
