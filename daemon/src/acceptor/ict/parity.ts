/**
 * A wrong parity shows itself: an end without parity reads the even-parity bit as its stop bit, so bytes with an even number of ones are lost.
 * 81 is one of them, and so are three of the seven note types; the other types arrive alone.
 */
import { PARITY_REPLACEMENT } from './codes.ts';
import type { Meaning } from './decoder.ts';

/** One lone type may be an escrow whose 81 was lost; so many without one whole escrow between them are a setting. */
const BARE_TYPES = 3;

export type ParitySign = 'mark' | 'bare_types';

const hasOddOnes = (byte: number): boolean => byte.toString(2).replaceAll('0', '').length % 2 === 1;

/** Watches what is heard. Each sign is told once; `right` when a whole escrow came after one. */
export function parityWatch(): { hear(meaning: Meaning): ParitySign | 'right' | null } {
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
			// Of all bytes 81 is the one that a wrong parity never lets through.
			if (meaning.kind === 'note_coming' || meaning.kind === 'escrow') bare = 0;
			return meaning.kind === 'escrow' && told.delete('bare_types') ? 'right' : null;
		},
	};
}
