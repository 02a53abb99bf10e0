/** Says of each byte of one direction of a line whether it may be shown. Bytes come in order; frames may be cut anywhere. */
export type ShowByte = (byte: number) => boolean;

/** One-byte codes of the bill acceptor: all of them. */
export const showAll = (): ShowByte => () => true;

const STX = 0x02;
const LARGEST_CONTROL = 0x1f;
/** The two lengths that frames have, in packed decimals, and how many bytes follow STX. */
const LAST_AT = new Map([
	[0x0150, 154],
	[0x0200, 204],
]);
/** Where the fields stand from STX on: version and type; response code. Everything else may be of a card or a person. */
const HEAD_END = 5;
const CODE_AT = 53;
const CODE_END = 54;

/**
 * For the link to the card terminal (BCA ECR): the head of a frame, the response code, and control bytes between frames are shown. Of a
 * frame whose length is not one of the two nothing more is shown; one that lost bytes further on shifts what is shown, two bytes of it.
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
			// No frame: what follows is looked at as if it stood between frames.
			if (last === 0) at = null;
			return last !== 0;
		}
		const shown = at <= HEAD_END || at === CODE_AT || at === CODE_END;
		if (at === last) at = null;
		return shown;
	};
}
