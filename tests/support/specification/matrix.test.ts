import { expect, test } from 'vitest';
import { brokenLinks, matrix, problemsOf, proofsIn } from './matrix.ts';

const SECTIONS = [
	{
		title: '1 Home',
		sentences: [
			{ id: '1.1', says: 'Keys 0-9', open: 'a field' },
			{ id: '1.2', says: '"<<"' },
		],
	},
];

test('a title with one or more ids is found on the line of the call of `test` or on the next line', () => {
	const source = `
test('[spec 1.1] the keypad types', () => {});
test.each([1])(
	"[spec 1.1, 1.2] '%s' works",
	() => {},
);
describe('[special] keys', () => test('without an id', () => {}));`;
	expect(proofsIn('a.test.ts', source)).toEqual([
		{ ids: ['1.1'], file: 'a.test.ts', title: 'the keypad types' },
		{ ids: ['1.1', '1.2'], file: 'a.test.ts', title: "'%s' works" },
	]);
});

test('an id without a test, an unknown id and a duplicate id are reported as problems', () => {
	const proofs = [{ ids: ['1.1', '3'], file: 'a.test.ts', title: 'x' }];
	expect(problemsOf([...SECTIONS, { title: '2', sentences: [{ id: '1.1', says: 'again' }] }], proofs)).toEqual([
		'two sentences have the id 1.1',
		'no test title carries [spec 1.2]',
		'a.test.ts: [spec 3] of "x" is not a sentence of the specification',
	]);
});

test('the table lists a sentence once, and each of its tests in a separate row', () => {
	const proofs = ['a', 'b'].map((name) => ({ ids: ['1.1'], file: `${name}.test.ts`, title: `<${name}>` }));
	expect(matrix(SECTIONS, proofs)).toContain('| 1.1 | Keys 0-9. *Open:* a field | `a.test.ts` | &lt;a> |\n| | | `b.test.ts` | &lt;b> |\n');
});

test('a link to a document, heading or decision that does not exist is reported as broken', () => {
	const text =
		'[money.md](money.md) [nothing.md](nothing.md), [back-office.md](back-office.md), *No such chapter* [decisions.md](decisions.md), 999';
	expect(brokenLinks(text)).toHaveLength(3);
});
