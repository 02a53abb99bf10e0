import * as v from 'valibot';
import { expect, test } from 'vitest';
import { StaffName } from './staff-names.ts';

const isName = (name: string): boolean => v.is(StaffName, name);

test('a name with invisible characters or non-Latin letters is rejected', () => {
	for (const name of ['Sari', 'Budi S.', "Nur'aini", 'José', 'Kasir 2']) expect(isName(name)).toBe(true);
	for (const hidden of ['\u200b', '\u2060', '\u202e', '\u00ad', '\u034f', '\u0007', '\u001b', '\n', '\u{e0041}'])
		expect([hidden.codePointAt(0)?.toString(16), isName(`Sa${hidden}ri`)]).toEqual([hidden.codePointAt(0)?.toString(16), false]);
	// Cyrillic letters look like Latin ones.
	expect(isName('Ѕаrі')).toBe(false);
});

test('different spacing and Unicode forms give the same name', () => {
	for (const form of ['Sari  Dewi', ' Sari Dewi ', 'Sari\u00a0Dewi', 'Ｓari Dewi']) expect(v.parse(StaffName, form)).toBe('Sari Dewi');
	expect(v.parse(StaffName, 'Jose\u0301')).toBe('José');
});
