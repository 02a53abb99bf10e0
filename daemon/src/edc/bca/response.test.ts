import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, answer, refusal, seal } from '../../../../tests/integration/card-line/frames.ts';
import { readResponse } from './response.ts';

const read = (fields: Answer = {}) => readResponse(Uint8Array.from(answer(fields)));

describe('an approved sale', () => {
	test('every field of an approved sale is read', () => {
		expect(read()).toEqual({
			ok: true,
			value: {
				type: 'sale',
				code: '00',
				amount: 137_500,
				masked_pan: '************3367',
				rrn: '000417',
				approval: 'R54469',
				date: '20261120',
				time: '101500',
				merchant_id: '000885000012345',
				terminal_id: 'ECR00417',
				invoice: '000021',
				batch: '000003',
				issuer_id: '00',
			},
		});
	});

	test.each([
		['01', 'sale'],
		['08', 'void'],
		['10', 'settlement'],
		['17', 'echo'],
		['19', 'reprint'],
		['31', 'qris'],
		['32', 'qris_inquiry'],
	])('type %s is %s', (type, kind) => {
		expect(read({ type })).toMatchObject({ ok: true, value: { type: kind } });
	});

	test.each(['20', '06', '  ', 'AB'])('type "%s" is rejected', (type) => {
		expect(read({ type })).toMatchObject({ ok: false, error: { why: expect.stringContaining('type') } });
	});

	test('an implausible date or time is left out', () => {
		for (const time of ['20261320101500', '20260230101500', '00000000000000', ' '.repeat(14), '20261120246000', '19991120101500'])
			expect(read({ time })).toMatchObject({ value: { date: '', time: '', merchant_id: '000885000012345' } });
	});
});

describe('amounts', () => {
	test.each(['000013750050', '0000137500.0', '-00013750000', '      137500', 'AAAAAAAAAAAA'])('the amount "%s" is rejected', (amount) => {
		expect(read({ amount })).toMatchObject({ ok: false, error: { why: expect.stringContaining('amount') } });
	});

	test('a blank amount is null, and zero is an amount only with code 00', () => {
		expect(read({ amount: ' '.repeat(12) })).toMatchObject({ value: { amount: null } });
		expect(read({ amount: 0, code: '51' })).toMatchObject({ value: { amount: null } });
		expect(read({ amount: 0, type: '17' })).toMatchObject({ value: { amount: 0 } });
	});

	test('every amount is read as it was sent', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), (amount) => {
				expect(read({ amount })).toMatchObject({ value: { amount: rupiah(amount) } });
			}),
		);
	});
});

describe('a refusal', () => {
	test.each(['P3', 'PT', 'P2', '54', 'TO', '51', 'A7'])(
		'a refusal %s, with spaces or with zeros after the code, yields only the code',
		(code) => {
			const empty = { rrn: '', approval: '', date: '', time: '', merchant_id: '', invoice: '', batch: '', masked_pan: '' };
			for (const shape of ['spaces', 'zeros'] as const)
				expect(readResponse(Uint8Array.from(refusal(code, shape)))).toMatchObject({ value: { ...empty, code, amount: null } });
		},
	);

	test.each(['  ', ' 0', '0 ', '\0\0'])('a code "%s" is rejected', (code) => {
		expect(read({ code })).toMatchObject({ ok: false, error: { why: expect.stringContaining('code') } });
	});

	test('zero bytes count as spaces', () => {
		const frame = refusal('P3').map((byte, index) => (index > 54 && index < 203 ? 0 : byte));
		expect(readResponse(Uint8Array.from(frame))).toMatchObject({ value: { code: 'P3', rrn: '', merchant_id: '' } });
	});
});

describe('the answer to a QR request', () => {
	const qris = { type: '32', pan: '9360001400000123456', rrn: '600000000001', name: 'PELANGGAN CONTOH' };
	const common = {
		rrn: '600000000001',
		date: '20261120',
		time: '101500',
		merchant_id: '000885000012345',
		invoice: '000021',
		batch: '000003',
	};

	test('with an approval code of 9 characters the later fields move by 3', () => {
		expect(read({ ...qris, approval: 'Q12345678', wide: true })).toMatchObject({ value: { ...common, approval: 'Q12345678' } });
	});

	test('with an approval code of 6 characters a QR answer has the layout of a card answer', () => {
		expect(read({ ...qris, approval: 'Q12345' })).toMatchObject({ value: { ...common, approval: 'Q12345' } });
	});

	test('a card answer in the wide layout is recognised by the position of its date', () => {
		expect(read({ approval: 'R54469', wide: true })).toMatchObject({ value: { approval: 'R54469', date: '20261120', issuer_id: '00' } });
	});

	test('when an approval code ends like a year, the type decides the layout', () => {
		const wide = read({ ...qris, approval: '123456205', wide: true, time: '20301105101500' });
		expect(wide).toMatchObject({ value: { approval: '123456205', date: '20301105' } });
		const narrow = read({ approval: '123456', time: '20520301105101', merchant: '500885000012345' });
		expect(narrow).toMatchObject({ value: { approval: '123456', date: '20520301' } });
	});
});

describe('card numbers and names', () => {
	test.each([
		['5409121234565684', '540912******5684'],
		['540912******5684', '540912******5684'],
		['9360001400000123456', '936000*********3456'],
		['************3367', '************3367'],
		['1234567890', '******7890'],
		['PELANGGAN CONTOH', '****************'],
		['', ''],
	])('"%s" is masked as "%s"', (pan, masked) => {
		expect(read({ pan })).toMatchObject({ value: { masked_pan: masked } });
	});

	test('for any content of the fields, the result contains no name and at most ten digits of a card', () => {
		const card = fc.stringMatching(/^[0-9]{13,19}$/);
		const name = fc.stringMatching(/^[A-Z]{5,10} [A-Z]{5,10}$/);
		fc.assert(
			fc.property(card, name, (pan, holder) => {
				const told = JSON.stringify(read({ pan, name: holder.padEnd(26) }));
				expect(told).toContain(`"${pan.slice(0, 6)}${'*'.repeat(pan.length - 10)}${pan.slice(-4)}"`);
				expect(told).not.toContain(pan);
				expect(told).not.toContain(holder);
			}),
		);
	});
});

test('any 199 bytes are read or rejected without an exception, and each response that is read has a code of two characters', () => {
	let count = 0;
	fc.assert(
		fc.property(fc.uint8Array({ minLength: 199, maxLength: 199 }), fc.constantFrom('', '01000013750000'), (data, start) => {
			// No answer is read without a valid type and amount, so some of the random answers begin with
			// valid ones.
			const text = start + Buffer.from(data).toString('latin1').slice(start.length);
			const result = readResponse(Uint8Array.from(seal(1, text)));
			if (!result.ok) return;
			count += 1;
			expect(result.value.code).toMatch(/^[!-~]{2}$/);
		}),
		{ numRuns: 500 },
	);
	expect(count).toBeGreaterThan(0);
});

describe('field limits', () => {
	test('after a wide approval code every field is read', () => {
		expect(read({ type: '31', wide: true, approval: 'ABC123456', terminal: 'ECR00999', issuer: '07' })).toMatchObject({
			value: {
				approval: 'ABC123456',
				date: '20261120',
				time: '101500',
				merchant_id: '000885000012345',
				terminal_id: 'ECR00999',
				invoice: '000021',
				batch: '000003',
				issuer_id: '07',
			},
		});
	});

	test('a decline keeps its amount, but zero in a decline means no amount', () => {
		expect(read({ code: '51', amount: 1_000 })).toMatchObject({ value: { amount: 1_000 } });
		expect(read({ code: '51', amount: 0 })).toMatchObject({ value: { amount: null } });
		expect(read({ amount: 0 })).toMatchObject({ value: { amount: 0 } });
	});

	test.each(['13750000', '000013750001', '0000137500.0', '00001375000a'])('%s is not a valid amount', (amount) => {
		expect(read({ amount: amount.padEnd(12) })).toEqual({
			ok: false,
			error: { code: 'unreadable', why: 'an amount that is not whole rupiah' },
		});
	});

	test('a number that ends in zeros is kept, but a number of only zeros counts as empty', () => {
		expect(read({ rrn: '000417000', approval: '120000', invoice: '000000' })).toMatchObject({
			value: { rrn: '000417000', approval: '120000', invoice: '' },
		});
	});

	test.each(['20260230101500', '20261301101500', '20261120241500', '20261120106000', '20261120101560', '19991120101500', '2026112010150 '])(
		'%s is not a valid time',
		(time) => {
			expect(read({ time })).toMatchObject({ ok: true, value: { date: '', time: '' } });
		},
	);

	test('the last second of a day and of a leap February are valid times', () => {
		expect(read({ time: '20280229235959' })).toMatchObject({ value: { date: '20280229', time: '235959' } });
	});
});
