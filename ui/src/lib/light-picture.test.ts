import { expect, test } from 'vitest';
import { isLight } from './light-picture.ts';

const WHITE = [255, 255, 255, 255];
const BLUE = [0, 96, 175, 255];
const SILVER = [200, 200, 205, 255];
const NOTHING = [0, 0, 0, 0];
const picture = (...pixels: number[][]) => pixels.flat();

test('a white or silver logo without a background needs a dark background', () => {
	expect(isLight(picture(WHITE, NOTHING, NOTHING, NOTHING))).toBe(true);
	expect(isLight(picture(SILVER, WHITE, BLUE, NOTHING))).toBe(true);
});

test('a coloured logo and a logo that contains a background stay on white', () => {
	expect(isLight(picture(BLUE, NOTHING))).toBe(false);
	expect(isLight(picture(BLUE, BLUE, WHITE, NOTHING))).toBe(false);
	expect(isLight(picture(WHITE, WHITE, WHITE, BLUE))).toBe(false);
	expect(isLight(picture(NOTHING, NOTHING))).toBe(false);
});
