import { expect, test } from 'vitest';
import { buildResponse } from '../../../../tests/simulators/edc/frame.ts';
import { keepEcr } from './recorded-bytes.ts';
import { readResponse } from './response.ts';

const RESPONSE = buildResponse(
	1,
	{
		type: '01',
		amount: '000013750000',
		pan: '5264221234563367',
		expiry: '2911',
		respCode: '00',
		rrn: '000117000117',
		approval: 'A1B2C3',
		date: '20261124',
		time: '101500',
		cardholder: 'BUDI SANTOSO',
		cashierPan: '5264221234563367',
	},
	'card',
);

const kept = (bytes: Uint8Array): Buffer => Buffer.from(Array.from(bytes, keepEcr()));
const checksumOf = (frame: Uint8Array): number => frame.subarray(1).reduce((sum, byte) => sum ^ byte, 0);

test('a recorded response keeps the payment fields but no card data', () => {
	const frame = kept(RESPONSE);
	expect(checksumOf(frame)).toBe(0);
	expect(readResponse(frame)).toMatchObject({
		value: { type: 'sale', code: '00', amount: 137_500, rrn: '000117000117', approval: 'A1B2C3', date: '20261124', time: '101500' },
	});
	expect(frame.toString('latin1')).not.toMatch(/5264|3367|2911|BUDI/);
});

test('the checksum of a damaged frame stays wrong by the same bits', () => {
	const damaged = Uint8Array.from(RESPONSE);
	damaged[204] = (damaged[204] ?? 0) ^ 0x55;
	expect(checksumOf(kept(damaged))).toBe(0x55);
});

test('text outside a frame and in a frame of unknown length is hidden, but control bytes stay', () => {
	const bytes = Buffer.from([0x06, 0x35, 0x32, 0x02, 0x09, 0x99, 0x35, 0x32, 0x15]);
	expect(kept(bytes).toString('hex')).toBe('062a2a02092a2a2a15');
});

test('a frame that lost up to twelve bytes reveals no card digits', () => {
	for (let lost = 1; lost <= 12; lost += 1) {
		const shifted = Buffer.concat([RESPONSE.subarray(0, 10), RESPONSE.subarray(10 + lost)]);
		expect(kept(shifted).subarray(0, 50).toString('latin1'), `${lost} bytes lost`).not.toMatch(/5264|3367/);
	}
});
