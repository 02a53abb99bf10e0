import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { journal, journalOfEachTest, TIME, take } from './journal.fixture.ts';
import { ACCOUNT, paymentOf } from './payment.fixture.ts';

journalOfEachTest();

test('waiting notes and approved card sales are summed for each account; those already sent are left out', () => {
	expect(journal.waitingMoney()).toEqual([]);
	journal.append({ kind: 'note_uploaded', note_id: take(100_000) });
	take(50_000);
	take(20_000);
	const trial = { ...ACCOUNT, development: true };
	for (const id of [8, 9]) {
		const attempt_id = randomUUID();
		const payment = paymentOf(id, { account: trial });
		journal.append({ kind: 'card_sale', attempt_id, payment, amount: rupiah(5_000), method: 'card', attempt: 1, time: TIME });
		journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
		if (id === 9) journal.append({ kind: 'card_approval_sent', attempt_id });
	}
	expect(journal.waitingMoney()).toEqual([
		{ account: ACCOUNT, notes: 2, cards: 0, total: 70_000 },
		{ account: trial, notes: 0, cards: 1, total: 5_000 },
	]);
});
