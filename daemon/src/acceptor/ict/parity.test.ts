import { expect, test } from 'vitest';
import { DECODER_START, type DecoderState, decodeByte } from './decoder.ts';
import { watchParity } from './parity.ts';

/** @returns the reports for these bytes, which come 100 ms apart */
function told(...bytes: number[]) {
	const watch = watchParity();
	let state: DecoderState = DECODER_START;
	return bytes
		.flatMap((byte, at) => {
			const decoded = decodeByte(state, byte, at * 100);
			state = decoded.state;
			return decoded.meanings.map((meaning) => watch.hear(meaning));
		})
		.filter((sign) => sign !== null);
}

test('three note types in a row without ESCROW (81), each with an odd number of 1 bits, cause one report of a wrong parity', () => {
	expect(told(0x40, 0x3e, 0x43)).toEqual([]);
	expect(told(0x40, 0x43, 0x45, 0x46, 0x40, 0x43)).toEqual(['bare_types']);
});

test('no wrong parity is reported for types after ESCROW (81), or if types with an even number of 1 bits come in between', () => {
	expect(told(0x41, 0x42, 0x44, 0x41, 0x42, 0x44)).toEqual([]);
	expect(told(0x40, 0x43, 0x44, 0x40, 0x43)).toEqual([]);
	expect(told(0x81, 0x45, 0x45, 0x10, 0x81, 0x45, 0x45, 0x10, 0x81, 0x45, 0x45, 0x10)).toEqual([]);
});

test('after a complete escrow, three more types without ESCROW (81) cause a second report', () => {
	expect(told(0x40, 0x43, 0x45, 0x81, 0x45, 0x40, 0x43, 0x45)).toEqual(['bare_types', 'right', 'bare_types']);
});

test('the byte that some drivers put in place of a byte with wrong parity is reported once', () => {
	expect(told(0x3f, 0x3f, 0x3f)).toEqual(['mark']);
});
