import { expect, test } from 'vitest';
import { panelOf } from './panel.ts';

test('the number of pixels per millimetre is computed from panel size and resolution', () => {
	expect(panelOf(1920, 1080, 21.5).mm).toBeCloseTo(4.03, 2);
	expect(panelOf(1080, 1920, 21.5).mm).toBeCloseTo(4.03, 2);
	expect(panelOf(1920, 1080, 15.6).mm).toBeCloseTo(5.56, 2);
});

test('only a small panel is dense, regardless of resolution and orientation', () => {
	expect([15.6, 21.5, 32].map((inch) => panelOf(1920, 1080, inch).dense)).toEqual([true, false, false]);
	expect(panelOf(1080, 1920, 15.6).dense).toBe(true);
	expect(panelOf(3840, 2160, 21.5).dense).toBe(false);
});
