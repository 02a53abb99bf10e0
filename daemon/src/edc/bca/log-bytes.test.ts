import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACK, answer } from '../../../../tests/integration/card-line/frames.ts';
import { traceOf } from './log-bytes.ts';

test('control bytes are shown, all other bytes are counted', () => {
	expect(traceOf(Uint8Array.from([ACK]))).toBe('06');
	expect(traceOf(Uint8Array.from([ACK, ...answer({ version: 3, lrc: 0x15 })]))).toBe('06 02 02 00 03 +199 03 15');
});

test('no byte of a card number or name is shown, however the bytes are split into reads', () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
			const trace = traceOf(bytes);
			expect(trace).toMatch(/^((0|1)[0-9a-f]|\+\d+| |…)*$/);
			expect(trace.length).toBeLessThan(100);
		}),
	);
});
