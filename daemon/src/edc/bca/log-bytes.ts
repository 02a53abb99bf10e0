const LARGEST_CONTROL = 0x1f;
/**
 * Maximum number of logged control bytes and counts, enough for a frame with an ACK before it. The
 * rest of a longer read is not logged.
 */
const LONGEST = 16;

/**
 * @returns the printable form of bytes on the line: control bytes in hex, and each run of other
 * bytes as its length, e.g. "02 02 00 01 +36". A card number or a name never appears in hex.
 */
export function traceOf(bytes: Uint8Array): string {
	const shown: string[] = [];
	let hidden = 0;
	const tellHidden = (): void => {
		if (hidden > 0) shown.push(`+${hidden}`);
		hidden = 0;
	};
	for (const byte of bytes) {
		if (byte > LARGEST_CONTROL) {
			hidden += 1;
			continue;
		}
		tellHidden();
		shown.push(byte.toString(16).padStart(2, '0'));
	}
	tellHidden();
	return shown.length > LONGEST ? `${shown.slice(0, LONGEST).join(' ')} …` : shown.join(' ');
}
