import type { ShowByte } from '../../serial/traces.ts';

const STX = 0x02;
const LARGEST_CONTROL = 0x1f;
/** The two frame lengths (packed BCD), with the number of bytes after STX. */
const LAST_AT = new Map([
	[0x0150, 154],
	[0x0200, 204],
]);
/**
 * Positions, counted from STX, of the shown fields: version and type (up to `HEAD_END`), and the
 * response code. All other fields may hold card or personal data.
 */
const HEAD_END = 5;
const CODE_AT = 53;
const CODE_END = 54;

/**
 * Mask for the link to the card terminal (BCA ECR): shows the head of a frame, the response code,
 * and control bytes between frames. Of a frame with an unknown length only control bytes are shown.
 * If bytes are lost, at most two card digits are shown.
 */
export function showEcr(): ShowByte {
	let at: number | null = null;
	let length = 0;
	let last = 0;
	return (byte) => {
		if (at === null) {
			if (byte === STX) at = 0;
			return byte <= LARGEST_CONTROL;
		}
		at += 1;
		if (at === 1) {
			length = byte << 8;
			return byte <= LARGEST_CONTROL;
		}
		if (at === 2) {
			last = LAST_AT.get(length | byte) ?? 0;
			// This is not a frame: the next byte is read as a byte between frames.
			if (last === 0) at = null;
			return last !== 0;
		}
		const shown = at <= HEAD_END || at === CODE_AT || at === CODE_END;
		if (at === last) at = null;
		return shown;
	};
}
