import type { AcceptorState } from '@kiosk/contract/live';
import {
	BUSY,
	ENABLED,
	ESCROW,
	FAULT_CLEARED,
	FAULTS,
	FIRST_NOTE_TYPE,
	INHIBITED,
	INVALID_COMMAND,
	LAST_NOTE_TYPE,
	NOT_SYNCHRONISED,
	NOTE_REJECTED,
	POWER_UP_FIRST,
	POWER_UP_SECOND,
	RETURNED,
	STACKED,
} from './codes.ts';

/**
 * A decoded message of the acceptor. Bytes without a meaning are reported, too, so that a
 * technician sees them.
 */
export type Meaning =
	| { kind: 'power_up_begun' }
	| { kind: 'power_up' }
	/**
	 * A letter of the country code ("ID" is 49 44) that the newest protocol revision sends after 8F.
	 * At any other position the bytes 41 to 4F are note types.
	 */
	| { kind: 'country' }
	| { kind: 'note_coming' }
	| { kind: 'escrow'; type: number }
	/** 81 without a note type: a note of unknown type is in escrow. */
	| { kind: 'broken_escrow' }
	/** A note type without 81: noise, a repeat, or an escrow whose 81 was lost. */
	| { kind: 'bare_type'; type: number }
	| { kind: 'stacked' }
	| { kind: 'returned' }
	| { kind: 'note_rejected' }
	| { kind: 'enabled' }
	| { kind: 'inhibited' }
	| { kind: 'busy' }
	| { kind: 'not_synchronised' }
	| { kind: 'fault_cleared' }
	| { kind: 'fault'; fault: AcceptorState }
	| { kind: 'invalid_command' }
	| { kind: 'discarded'; byte: number };

/** The incomplete message and when it began (monotonic ms). */
export interface DecoderState {
	/** The first byte of a pair. */
	readonly first: { readonly byte: number; readonly at: number } | null;
	/** Number of country code letters that may still follow 8F. */
	readonly country: { readonly left: number; readonly at: number } | null;
}

export const DECODER_START: DecoderState = { first: null, country: null };

const COUNTRY_LETTERS = 2;
const isLetter = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a;

/**
 * Time within which the second byte of a pair, or a letter of the country code, must come. The
 * acceptor sends these bytes back to back and returns a note after 5 s, so a later byte may belong
 * to another message.
 */
const PAIR_LIMIT_MS = 3_000;

const SINGLES: Readonly<Record<number, Meaning>> = {
	[STACKED]: { kind: 'stacked' },
	[RETURNED]: { kind: 'returned' },
	[NOTE_REJECTED]: { kind: 'note_rejected' },
	[INVALID_COMMAND]: { kind: 'invalid_command' },
	[FAULT_CLEARED]: { kind: 'fault_cleared' },
	[ENABLED]: { kind: 'enabled' },
	[INHIBITED]: { kind: 'inhibited' },
	[BUSY]: { kind: 'busy' },
	[NOT_SYNCHRONISED]: { kind: 'not_synchronised' },
};

const isNoteType = (byte: number): boolean => byte >= FIRST_NOTE_TYPE && byte <= LAST_NOTE_TYPE;

/**
 * Decodes one byte. The result does not depend on how the bytes are divided into reads.
 * @param now monotonic ms at which the byte was read
 */
export function decodeByte(state: DecoderState, byte: number, now: number): { state: DecoderState; meanings: Meaning[] } {
	const first = state.first !== null && now - state.first.at <= PAIR_LIMIT_MS ? state.first : null;
	const expired = state.first !== null && first === null && state.first.byte === ESCROW;
	const before: Meaning[] = expired ? [{ kind: 'broken_escrow' }] : [];

	if (first?.byte === ESCROW && isNoteType(byte)) return { state: DECODER_START, meanings: [{ kind: 'escrow', type: byte }] };
	if (first?.byte === ESCROW && byte !== ESCROW) before.push({ kind: 'broken_escrow' });
	if (byte === POWER_UP_SECOND) {
		const whole = first?.byte === POWER_UP_FIRST;
		const state = { first: null, country: { left: COUNTRY_LETTERS, at: now } };
		// 8F after a lost 80 still means that the unit has just started.
		return { state, meanings: [...before, { kind: whole ? 'power_up' : 'power_up_begun' }] };
	}
	const { country } = state;
	if (country && country.left > 0 && isLetter(byte) && now - country.at <= PAIR_LIMIT_MS)
		return { state: { first: null, country: { ...country, left: country.left - 1 } }, meanings: [...before, { kind: 'country' }] };

	if (byte === ESCROW) return { state: { first: { byte, at: now }, country }, meanings: [...before, { kind: 'note_coming' }] };
	if (byte === POWER_UP_FIRST) return { state: { first: { byte, at: now }, country }, meanings: [...before, { kind: 'power_up_begun' }] };
	// `country` is kept, because a poll answer may come between 8F and the country code.
	return { state: { first: null, country }, meanings: [...before, meaningOf(byte)] };
}

function meaningOf(byte: number): Meaning {
	const known = SINGLES[byte];
	if (known) return known;
	const fault = FAULTS[byte];
	if (fault) return { kind: 'fault', fault };
	if (isNoteType(byte)) return { kind: 'bare_type', type: byte };
	return { kind: 'discarded', byte };
}
