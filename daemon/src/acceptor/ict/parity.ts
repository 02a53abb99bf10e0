/**
 * Detects a wrong parity setting. A line without parity reads the even-parity bit as the stop bit.
 * This bit is 0 after a byte with an even number of 1 bits, so the line drops such a byte. The lost
 * bytes include ESCROW (81) and the note types 41, 42 and 44. The types 40, 43, 45 and 46 arrive
 * without the ESCROW before them.
 */
import { PARITY_REPLACEMENT } from './codes.ts';
import type { Meaning } from './decoder.ts';

/**
 * After this many note types in a row without ESCROW (81), the parity setting counts as wrong. A
 * single type may belong to an ESCROW that was lost.
 */
const BARE_TYPES = 3;

export type ParitySign = 'mark' | 'bare_types';

const hasOddOnes = (byte: number): boolean => byte.toString(2).replaceAll('0', '').length % 2 === 1;

/**
 * Watches decoded messages. Reports each sign once, and `right` when a complete escrow follows the
 * sign `bare_types`.
 */
export function watchParity(): { hear(meaning: Meaning): ParitySign | 'right' | null } {
	const told = new Set<ParitySign>();
	let bare = 0;

	function suspect(sign: ParitySign): ParitySign | null {
		if (told.has(sign)) return null;
		told.add(sign);
		return sign;
	}

	return {
		hear(meaning) {
			if (meaning.kind === 'discarded') return meaning.byte === PARITY_REPLACEMENT ? suspect('mark') : null;
			if (meaning.kind === 'bare_type') {
				bare = hasOddOnes(meaning.type) ? bare + 1 : 0;
				return bare >= BARE_TYPES ? suspect('bare_types') : null;
			}
			// A wrong parity setting never lets 81 through.
			if (meaning.kind === 'note_coming' || meaning.kind === 'escrow') bare = 0;
			return meaning.kind === 'escrow' && told.delete('bare_types') ? 'right' : null;
		},
	};
}
