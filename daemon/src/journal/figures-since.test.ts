import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, expect, test } from 'vitest';
import { begin, journal, journalOfEachTest, TIME, take } from './journal.fixture.ts';
import { paymentOf } from './payment.fixture.ts';

let wall: Date;
journalOfEachTest(() => wall);
beforeEach(() => {
	wall = new Date('2026-11-21T07:00:00Z');
});

const pay = (id: number) => journal.append({ kind: 'invoice_paid', payment: paymentOf(id), by: 'kiosk', paid_id: randomUUID() });

test('notes and paid invoices since a time are counted, each invoice once', () => {
	take(50_000, 1);
	pay(1);
	const noon = wall.getTime() + 1;
	wall = new Date('2026-11-21T09:00:00Z');
	take(50_000, 2);
	take(50_000, 3);
	pay(3);
	pay(3);
	expect(journal.figuresSince(0)).toMatchObject({ notes: 3, paid: 2 });
	expect(journal.figuresSince(noon)).toMatchObject({ notes: 2, paid: 1, card: { count: 0, total: 0 } });
});

test('a covered invoice counts as paid, even if its customer left before the screen showed "paid"', () => {
	take(50_000, 4);
	take(50_000, 4);
	expect(journal.figuresSince(0)).toMatchObject({ notes: 2, paid: 0 });
	take(50_000, 4);
	expect(journal.figuresSince(0)).toMatchObject({ notes: 3, paid: 1 });
});

test('an invoice paid by card counts once, with or without earlier cash', () => {
	const charge = (id: number, amount: number) => {
		const attempt_id = randomUUID();
		const sale = { payment: paymentOf(id), amount: rupiah(amount), method: 'card', attempt: 1, time: TIME } as const;
		journal.append({ kind: 'card_sale', attempt_id, ...sale });
		journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
	};
	charge(5, 137_500);
	take(50_000, 6);
	charge(6, 87_500);
	expect(journal.figuresSince(0)).toMatchObject({ notes: 1, paid: 2, card: { count: 2, total: 225_000 } });
});

test('a note taken while the clock was ahead does not count on a day before its date', () => {
	wall = new Date('2027-11-21T09:00:00Z');
	take(50_000, 1);
	wall = new Date('2026-11-22T09:00:00Z');
	take(20_000, 2);
	const midnight = Date.parse('2026-11-21T17:00:00Z');
	expect(journal.figuresSince(midnight, midnight + 86_400_000)).toMatchObject({ notes: 1 });
});

test('a note that staff found in the cashbox counts on the day on which they recorded it', () => {
	const found = begin(50_000, 1);
	journal.append({ kind: 'cash_in_doubt', note_id: found, why: 'no answer' });
	const gone = begin(50_000, 2);
	journal.append({ kind: 'cash_in_doubt', note_id: gone, why: 'no answer' });
	expect(journal.figuresSince(0)).toMatchObject({ notes: 0 });
	journal.append({ kind: 'cash_settled', note_id: found, outcome: 'in_box', nominal: rupiah(50_000), by: 'Sari', why: 'seen' });
	journal.append({ kind: 'cash_settled', note_id: gone, outcome: 'returned', nominal: null, by: 'Sari', why: 'seen' });
	expect(journal.figuresSince(0)).toMatchObject({ notes: 1 });
	expect(journal.cashbox.period(null)?.notes).toEqual([{ nominal: 50_000, count: 1 }]);
});
