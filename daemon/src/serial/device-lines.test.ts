import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { DeviceLines, type LineProtocol } from './device-lines.ts';

const SENT_BYTES = 10_000;
const BURST_BYTES = 100;
const PROTOCOL: LineProtocol = {
	name: 'acceptor',
	spoken: 'bill acceptor',
	notice: 'acceptor.line_notice',
	mask: () => () => true,
	keep: () => (byte) => byte,
	bytes: { shown: String, speaks: () => true },
	flood: { burstBytes: BURST_BYTES, bytesPerSecond: 10, bytesPerRequest: 0, sliceBytes: BURST_BYTES },
};
const FRAMING = { baud: 9_600, data_bits: 8, parity: 'even', stop_bits: 1 } as const;

test('a line that carries more bytes than its device can send is closed as flooded', async () => {
	const device = createServer((socket) => void socket.on('error', () => undefined).write(Buffer.alloc(SENT_BYTES)));
	const connected = once(device, 'connection') as Promise<[Socket]>;
	await once(device.listen(0, '127.0.0.1'), 'listening');
	const { port } = device.address() as AddressInfo;
	const settings = { port: { transport: 'tcp', host: '127.0.0.1', port }, ...FRAMING } as const;
	const { open } = new DeviceLines(systemClock, String).to(PROTOCOL, settings, { event: () => undefined });
	let read = 0;
	const flooded = await new Promise<boolean>((resolve) => {
		const line = open({
			opened: () => undefined,
			data(bytes) {
				read += bytes.length;
				if (read === SENT_BYTES) line.close();
			},
			closed: (_reason, isFlood = false) => resolve(isFlood),
		});
	});
	expect(flooded).toBe(true);
	expect(read).toBeLessThanOrEqual(BURST_BYTES);
	for (const socket of await connected) socket.destroy();
	device.close();
});
