import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { begin, journal, journalOfEachTest, take } from './journal.fixture.ts';
import { keyOf, paymentOf } from './payment.fixture.ts';

journalOfEachTest();

test('a moved note is listed with the invoice to which it was moved', () => {
	const note_id = take(50_000, 1);
	journal.append({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'the back office answered 409' });
	const moved = { note_id, from: keyOf(1), payment: paymentOf(2), by: 'Sari', why: 'merged' };
	journal.append({ kind: 'note_moved', move_id: randomUUID(), ...moved });
	expect(journal.recentPayments(8)).toMatchObject([{ noinvoice: 'INV/2', amount: 50_000 }]);
});

test('an invoice that is covered by a note found in the cashbox is listed as paid', () => {
	take(100_000, 1);
	const note_id = begin(50_000, 1);
	journal.append({ kind: 'cash_in_doubt', note_id, why: 'no answer' });
	journal.append({ kind: 'cash_settled', note_id, outcome: 'in_box', nominal: rupiah(50_000), by: 'Sari', why: 'seen' });
	expect(journal.recentPayments(8)).toMatchObject([{ noinvoice: 'INV/1', amount: 150_000, outcome: 'paid' }]);
});

test('an invoice that has grown since it was paid is not listed as paid', () => {
	take(100_000, 1);
	take(50_000, 1);
	journal.append({ kind: 'invoice_paid', payment: paymentOf(1), by: 'kiosk', paid_id: randomUUID() });
	expect(journal.recentPayments(8)).toMatchObject([{ outcome: 'paid' }]);
	const own = { notes_confirmed: rupiah(0), cards_confirmed: rupiah(0), told: rupiah(0) };
	journal.append({
		kind: 'invoice_seen',
		seen_id: randomUUID(),
		payment: paymentOf(1, { total: rupiah(337_500) }),
		is_paid: false,
		listed: [],
		own,
		source: 'look_up',
		time: '2026-11-22T14:31:08+07:00',
	});
	expect(journal.recentPayments(8)).toMatchObject([{ amount: 150_000, outcome: 'not covered' }]);
});
