import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { hex } from './bytes.ts';
import { applyFault, FAULT_CODES } from './faults.ts';
import { type Acceptor, startAcceptor } from './start.ts';

const FAST = { startMs: 5, syncMs: 10_000, recogniseMs: 5, stackMs: 5, returnMs: 5 };
let acceptor: Acceptor;
let host: Socket;
let heard: number[];

async function connected(options: Partial<Parameters<typeof startAcceptor>[0]> = {}): Promise<void> {
	acceptor = await startAcceptor({ port: 0, timing: FAST, powerUpOnConnect: true, ...options });
	await until(() => expect(acceptor.device.power).toBe('waiting_for_host'));
	heard = [];
	host = connect(acceptor.port ?? 0, '127.0.0.1');
	host.on('error', () => {});
	host.on('data', (bytes) => heard.push(...bytes));
	await once(host, 'connect');
	await hears('80 8F');
	host.write(Uint8Array.of(0x02, 0x3e));
	await until(() => expect(acceptor.device.enabled).toBe(true));
	heard = [];
}

const hears = (bytes: string) => until(() => expect(hex(heard)).toBe(bytes));

afterEach(async () => {
	host.destroy();
	await acceptor.stop();
});

test('a note is stacked over TCP', async () => {
	await connected();
	acceptor.device.insert({ nominal: 50_000 });
	await hears('81 45');
	host.write(Uint8Array.of(0x02));
	await hears('81 45 10');
	expect(acceptor.device.stacked).toHaveLength(1);
});

test('if no host received the power-up bytes, the device repeats them to the next host that connects', async () => {
	await connected({ powerUpOnConnect: false });
});

test('while the cable is cut, no byte passes and the device returns the note in escrow; afterwards bytes pass again', async () => {
	await connected({ timing: { ...FAST, escrowMs: 20 } });
	applyFault(acceptor, 'silent');
	acceptor.device.insert({ nominal: 50_000 });
	host.write(Uint8Array.of(0x02));
	await until(() => expect(acceptor.device.returned).toHaveLength(1));
	expect(heard).toEqual([]);
	applyFault(acceptor, 'speak');
	host.write(Uint8Array.of(0x0c));
	await hears('3E');
});

test('a line set to 8N1 loses note codes with an even number of ones', async () => {
	await connected();
	applyFault(acceptor, 'parity_drops');
	for (const nominal of [20_000, 50_000]) {
		acceptor.device.insert({ nominal });
		await until(() => expect(acceptor.device.note?.place).toBe('escrow'));
		applyFault(acceptor, 'pull_note');
	}
	await hears('23 45 23');
});

test('with the fault "split" the bytes of one message arrive singly', async () => {
	await connected();
	applyFault(acceptor, 'split', { ms: 250 });
	const chunks: number[] = [];
	host.on('data', (bytes) => chunks.push(bytes.length));
	acceptor.device.insert({ nominal: 10_000 });
	await hears('81 43');
	expect(chunks).toEqual([1, 1]);
});

test('when a second host connects, the connection of the first host is closed', async () => {
	await connected();
	const gone = once(host, 'close');
	const second = connect(acceptor.port ?? 0, '127.0.0.1');
	await gone;
	second.destroy();
});

test('every fault code is accepted; an unknown code is refused, even if it is the name of an inherited property', async () => {
	await connected();
	for (const code of FAULT_CODES) expect(applyFault(acceptor, code)).toBe(true);
	expect(applyFault(acceptor, 'toString')).toBe(false);
});
