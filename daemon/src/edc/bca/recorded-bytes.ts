import type { KeepByte } from '../../serial/line-tap.ts';
import { STX } from './codes.ts';

const STAR = 0x2a;
const LARGEST_CONTROL = 0x1f;
/** The two frame lengths (packed BCD), with the number of bytes after STX. */
const LAST_AT = new Map([
	[0x0150, 154],
	[0x0200, 204],
]);
/**
 * Positions, counted from STX, of the bytes from which the driver judges a payment: version, type
 * and amount; in a response also code, RRN, approval, date and time. The second amount, before the
 * card number, is excluded, because a few lost bytes could shift card digits into its place.
 */
const REQUEST_KEPT: readonly (readonly [number, number])[] = [[3, 17]];
const RESPONSE_KEPT: readonly (readonly [number, number])[] = [
	[3, 17],
	[53, 86],
];

/**
 * Replaces card and personal data on the link to the card terminal (BCA ECR) by `*`, so that a
 * recorded frame can be replayed. The checksum at the end of the frame changes by the same XOR as
 * the data: a valid frame stays valid, a damaged one stays damaged, and the checksum reveals
 * nothing about the data.
 */
export function keepEcr(): KeepByte {
	let at: number | null = null;
	let length = 0;
	let last = 0;
	let hidden = 0;
	return (byte) => {
		if (at === null) {
			if (byte === STX) at = 0;
			hidden = 0;
			return byte <= LARGEST_CONTROL ? byte : STAR;
		}
		at += 1;
		if (at === 1) {
			length = byte << 8;
			return byte <= LARGEST_CONTROL ? byte : STAR;
		}
		if (at === 2) {
			last = LAST_AT.get(length | byte) ?? 0;
			// If this is not a frame, the next byte is read as a byte between frames.
			if (last !== 0) return byte;
			at = null;
			return STAR;
		}
		if (at === last) {
			at = null;
			return byte ^ hidden;
		}
		if (at === last - 1 || isKept(at, last)) return byte;
		hidden ^= byte ^ STAR;
		return STAR;
	};
}

const isKept = (at: number, last: number): boolean =>
	(last === 204 ? RESPONSE_KEPT : REQUEST_KEPT).some(([from, to]) => at >= from && at <= to);
