/**
 * Scans the guest's TCP ports from the guest's network. This module builds the frames itself,
 * because tests may not install a scanner on the host.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** QEMU's user network gives the first guest this IP address and this MAC address. */
const KIOSK = { mac: Buffer.from('525400123456', 'hex'), ip: Buffer.from([10, 0, 2, 15]) };
const STRANGER = { mac: Buffer.from('020000000099', 'hex'), ip: Buffer.from([10, 0, 2, 99]), port: 40_000 };
const [ARP, IPV4] = [0x0806, 0x0800];
const TCP = 6;
const [SYN, RST, ACK] = [0x02, 0x04, 0x10];
/** Frames in one batch; the emulated card drops frames that arrive faster than the guest reads. */
const AT_ONCE = 64;
const PAUSE_MS = 20;
/** Wait for the slowest answer, after the last request. */
const LAST_ANSWER_MS = 20_000;

const u16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));

/** RFC 1071 */
function checksum(bytes: Buffer): number {
	let sum = 0;
	for (let at = 0; at < bytes.length; at += 2) sum += (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
	while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
	return ~sum & 0xffff;
}

const ethernet = (type: number, payload: Buffer) => Buffer.concat([KIOSK.mac, STRANGER.mac, u16(type), payload]);

function syn(port: number): Buffer {
	const header = (sum: number) => Buffer.concat([u16(STRANGER.port, port, 0, port, 0, 0), Buffer.from([0x50, SYN]), u16(64_240, sum, 0)]);
	const pseudo = Buffer.concat([STRANGER.ip, KIOSK.ip, u16(TCP, 20)]);
	const segment = header(checksum(Buffer.concat([pseudo, header(0)])));
	const ip = (sum: number) => Buffer.concat([u16(0x4500, 40, 0, 0x4000), Buffer.from([64, TCP]), u16(sum), STRANGER.ip, KIOSK.ip]);
	return ethernet(IPV4, Buffer.concat([ip(checksum(ip(0))), segment]));
}

const arpAnswer = () =>
	ethernet(ARP, Buffer.concat([u16(1, IPV4), Buffer.from([6, 4]), u16(2), STRANGER.mac, STRANGER.ip, KIOSK.mac, KIOSK.ip]));

/**
 * Sends a request to all 65,535 ports.
 * @param wire the two UDP ports that carry the guest's network (GuestOptions.wire)
 * @returns open ports, and closed ports that answered; all other ports did not answer
 */
export async function scanPorts(wire: { here: number; there: number }): Promise<{ open: number[]; closed: number[] }> {
	const socket = createSocket('udp4').bind(wire.here, '127.0.0.1');
	await once(socket, 'listening');
	const send = (frame: Buffer) => socket.send(frame, wire.there, '127.0.0.1');
	const open = new Set<number>();
	const closed = new Set<number>();
	socket.on('message', (frame) => {
		const type = frame.readUInt16BE(12);
		if (type === ARP && frame.subarray(38, 42).equals(STRANGER.ip)) send(arpAnswer());
		// QEMU's own network stack receives the requests, too, and answers in the name of hosts that do
		// not exist.
		if (!frame.subarray(6, 12).equals(KIOSK.mac)) return;
		if (type !== IPV4 || frame[23] !== TCP || !frame.subarray(30, 34).equals(STRANGER.ip)) return;
		const segment = frame.subarray(14 + ((frame[14] ?? 0) & 0x0f) * 4);
		const flags = segment[13] ?? 0;
		if ((flags & (SYN | ACK)) === (SYN | ACK)) open.add(segment.readUInt16BE(0));
		else if (flags & RST) closed.add(segment.readUInt16BE(0));
	});
	send(arpAnswer());
	for (let port = 1; port <= 65_535; port += 1) {
		send(syn(port));
		if (port % AT_ONCE === 0) await delay(PAUSE_MS);
	}
	// Well-known ports are asked twice, in case a frame was lost.
	for (let port = 1; port <= 1_024; port += 1) {
		send(syn(port));
		if (port % AT_ONCE === 0) await delay(PAUSE_MS);
	}
	await delay(LAST_ANSWER_MS);
	socket.close();
	const sorted = (ports: Set<number>) => [...ports].sort((a, b) => a - b);
	return { open: sorted(open), closed: sorted(closed) };
}
