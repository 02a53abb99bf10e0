import { expect, test } from 'vitest';
import { DECODER_START, type DecoderState, decodeByte } from './decoder.ts';
import { watchParity } from './parity.ts';

/** @returns the reports for these bytes, one every 100 ms */
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

test('three note types with an odd number of ones and no 81 between them report a wrong parity once', () => {
	expect(told(0x40, 0x3e, 0x43)).toEqual([]);
	expect(told(0x40, 0x43, 0x45, 0x46, 0x40, 0x43)).toEqual(['bare_types']);
});

test('types after their 81, and types that a wrong parity setting would lose, are not reported as a wrong parity', () => {
	expect(told(0x41, 0x42, 0x44, 0x41, 0x42, 0x44)).toEqual([]);
	expect(told(0x40, 0x43, 0x44, 0x40, 0x43)).toEqual([]);
	expect(told(0x81, 0x45, 0x45, 0x10, 0x81, 0x45, 0x45, 0x10, 0x81, 0x45, 0x45, 0x10)).toEqual([]);
});

test('a complete escrow ends the fault, and three more bare types report it again', () => {
	expect(told(0x40, 0x43, 0x45, 0x81, 0x45, 0x40, 0x43, 0x45)).toEqual(['bare_types', 'right', 'bare_types']);
});

test('the parity replacement byte of some drivers is reported once', () => {
	expect(told(0x3f, 0x3f, 0x3f)).toEqual(['mark']);
});
