import { SerialPort } from 'serialport';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cable, plugCable } from '../../support/cable.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { hex } from './bytes.ts';
import { type Acceptor, startAcceptor } from './start.ts';

let folder: string;
let cable: Cable;
let acceptor: Acceptor;
let host: SerialPort;
let heard: number[];

async function openHost(): Promise<void> {
	heard = [];
	host = new SerialPort({ path: cable.host, baudRate: 9_600, autoOpen: false });
	host.on('error', () => {});
	host.on('data', (bytes: Buffer) => heard.push(...bytes));
	await new Promise<void>((resolve, reject) => host.open((error) => (error ? reject(error) : resolve())));
}

beforeEach(async () => {
	folder = temporaryFolder('acceptor');
	cable = await plugCable(folder);
	await openHost();
});
afterEach(async () => {
	await acceptor.stop();
	if (host.isOpen) await new Promise<void>((resolve) => host.close(() => resolve()));
	await cable.stop();
});

test('a note is stacked over a serial line, and the device answers again after the cable is unplugged and replugged', async () => {
	acceptor = await startAcceptor({ serialPath: cable.device, timing: { startMs: 20, recogniseMs: 5, stackMs: 5 } });
	await until(() => expect(hex(heard)).toBe('80 8F'));
	host.write(Uint8Array.of(0x02, 0x3e));
	await until(() => expect(acceptor.device.enabled).toBe(true));
	acceptor.device.insert({ nominal: 2_000 });
	await until(() => expect(hex(heard)).toBe('80 8F 81 41'));
	host.write(Uint8Array.of(0x02));
	await until(() => expect(acceptor.device.stacked).toHaveLength(1));

	await cable.stop();
	await until(() => expect(acceptor.line.write).toBeNull());
	cable = await plugCable(folder);
	await openHost();
	await until(() => expect(acceptor.line.write).not.toBeNull());
	host.write(Uint8Array.of(0x0c));
	await until(() => expect(hex(heard)).toBe('3E'));
});
