import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** The only port that systemd-timesyncd uses; only root can listen on it. */
const NTP_PORT = 123;
/** Seconds from 1900, the start of NTP time, to 1970. */
const NTP_EPOCH = 2_208_988_800;
const PACKET_BYTES = 48;

const seconds = (): number => Date.now() / 1_000 + NTP_EPOCH;

/**
 * @param at seconds since 1900
 * @returns 32 bits of seconds and 32 bits of fraction (RFC 5905, 6)
 */
function stamp(at: number): Buffer {
	const bytes = Buffer.alloc(8);
	bytes.writeUInt32BE(Math.floor(at) % 2 ** 32, 0);
	bytes.writeUInt32BE(Math.floor((at % 1) * 2 ** 32), 4);
	return bytes;
}

/** A dealer's time server, which answers on this host's loopback with this host's time. */
export async function startTimeServer(): Promise<{ stop(): Promise<void> }> {
	const socket: Socket = createSocket('udp4');
	socket.on('message', (asked, { port, address }) => {
		if (asked.length < PACKET_BYTES) return;
		const now = stamp(seconds());
		const answer = Buffer.alloc(PACKET_BYTES);
		// No leap second, version 4, server (RFC 5905, 7.3); stratum 1 with a named reference.
		answer.set([0b00_100_100, 1, asked[2] ?? 6, 0xec]);
		answer.write('GPS', 12, 'ascii');
		now.copy(answer, 16);
		// The client's own time must come back unchanged, or the client drops the answer.
		asked.copy(answer, 24, 40, 48);
		now.copy(answer, 32);
		now.copy(answer, 40);
		socket.send(answer, port, address);
	});
	socket.bind({ port: NTP_PORT, address: '127.0.0.1', exclusive: true });
	await once(socket, 'listening');
	return { stop: () => new Promise((resolve) => socket.close(() => resolve())) };
}
