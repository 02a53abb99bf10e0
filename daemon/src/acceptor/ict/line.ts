import type { LineProtocol } from '../../serial/device-lines.ts';

/**
 * The acceptor's bytes other than faults and note types; docs/reference/bill-acceptor.md lists all
 * codes.
 */
const CODES = [0x10, 0x11, 0x3e, 0x5e, 0x71, 0x80, 0x81, 0x8f, 0xa1];
const isFault = (byte: number): boolean => byte >= 0x20 && byte <= 0x2f;

/**
 * The acceptor's bytes contain no private data, so they are shown and recorded unmasked. The flood
 * limits are far above the acceptor's rate: it answers three polls a second with one or two bytes
 * each.
 */
export const ICT_LINE: LineProtocol = {
	name: 'acceptor',
	spoken: 'bill acceptor',
	notice: 'acceptor.line_notice',
	mask: () => () => true,
	keep: () => (byte) => byte,
	bytes: {
		shown: (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
		speaks: (byte) => CODES.includes(byte) || isFault(byte),
	},
	flood: { burstBytes: 512, bytesPerSecond: 128, bytesPerRequest: 0, sliceBytes: 64 },
};
