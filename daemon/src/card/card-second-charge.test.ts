import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { ACCOUNT } from '../journal/payment.fixture.ts';
import { responseWith } from './card-machine.fixture.ts';
import { cardStep } from './card-machine.ts';
import { type CardState, initialCardState } from './card-state.ts';

test('a second charge in the answer to an inquiry is kept if it cannot be written', () => {
	const payment = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: rupiah(137_500) };
	const first = responseWith({ type: 'qris_inquiry' });
	const sale = {
		attempt_id: 'a',
		payment,
		amount: rupiah(137_500),
		method: 'qris',
		attempt: 1,
		time: '',
		state: 'approved',
		why: '',
		response: first,
		answered: true,
	} as never;
	const policy = {
		unknownCodes: new Set<string>(),
		retryCodes: new Set<string>(),
		inquiry: 'none',
		qris: { firstMs: 1, everyMs: 1, looks: 3 },
	} as never;
	const state: CardState = { ...initialCardState(true), terminal: 'busy', open: { kind: 'inquiry', request_id: 'i', sale } };
	const response = responseWith({ type: 'qris_inquiry' });
	const step = cardStep(
		state,
		{
			kind: 'terminal',
			report: { kind: 'answer', request_id: 'i', response },
			isClosed: false,
			fresh_id: 'f',
			time: '',
			sale,
			known: false,
			isOtherListed: false,
			voided: null,
		},
		policy,
	);
	const write = step.effects.find((effect) => effect.kind === 'write');
	expect(write?.kind === 'write' && write.record.kind).toBe('card_unexplained');
	if (write?.kind !== 'write') return;
	const failed = cardStep(
		step.state,
		{ kind: 'not_written', record: write.record, heard: write.heard ?? null, word: write.word, error: { code: 'disk_full', message: '' } },
		policy,
	);
	expect(failed.state.unwritten).toHaveLength(1);
});
