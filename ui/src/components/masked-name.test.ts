import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskedName } from './masked-name.ts';

test('a masked name keeps its initials and word lengths', () => {
	expect(maskedName('Budi Santoso')).toBe('B*** S******');
	expect(maskedName('Yulianti')).toBe('Y*******');
	expect(maskedName('  PT.  Antar Cepat ')).toBe('P** A**** C****');
	expect(maskedName('')).toBe('');
});

test('a masked name reveals only initials, for any name', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), (name) => {
			for (const word of maskedName(name).split(' ')) expect([...word].slice(1).every((sign) => sign === '*')).toBe(true);
		}),
	);
});
