import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { type Edc, startEdc } from './start.ts';

const TIMING = { ackMs: 1, customerMs: 5 };
let edc: Edc;
let kiosk: Socket;
let heard: Buffer;

async function connected(file?: string): Promise<void> {
	edc = await startEdc({ port: 0, timing: TIMING, ...(file === undefined ? {} : { file }) });
	heard = Buffer.alloc(0);
	kiosk = connect(edc.port ?? 0, '127.0.0.1');
	kiosk.on('data', (bytes) => {
		heard = Buffer.concat([heard, bytes]);
	});
	await once(kiosk, 'connect');
}

function sale(amount: number): Buffer {
	const frame = Buffer.alloc(155, ' ');
	frame.set([0x02, 0x01, 0x50, 0x01]);
	frame.write(`01${String(amount * 100).padStart(12, '0')}${'0'.repeat(12)}`, 4);
	frame[153] = 0x03;
	frame[154] = frame.subarray(1, 154).reduce((sum, byte) => sum ^ byte, 0);
	return frame;
}

afterEach(async () => {
	kiosk.destroy();
	await edc.stop();
});

test('a sale over TCP is answered with ACK and 205 bytes, and the trace shows no card digits', async () => {
	await connected();
	edc.terminal.next.push({ respCode: '00' });
	kiosk.write(sale(50_000));
	await until(() => expect(heard).toHaveLength(206));
	expect([heard[0], heard.toString('latin1', 54, 56)]).toEqual([0x06, '00']);
	expect(edc.trace.map(({ from, what }) => `${from} ${what}`)).toEqual(['kiosk 155 bytes', 'terminal 06', 'terminal 205 bytes']);
});

test('if the cable is unplugged, the sale does not reach the terminal', async () => {
	await connected();
	edc.cable.cut = true;
	kiosk.write(sale(50_000));
	await until(() => expect(edc.trace).toHaveLength(1));
	expect([edc.terminal.waiting, heard.length]).toEqual([null, 0]);
});

test('the bank’s captures survive a restart of the simulator', async () => {
	const folder = temporaryFolder('edc');
	await connected(join(folder, 'edc.json'));
	edc.terminal.next.push({ respCode: '00' });
	kiosk.write(sale(50_000));
	await until(() => expect(edc.terminal.bank.captured).toBe(50_000));
	kiosk.destroy();
	await edc.stop();
	await connected(join(folder, 'edc.json'));
	expect(edc.terminal.bank.captured).toBe(50_000);
	expect(edc.terminal.bank.capture('01', 1_000).invoice).toBe('000002');
});
