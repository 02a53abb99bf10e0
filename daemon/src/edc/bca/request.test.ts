import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requestText as textAt, xor } from '../../../../tests/integration/card-line/frames.ts';
import type { TerminalRequest } from '../terminal.ts';
import { requestFrame } from './request.ts';

const AMOUNT = rupiah(137_500);
const REQUESTS: readonly TerminalRequest[] = [
	{ type: 'sale', amount: AMOUNT },
	{ type: 'void', amount: AMOUNT, invoice: '000021' },
	{ type: 'settlement' },
	{ type: 'echo' },
	{ type: 'reprint', invoice: '000021' },
	{ type: 'qris', amount: AMOUNT },
	{ type: 'qris_inquiry', amount: AMOUNT, reference: '600000000001' },
];

function frameOf(request: TerminalRequest, version: 1 | 2 | 3 = 1): Uint8Array {
	const frame = requestFrame(version, request);
	if (!frame.ok) throw new Error(frame.error.why);
	return frame.value;
}

describe.each([1, 2, 3] as const)('version %i', (version) => {
	test.each(REQUESTS)('a $type request has 155 bytes, with packed length, version, ETX and LRC', (request) => {
		const frame = frameOf(request, version);
		expect(frame).toHaveLength(155);
		expect([...frame.subarray(0, 4)]).toEqual([0x02, 0x01, 0x50, version]);
		expect(frame[153]).toBe(0x03);
		expect(frame[154]).toBe(xor(frame.subarray(1, 154)));
		expect(textAt(frame, 4, 149)).toMatch(/^[ -~]{149}$/);
	});
});

test('a sale has the fields that real terminals accept', () => {
	const sale = frameOf({ type: 'sale', amount: AMOUNT });
	expect(textAt(sale, 4, 2)).toBe('01');
	expect(textAt(sale, 6, 12)).toBe('000013750000');
	expect(textAt(sale, 18, 12)).toBe('000000000000');
	expect(textAt(sale, 30, 23)).toBe(' '.repeat(23));
	expect(textAt(sale, 53, 14)).toBe('00000000000000');
	expect(textAt(sale, 67, 3)).toBe('  N');
	expect(textAt(sale, 70, 5)).toBe('00000');
	expect(textAt(sale, 75, 78)).toBe(' '.repeat(78));
});

test('a QR request leaves the authorisation blank, and an inquiry about the code contains its reference', () => {
	const [, , , , , qris, inquiry] = REQUESTS.map((request) => frameOf(request));
	expect(textAt(qris ?? new Uint8Array(), 4, 14)).toBe('31000013750000');
	expect(textAt(qris ?? new Uint8Array(), 53, 14)).toBe('00000000      ');
	expect(textAt(inquiry ?? new Uint8Array(), 4, 14)).toBe('32000013750000');
	expect(textAt(inquiry ?? new Uint8Array(), 87, 12)).toBe('600000000001');
});

test('a void or reprint contains the number of the sale, and a void also contains the reason code 02', () => {
	expect(textAt(frameOf({ type: 'void', amount: AMOUNT, invoice: '21' }), 4, 57)).toBe(
		`08000013750000${'0'.repeat(12)}${' '.repeat(23)}02000021`,
	);
	expect(textAt(frameOf({ type: 'reprint', invoice: '000021' }), 53, 8)).toBe('00000021');
});

test.each([
	['settlement', '10'],
	['echo', '17'],
] as const)('a %s carries no amount', (type, wire) => {
	expect(textAt(frameOf({ type }), 4, 14)).toBe(`${wire}000000000000`);
});

test('every amount that fits is written as rupiah × 100 in twelve digits', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), (amount) => {
			const digits = textAt(frameOf({ type: 'sale', amount: rupiah(amount) }), 6, 12);
			expect(digits).toMatch(/^\d{10}00$/);
			expect(BigInt(digits)).toBe(BigInt(amount) * 100n);
		}),
	);
});

test.each<[TerminalRequest, string]>([
	[{ type: 'sale', amount: rupiah(0) }, 'rupiah'],
	[{ type: 'sale', amount: rupiah(10_000_000_000) }, 'rupiah'],
	[{ type: 'void', amount: AMOUNT, invoice: '' }, 'six digits'],
	[{ type: 'reprint', invoice: '1234567' }, 'six digits'],
	[{ type: 'reprint', invoice: 'ABC' }, 'six digits'],
	[{ type: 'qris_inquiry', amount: AMOUNT, reference: '12345' }, 'twelve'],
])('%o cannot be sent', (request, why) => {
	expect(requestFrame(1, request)).toMatchObject({ ok: false, error: { why: expect.stringContaining(why) } });
});

test.each<[TerminalRequest, string]>([
	[{ type: 'sale', amount: rupiah(0) }, 'an amount must be from 1 to 9999999999 rupiah'],
	[{ type: 'sale', amount: rupiah(10_000_000_000) }, 'an amount must be from 1 to 9999999999 rupiah'],
	[{ type: 'reprint', invoice: '1234567' }, 'the number of the sale on the slip is up to six digits'],
	[{ type: 'qris_inquiry', amount: AMOUNT, reference: '6000000000011' }, 'the reference of a QR has twelve digits'],
	[{ type: 'qris_inquiry', amount: AMOUNT, reference: '60000000000 ' }, 'the reference of a QR has twelve digits'],
	[{ type: 'qris_inquiry', amount: AMOUNT, reference: '!600000000001' }, 'the reference of a QR has twelve digits'],
])('%o is refused with the reason', (request, why) => {
	expect(requestFrame(1, request)).toEqual({ ok: false, error: { code: 'cannot_be_sent', why } });
});

test('the largest amount that fits is sent', () => {
	expect(textAt(frameOf({ type: 'sale', amount: rupiah(9_999_999_999) }), 6, 12)).toBe('999999999900');
});
