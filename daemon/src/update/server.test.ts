import { expect, onTestFinished, test } from 'vitest';
import { publisher } from './publisher.fixture.ts';
import { updateServer } from './server.ts';

const LIST = 'stable.json';

/** @returns the web server, and a function that reads the list, each time with the same client */
async function started() {
	const web = await publisher({ [LIST]: Buffer.from('list') });
	const server = updateServer({ url: web.url, ca: null });
	onTestFinished(() => server.close());
	return { web, read: () => server.read(LIST, 100, new AbortController().signal) };
}

test('if the server has closed the idle connection, the request is repeated on a new connection', async () => {
	const { web, read } = await started();
	expect(await read()).toMatchObject({ ok: true });
	web.misbehave(LIST, (request) => request.socket.destroy(), 1);
	expect(await read()).toMatchObject({ ok: true });
});

test('if the server closes a new connection, the request is not repeated', async () => {
	const { web, read } = await started();
	web.misbehave(LIST, (request) => request.socket.destroy());
	expect(await read()).toMatchObject({ ok: false, error: { code: 'unreachable' } });
	expect(web.asked).toHaveLength(1);
});
