import { describe, expect, test } from 'vitest';
import { type Answers, begunProgress } from './progress.ts';
import { judge, type RecordedMoney } from './verdict.ts';

const NOTHING: RecordedMoney = { notes: [], sales: [], prints: [] };
type Notes = RecordedMoney['notes'];
type Sales = RecordedMoney['sales'];

const verdict = (answers: Answers, money: Partial<RecordedMoney>) =>
	judge({ ...begunProgress('box-out'), answers }, { ...NOTHING, ...money }).verdict;

describe('cash', () => {
	const twenty = (end: Notes[number]['end']): Notes => [{ nominal: 20_000, end }];
	const inBox = { inserted: 20_000, in_hand: 0, in_box: 20_000 };
	const inHand = { inserted: 20_000, in_hand: 20_000, in_box: 0 };

	test.each<[string, Answers, Notes, 'passed' | 'failed']>([
		['credited and in the box passes', inBox, twenty('credited'), 'passed'],
		['in doubt and in the box passes', inBox, twenty('in_doubt'), 'passed'],
		['in doubt and in hand passes', inHand, twenty('in_doubt'), 'passed'],
		['listed twice for staff, as in doubt and as unexplained, passes', inBox, [...twenty('in_doubt'), ...twenty('unexplained')], 'passed'],
		['in the box and unexplained without a value passes', inBox, [{ nominal: null, end: 'unexplained' }], 'passed'],
		['returned before it was accepted passes', inHand, [], 'passed'],
		['credited and in hand fails', inHand, twenty('credited'), 'failed'],
		['credited twice fails', inBox, [...twenty('credited'), ...twenty('credited')], 'failed'],
		['in the box and unknown to the journal fails', inBox, [], 'failed'],
		['in the box and listed as returned fails', inBox, twenty('returned'), 'failed'],
		['that is nowhere fails', { inserted: 20_000, in_hand: 0, in_box: 0 }, twenty('in_doubt'), 'failed'],
		['in two places fails', { inserted: 20_000, in_hand: 20_000, in_box: 20_000 }, twenty('credited'), 'failed'],
		['of another value fails', { inserted: 50_000, in_hand: 0, in_box: 50_000 }, twenty('in_doubt'), 'failed'],
	])('a note %s', (_, answers, notes, expected) => {
		expect(verdict(answers, { notes })).toBe(expected);
	});
});

describe('card', () => {
	const sale = (end: Sales[number]['end']): Sales => [{ amount: 137_500, end }];

	test.each<[number, Sales, 'passed' | 'failed']>([
		[1, sale('approved'), 'passed'],
		[1, sale('unknown'), 'passed'],
		[0, sale('unknown'), 'passed'],
		[0, sale('declined'), 'passed'],
		[0, sale('approved'), 'failed'],
		[1, sale('declined'), 'failed'],
		[1, sale('not_begun'), 'failed'],
		[2, sale('unknown'), 'failed'],
	])('if the technician finds %i charges and the journal has %o, the verdict is %s', (charges, sales, expected) => {
		expect(verdict({ charges }, { sales })).toBe(expected);
	});
});

test.each([
	[1, ['done'], 'passed'],
	[2, ['done'], 'failed'],
	[0, ['done'], 'failed'],
	[1, ['failed'], 'failed'],
] as const)('if the technician finds %i sheets and the journal has the prints %o, the verdict is %s', (sheets, prints, expected) => {
	expect(verdict({ sheets }, { prints: [...prints] })).toBe(expected);
});
