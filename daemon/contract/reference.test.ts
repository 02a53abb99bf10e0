import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { beginningOf, referenceOf } from './reference.ts';

test('a reference typed with a hyphen, a space or no separator gives the first eight characters of its id', () => {
	expect(referenceOf('1b8c6a2a-3f00-4c1e-9d5e-000000000000')).toBe('04621-87050');
	expect(referenceOf('00000001-3f00-4c1e-9d5e-000000000000')).toBe('00000-00001');
	for (let times = 0; times < 200; times += 1) {
		const id = randomUUID();
		const reference = referenceOf(id);
		expect(reference).toMatch(/^\d{5}-\d{5}$/);
		for (const typed of [reference, reference.replace('-', ''), ` ${reference.replace('-', ' ')} `])
			expect(beginningOf(typed)).toBe(id.slice(0, 8));
	}
});

test('text that is not a reference stays as typed, and the reference of an id that is not a UUID is its first eight characters', () => {
	for (const typed of ['1b8c', '12345678-9', '1b8c6a2a-3f00', '99999-99999', '']) expect(beginningOf(typed)).toBe(typed);
	expect(referenceOf('attempt-1')).toBe('attempt-');
});
