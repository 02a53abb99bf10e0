import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonShapeProblem, parseBoundedJson } from './bounded-json.ts';

test('JSON with more than 64 levels is refused before parsing', () => {
	expect(() => parseBoundedJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow('nested');
	expect(() => parseBoundedJson(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toThrow('nested');
	expect(parseBoundedJson(`${'['.repeat(64)}${']'.repeat(64)}`)).toBeTruthy();
});

test('JSON with more than 200,000 values is refused', () => {
	expect(() => parseBoundedJson(`[${'[],'.repeat(1_000_000)}1]`)).toThrow('values');
	expect(jsonShapeProblem(`[${'0,'.repeat(300_000)}1]`)).toMatch('values');
});

test('brackets and commas inside strings do not count towards the limits, even after escaped quotes', () => {
	const text = JSON.stringify({ a: '[{,'.repeat(100_000), b: `\\"${'['.repeat(1_000)}\\` });
	expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
	expect(jsonShapeProblem(text)).toBeNull();
});

test('JSON within the limits gives the same value as with JSON.parse', () => {
	fc.assert(
		fc.property(fc.json({ maxDepth: 8 }), (text) => {
			expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
		}),
	);
});
