import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { screenshot } from './screenshot-command.ts';

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(300_000, 7)]);

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'screenshot-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** Answers as systemd does: sends the program's output, then closes the connection. */
async function answering(bytes: Buffer): Promise<string> {
	const path = join(folder, 'screenshot.sock');
	const server = createServer((connection) => connection.end(bytes));
	await new Promise<void>((listening) => server.listen(path, listening));
	onTestFinished(() => void server.close());
	return path;
}

test('the file contains the picture from the compositor, unchanged', async () => {
	const out = join(folder, 'screen.png');
	expect(await screenshot(out, null, await answering(PNG))).toBe(`${out}: written.`);
	expect(readFileSync(out)).toEqual(PNG);
});

test('without a picture, the error names the log and the last drawn page, or says that only the appliance has a compositor', async () => {
	const out = join(folder, 'screen.png');
	const drawn = { screen: '/payment-method', ago_ms: 2_300 };
	await expect(screenshot(out, drawn, await answering(Buffer.alloc(0)))).rejects.toThrow(
		/compositor does not run; journalctl -u kiosk-screen .*shows \/payment-method, drawn 2 s ago/,
	);
	await expect(screenshot(out, null, join(folder, 'none.sock'))).rejects.toThrow('only the appliance has a compositor');
	expect(() => readFileSync(out)).toThrow('ENOENT');
});
