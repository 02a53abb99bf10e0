import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DECODER_START, decodeByte, type Meaning } from './decoder.ts';

/** Decodes with `gap` ms between bytes. */
function decode(bytes: readonly number[], gap = 1): Meaning[] {
	let state = DECODER_START;
	return bytes.flatMap((byte, index) => {
		const step = decodeByte(state, byte, index * gap);
		state = step.state;
		return step.meanings;
	});
}

describe('pairs', () => {
	test('81 4x is an escrow of type 4x', () => {
		expect(decode([0x81, 0x44])).toEqual([{ kind: 'note_coming' }, { kind: 'escrow', type: 0x44 }]);
	});

	test('81 and 4x one second apart are an escrow of type 4x', () => {
		expect(decode([0x81, 0x44], 1_000)).toContainEqual({ kind: 'escrow', type: 0x44 });
	});

	test('a type that arrives 4 s after 81 is not an escrow', () => {
		expect(decode([0x81, 0x44], 4_000)).toEqual([{ kind: 'note_coming' }, { kind: 'broken_escrow' }, { kind: 'bare_type', type: 0x44 }]);
	});

	test('ENABLED (3E) between 81 and the type breaks the escrow', () => {
		expect(decode([0x81, 0x3e, 0x44])).toEqual([
			{ kind: 'note_coming' },
			{ kind: 'broken_escrow' },
			{ kind: 'enabled' },
			{ kind: 'bare_type', type: 0x44 },
		]);
	});

	test('a type after a repeated 81 is an escrow', () => {
		expect(decode([0x81, 0x81, 0x40])).toContainEqual({ kind: 'escrow', type: 0x40 });
	});

	test('80 8F is a power-up, and the country code after it is never a note', () => {
		expect(decode([0x80, 0x8f, 0x49, 0x44])).toEqual([
			{ kind: 'power_up_begun' },
			{ kind: 'power_up' },
			{ kind: 'country' },
			{ kind: 'country' },
		]);
		expect(decode([0x80, 0x8f, 0x3e, 0x49])).toContainEqual({ kind: 'country' });
		expect(decode([0x80, 0x8f, 0x81, 0x44])).toContainEqual({ kind: 'escrow', type: 0x44 });
		expect(decode([0x80, 0x8f, 0x49, 0x44, 0x44])).toContainEqual({ kind: 'bare_type', type: 0x44 });
	});
});

test.each([
	[0x10, 'stacked'],
	[0x11, 'returned'],
	[0x29, 'note_rejected'],
	[0x2a, 'invalid_command'],
	[0x2f, 'fault_cleared'],
	[0x3e, 'enabled'],
	[0x5e, 'inhibited'],
	[0x71, 'busy'],
	[0xa1, 'not_synchronised'],
])('the byte %i means %s', (byte, kind) => {
	expect(decode([byte])).toEqual([{ kind }]);
});

test.each([
	[0x20, 'motor_failure'],
	[0x21, 'rom_checksum'],
	[0x22, 'bill_jam'],
	[0x23, 'bill_removed'],
	[0x24, 'cashbox_open'],
	[0x25, 'sensor_problem'],
	[0x26, 'communication_failure'],
	[0x27, 'bill_fish'],
	[0x28, 'stacker_problem'],
])('the byte %i means the fault %s', (byte, fault) => {
	expect(decode([byte])).toEqual([{ kind: 'fault', fault }]);
});

test('the replacement byte for a parity error is reported as discarded', () => {
	expect(decode([0x3f])).toEqual([{ kind: 'discarded', byte: 0x3f }]);
});

test('for any bytes, only a type directly after 81 is an escrow, and every byte has exactly one meaning besides broken_escrow', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 60 }), (bytes) => {
			const meanings = decode(bytes);
			const escrows = bytes.filter((byte, index) => byte >= 0x40 && byte <= 0x4f && bytes[index - 1] === 0x81);
			expect(meanings.filter((meaning) => meaning.kind === 'escrow').map((meaning) => 'type' in meaning && meaning.type)).toEqual(escrows);
			const own = meanings.filter((meaning) => meaning.kind !== 'broken_escrow');
			expect(own).toHaveLength(bytes.length);
		}),
	);
});

describe('limits of values and times', () => {
	test('bytes above 4F are not note types', () => {
		expect(decode([0x81, 0x4f])).toEqual([{ kind: 'note_coming' }, { kind: 'escrow', type: 0x4f }]);
		expect(decode([0x81, 0x50])).toEqual([{ kind: 'note_coming' }, { kind: 'broken_escrow' }, { kind: 'discarded', byte: 0x50 }]);
		expect(decode([0x4f, 0x50])).toEqual([
			{ kind: 'bare_type', type: 0x4f },
			{ kind: 'discarded', byte: 0x50 },
		]);
	});

	test('81 after 81 does not break an escrow', () => {
		expect(decode([0x81, 0x81, 0x40])).toEqual([{ kind: 'note_coming' }, { kind: 'note_coming' }, { kind: 'escrow', type: 0x40 }]);
	});

	test('two bytes more than 3 s apart are no pair, and 8F alone is half a power-up', () => {
		expect(decode([0x81, 0x44], 3_000)).toContainEqual({ kind: 'escrow', type: 0x44 });
		expect(decode([0x81, 0x44], 3_001)).toContainEqual({ kind: 'broken_escrow' });
		expect(decode([0x80, 0x8f], 3_001)).toEqual([{ kind: 'power_up_begun' }, { kind: 'power_up_begun' }]);
		expect(decode([0x81, 0x8f])).toEqual([{ kind: 'note_coming' }, { kind: 'broken_escrow' }, { kind: 'power_up_begun' }]);
		expect(decode([0x8f])).toEqual([{ kind: 'power_up_begun' }]);
	});

	test('two letters from A to Z within 3 s after 8F are a country code', () => {
		const [, , ...after] = decode([0x80, 0x8f, 0x41, 0x5a, 0x41]);
		expect(after).toEqual([{ kind: 'country' }, { kind: 'country' }, { kind: 'bare_type', type: 0x41 }]);
		expect(decode([0x80, 0x8f, 0x40]).at(-1)).toEqual({ kind: 'bare_type', type: 0x40 });
		expect(decode([0x80, 0x8f, 0x5b]).at(-1)).toEqual({ kind: 'discarded', byte: 0x5b });
		expect(decode([0x8f, 0x44], 3_000).at(-1)).toEqual({ kind: 'country' });
		expect(decode([0x8f, 0x44], 3_001).at(-1)).toEqual({ kind: 'bare_type', type: 0x44 });
	});
});
