/**
 * The envelope of BCA's ECR link: STX · length (two bytes, packed BCD) · version · ASCII fields ·
 * ETX · LRC. A request has 155 bytes on the wire and length `01 50`; a response has 205 and length
 * `02 00`.
 */
import { fail, ok, type Result } from '../../base/result.ts';
import { ETX, STX } from './codes.ts';

/**
 * The terminal answers in the version of the request; the fields have the same positions in all
 * versions.
 */
export type EcrVersion = 1 | 2 | 3;

const REQUEST_LENGTH = [0x01, 0x50] as const;
export const REQUEST_DATA = 149;

/** The first bytes of every response. */
export const RESPONSE_HEADER = [STX, 0x02, 0x00] as const;
export const RESPONSE_BYTES = 205;
const VERSION_AT = 3;

/** @returns the XOR of the bytes; the LRC covers everything after STX up to and including ETX */
const lrc = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum ^ byte, 0);

/** @param data exactly 149 ASCII characters @returns the 155 bytes of a request */
export function sealRequest(version: EcrVersion, data: string): Uint8Array {
	if (data.length !== REQUEST_DATA) throw new Error(`a request has ${REQUEST_DATA} characters, not ${data.length}`);
	const covered = Uint8Array.of(...REQUEST_LENGTH, version, ...Buffer.from(data, 'latin1'), ETX);
	return Uint8Array.of(STX, ...covered, lrc(covered));
}

/**
 * @param frame 205 bytes that begin with the header @returns its version, or why it is not a
 * response
 */
export function openAnswer(frame: Uint8Array): Result<EcrVersion, { code: 'bad_frame'; why: string }> {
	if (frame[RESPONSE_BYTES - 2] !== ETX) return fail({ code: 'bad_frame', why: 'no ETX where the length says' });
	if (lrc(frame.subarray(1, RESPONSE_BYTES - 1)) !== frame[RESPONSE_BYTES - 1]) return fail({ code: 'bad_frame', why: 'the LRC is wrong' });
	const version = frame[VERSION_AT];
	if (version === 1 || version === 2 || version === 3) return ok(version);
	return fail({ code: 'bad_frame', why: 'the version is none of 01, 02 and 03' });
}
