import type { TerminalResponse } from '../terminal.ts';
import { ACK, NAK } from './codes.ts';
import { type EcrVersion, openAnswer, RESPONSE_BYTES, RESPONSE_HEADER } from './frame.ts';
import { readResponse } from './response.ts';

/**
 * A decoded message of the terminal. Only the number of discarded bytes is reported, because they
 * may be card digits.
 */
export type Meaning =
	| { kind: 'ack' }
	| { kind: 'nak' }
	| { kind: 'answer'; version: EcrVersion; response: TerminalResponse }
	/** An invalid frame; the terminal may be asked to repeat it. */
	| { kind: 'damaged'; why: string }
	| { kind: 'discarded'; bytes: number };

/** The beginning of an incomplete frame; at most 204 bytes. */
export interface DecoderState {
	readonly held: Uint8Array;
}

export const DECODER_START: DecoderState = { held: new Uint8Array() };

/** @returns whether the beginning of a frame is held; fewer bytes than a header may be noise */
export const isInFrame = ({ held }: DecoderState): boolean => held.length >= RESPONSE_HEADER.length;

/**
 * Decodes received bytes. Except for the counts of discarded bytes, the result does not depend on
 * how reads split the bytes. The length, not ETX, determines the end of a frame, because the
 * version byte can be 03 and the LRC can be any control byte.
 */
export function decode(state: DecoderState, bytes: Uint8Array): { state: DecoderState; meanings: Meaning[] } {
	const all = new Uint8Array(state.held.length + bytes.length);
	all.set(state.held);
	all.set(bytes, state.held.length);
	const meanings: Meaning[] = [];
	let discarded = 0;
	const tellDiscarded = (): void => {
		if (discarded > 0) meanings.push({ kind: 'discarded', bytes: discarded });
		discarded = 0;
	};
	let at = 0;
	for (let taken = take(all, at); taken !== 'wait'; taken = take(all, at)) {
		at += taken.used;
		if (taken.meaning === null) {
			discarded += taken.used;
			continue;
		}
		tellDiscarded();
		meanings.push(taken.meaning);
	}
	tellDiscarded();
	return { state: { held: all.slice(at) }, meanings };
}

interface Taken {
	used: number;
	/** null: an unexpected byte. */
	meaning: Meaning | null;
}

function take(all: Uint8Array, at: number): Taken | 'wait' {
	const byte = all[at];
	if (byte === undefined) return 'wait';
	if (byte === ACK) return { used: 1, meaning: { kind: 'ack' } };
	if (byte === NAK) return { used: 1, meaning: { kind: 'nak' } };
	if (!mayBeginAt(all, at)) return { used: 1, meaning: null };
	if (all.length - at < RESPONSE_BYTES) return 'wait';
	const frame = all.subarray(at, at + RESPONSE_BYTES);
	const opened = openAnswer(frame);
	// If the frame lost bytes, these 205 bytes may contain the beginning of the next frame.
	if (!opened.ok) return { used: nextBegin(all, at) - at, meaning: { kind: 'damaged', why: opened.error.why } };
	const read = readResponse(frame);
	if (!read.ok) return { used: RESPONSE_BYTES, meaning: { kind: 'damaged', why: read.error.why } };
	return { used: RESPONSE_BYTES, meaning: { kind: 'answer', version: opened.value, response: read.value } };
}

/** @returns whether the bytes so far can be the beginning of a frame */
const mayBeginAt = (all: Uint8Array, at: number): boolean =>
	RESPONSE_HEADER.every((byte, index) => at + index >= all.length || all[at + index] === byte);

/**
 * @returns where to continue after a damaged frame at `at`; control bytes inside the frame are
 * skipped
 */
function nextBegin(all: Uint8Array, at: number): number {
	const end = at + RESPONSE_BYTES;
	for (let next = at + 1; next < end; next += 1) if (mayBeginAt(all, next)) return next;
	return end;
}
