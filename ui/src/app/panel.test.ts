import { expect, test } from 'vitest';
import { pxPerMm } from './panel.ts';

test('a millimetre has the pixels that panel size and resolution give it', () => {
	expect(pxPerMm(1920, 1080, 21.5)).toBeCloseTo(4.03, 2);
	expect(pxPerMm(1080, 1920, 21.5)).toBeCloseTo(4.03, 2);
	expect(pxPerMm(1920, 1080, 15.6)).toBeCloseTo(5.56, 2);
});
