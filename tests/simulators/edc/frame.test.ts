import { describe, expect, test } from 'vitest';
import { ACK, buildResponse, lrc, NAK, RequestReader } from './frame.ts';

/** @returns a kiosk's request, built without the daemon's encoder; `generic` is the free text */
function request({ version = 1, type = '01', amount = 137_500, generic = '', invoice = '000000', reference = '' } = {}): Buffer {
	const fields =
		type +
		String(amount * 100).padStart(12, '0') +
		'0'.repeat(12) +
		' '.repeat(19) +
		' '.repeat(4) +
		'00' +
		invoice +
		'000000' +
		'  N' +
		'000' +
		'00' +
		generic.padEnd(12) +
		reference.padEnd(12) +
		' '.repeat(4) +
		' '.repeat(50);
	const body = Buffer.concat([Buffer.of(0x01, 0x50, version), Buffer.from(fields), Buffer.of(0x03)]);
	return Buffer.concat([Buffer.of(0x02), body, Buffer.of(body.reduce((sum, byte) => sum ^ byte, 0))]);
}

/** @returns a sale with this LRC, which two characters of its free text produce */
function requestWithLrc(wanted: number): Buffer {
	const plain = request({ generic: '@@' });
	const difference = (plain.at(-1) ?? 0) ^ wanted;
	const generic = String.fromCharCode(0x40 ^ (difference & 0x0f), 0x40 ^ (difference & 0xf0 & 0x30));
	return request({ generic });
}

describe('requests', () => {
	test('a sale of 155 bytes is read with every field', () => {
		const frame = request({ version: 3, generic: 'KIOSK 7', reference: '600000000001' });
		expect(frame).toHaveLength(155);
		expect(new RequestReader().push(frame)).toMatchObject([
			{
				kind: 'request',
				request: {
					version: 3,
					type: '01',
					amount: '000013750000',
					invoice: '000000',
					genericData: 'KIOSK 7     ',
					reference: '600000000001',
				},
			},
		]);
	});

	test.each([0x00, 0x02, 0x03, 0x06, 0x15])('an LRC of %i is read as data, not as a control byte', (wanted) => {
		const frame = requestWithLrc(wanted);
		expect(frame.at(-1)).toBe(wanted);
		const reader = new RequestReader();
		expect([...reader.push(frame), ...reader.push(Uint8Array.of(ACK))]).toMatchObject([{ kind: 'request' }, { kind: 'ack' }]);
	});

	test('requests are decoded even if they are split at any byte or joined with other bytes', () => {
		const frame = request({ version: 3 });
		for (let at = 0; at <= frame.length; at += 1) {
			const reader = new RequestReader();
			expect([...reader.push(frame.subarray(0, at)), ...reader.push(frame.subarray(at))]).toHaveLength(1);
		}
		const joined = Buffer.concat([Buffer.of(0xff, NAK, 0x02), frame, frame, Buffer.of(ACK)]);
		expect(new RequestReader().push(joined).map(({ kind }) => kind)).toEqual(['nak', 'request', 'request', 'ack']);
	});

	test('a flipped bit in any byte after the length is detected', () => {
		const frame = request();
		for (let at = 3; at < frame.length; at += 1) {
			const damaged = Buffer.from(frame);
			damaged[at] = (damaged[at] ?? 0) ^ 0x10;
			expect(new RequestReader().push(damaged)).toMatchObject([{ kind: 'damaged' }]);
		}
	});
});

describe('responses', () => {
	test('responses are 205 bytes with the packed length, ETX and LRC in place', () => {
		const frame = buildResponse(2, { type: '01', amount: '000013750000', respCode: '00', date: '20261120', time: '101500' });
		expect([...frame.subarray(0, 4)]).toEqual([0x02, 0x02, 0x00, 2]);
		expect(frame).toHaveLength(205);
		expect(frame[203]).toBe(0x03);
		expect(frame[204]).toBe(lrc(frame.subarray(1, 204)));
		expect(frame.toString('latin1', 53, 55)).toBe('00');
		expect(frame.toString('latin1', 73, 87)).toBe('20261120101500');
	});

	test('in QRIS answers the date begins 3 bytes later than in card answers, and the frame length is the same', () => {
		const frame = buildResponse(3, { approval: 'Q12345678', date: '20261120', time: '101500', couponFlag: 'N' }, 'qris');
		expect(frame.toString('latin1', 67, 90)).toBe('Q1234567820261120101500');
		expect(frame[197]).toBe('N'.charCodeAt(0));
		expect(frame).toHaveLength(205);
	});

	test('a value that is too long for its field throws an error', () => {
		expect(() => buildResponse(1, { respCode: '000' })).toThrow('respCode');
	});
});
