/** Tests the traces of a line, which a technician reads after a fault. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startCardFor, terminalReady } from '../../support/card.ts';
import { type Kiosk, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

let kiosk: Kiosk;
let screen: Screen;
afterEach(() => kiosk?.stop());

async function start(): Promise<void> {
	kiosk = await startKiosk({ edc: { lines: 'ack_ms = 500\nanswer_ms = 1500\n' } });
	screen = await kiosk.screen();
	await terminalReady(screen);
}

/** Sends a GET request to the staff socket. */
const ask = (path: string, accept: string): Promise<string> =>
	new Promise((resolve, reject) => {
		const socketPath = join(kiosk.directory, 'journal', 'kioskd.sock');
		const call = request({ socketPath, path, headers: { Accept: accept } }, async (response) => {
			let text = '';
			for await (const chunk of response.setEncoding('utf8')) text += chunk;
			resolve(text);
		});
		call.on('error', reject).end();
	});

interface Traces {
	lines: { line: string; entries: { at: string; from: string; what: string }[] }[];
	directory: string;
	files: string[];
}
const traces = async (): Promise<Traces> => JSON.parse(await ask('/traces', 'application/json'));

const beginCard = async () => startCardFor(screen, await kiosk.lookUp('081234567890'));

test('a silent terminal and a later jam each leave a trace file', async () => {
	await start();
	await beginCard();
	await until(() => expect(kiosk.daemon.events('card.unknown')).toHaveLength(1));
	await until(() => expect(kiosk.daemon.events('trace.kept').map(({ cause }) => cause)).toContain('card.unknown'));
	const { lines, directory, files } = await traces();
	const terminal = lines.find(({ line }) => line === 'edc')?.entries ?? [];
	expect(terminal[0]).toMatchObject({ from: 'line', what: 'opened' });
	const sent = terminal.find(({ from, what }) => from === 'kiosk' && /^02 01 50 0\d 30 31/.test(what));
	// The trace shows length, version and type, and masks the other bytes of the request.
	expect(sent?.what).toMatch(/^02 01 50 0\d 30 31 ## ## /);
	expect(terminal).toContainEqual(expect.objectContaining({ from: 'device', what: '06' }));
	const file = files.find((name) => name.endsWith('-card.unknown.txt')) ?? '';
	expect(readFileSync(join(directory, file), 'utf8')).toContain(`${sent?.at} kiosk  ${sent?.what}`);

	kiosk.acceptor.device.break('jam');
	await until(async () => expect((await traces()).files.some((name) => name.endsWith('-acceptor.bill_jam.txt'))).toBe(true));
});

test('the trace can be read as text over the staff socket, but not by the page', async () => {
	await start();
	await until(async () => expect(await ask('/traces', 'text/plain')).toMatch(/^acceptor: .*\n(.*\n)+?\S+Z device 8/m));
	// For an unknown path the daemon serves the page, not the trace.
	expect(await (await fetch(`${kiosk.daemon.url}/traces`, { headers: kiosk.session() })).text()).not.toContain('acceptor:');
});
