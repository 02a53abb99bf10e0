import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test } from 'vitest';
import { responseWith, TOTAL } from '../../card/card-machine.fixture.ts';
import type { TerminalRequest, TerminalResponse } from '../terminal.ts';
import { isFitting, isQuestion, isSame, isUnique } from './truncation-check.ts';

const sale: TerminalRequest = { type: 'sale', amount: TOTAL };
const voidOf = (invoice: string): TerminalRequest => ({ type: 'void', amount: TOTAL, invoice });
const refused = (fields: Partial<TerminalResponse> = {}) => responseWith({ code: '51', ...fields });

describe('matching answers to requests', () => {
	test.each<[string, TerminalRequest, TerminalResponse, boolean]>([
		['an approval fits a sale of its amount', sale, responseWith({}), true],
		['an approval does not fit a sale of another amount', sale, responseWith({ amount: rupiah(1_000) }), false],
		['an approval without an amount does not fit a sale', sale, responseWith({ amount: null }), false],
		['a refusal without an amount fits a sale', sale, refused(), true],
		['a refusal with the amount of the sale fits the sale', sale, refused({ amount: TOTAL }), true],
		['a refusal with another amount does not fit a sale', sale, refused({ amount: rupiah(1_000) }), false],
		['an answer does not fit a request of another type', { type: 'qris', amount: TOTAL }, responseWith({}), false],
		['an echo answer fits an echo regardless of its amount', { type: 'echo' }, responseWith({ type: 'echo', amount: rupiah(1_000) }), true],
		['a reprint of the same number fits', { type: 'reprint', invoice: '42' }, responseWith({ type: 'reprint', invoice: '000042' }), true],
		['a reprint without a number fits', { type: 'reprint', invoice: '42' }, responseWith({ type: 'reprint', invoice: '' }), true],
		[
			'a reprint of another number does not fit',
			{ type: 'reprint', invoice: '42' },
			responseWith({ type: 'reprint', invoice: '000043' }),
			false,
		],
		['a void of the same number fits', voidOf('42'), responseWith({ type: 'void', invoice: '000042' }), true],
		['a void without a number fits', voidOf('42'), responseWith({ type: 'void', invoice: '' }), true],
		['a void of another number does not fit', voidOf('42'), responseWith({ type: 'void', invoice: '000043' }), false],
		['a refused void fits regardless of its number', voidOf('42'), refused({ type: 'void', invoice: '000043' }), true],
		[
			'a refused reprint fits regardless of its number',
			{ type: 'reprint', invoice: '42' },
			refused({ type: 'reprint', invoice: '000043' }),
			true,
		],
		[
			'a refusal with another QR reference fits an inquiry, because only an approval must contain the requested reference',
			{ type: 'qris_inquiry', amount: TOTAL, reference: '600000000001' },
			refused({ type: 'qris_inquiry', rrn: '600000000002' }),
			true,
		],
	])('%s', (_what, request, response, expected) => expect(isFitting(request, response)).toBe(expected));
});

test('only an approved sale or void with number and date counts as unique', () => {
	expect([isUnique(responseWith({})), isUnique(responseWith({ type: 'void' }))]).toEqual([true, true]);
	expect([responseWith({ type: 'reprint' }), refused({ rrn: '1', date: '20261121' })].map(isUnique)).toEqual([false, false]);
	expect([responseWith({ rrn: '' }), responseWith({ date: '' })].map(isUnique)).toEqual([false, false]);
});

test('an echo counts as repeatable, a sale or settlement does not; responses are the same only if all fields are equal', () => {
	expect([isQuestion({ type: 'echo' }), isQuestion(sale), isQuestion({ type: 'settlement' })]).toEqual([true, false, false]);
	const said = responseWith({});
	expect([isSame(said, { ...said }), isSame(said, { ...said, rrn: '1' })]).toEqual([true, false]);
});
