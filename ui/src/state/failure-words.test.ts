import { afterEach, expect, test } from 'vitest';
import { customerText } from '../../../daemon/src/base/customer-text.ts';
import { loadLanguage, setIndonesian } from '../text/language.ts';
import { paymentText } from '../text/payment.ts';
import { failureWords } from './failure-words.ts';

afterEach(() => setIndonesian());

const failure = { ok: false as const, status: 409, message: 'Pesan server' };

test('the daemon’s refusals are shown in the customer’s language', async () => {
	const refusal = { ...failure, code: 'paid_by_card', message: customerText.paidByCard };
	expect(failureWords(refusal)).toBe(customerText.paidByCard);
	(await loadLanguage('en'))();
	expect(failureWords(refusal)).toBe('This invoice is being paid by card. Do not pay again, ask staff.');
});

test('messages of the back office are shown unchanged, even on an English screen', async () => {
	(await loadLanguage('en'))();
	expect(failureWords(failure)).toBe('Pesan server');
	expect(failureWords({ ...failure, code: 'constructor' })).toBe('Pesan server');
	expect(failureWords({ ...failure, message: null })).toBe('We are having a technical problem');
});

test('the Indonesian screen uses the same words for a refusal as the daemon', () => {
	const { paidByCard, dispute, noInvoice, cashNotTold, restarting, superseded, notLoggedIn } = customerText;
	expect(Object.values(paymentText.refusals)).toEqual([paidByCard, dispute, noInvoice, cashNotTold, restarting, superseded, notLoggedIn]);
});
