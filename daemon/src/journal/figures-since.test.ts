import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, expect, test } from 'vitest';
import { journal, journalOfEachTest } from './journal.fixture.ts';
import { ACCOUNT } from './payment.fixture.ts';

const TIME = '2026-11-21T14:31:08+07:00';
const payment = (id: number) => ({ account: ACCOUNT, id, odoo_id: null, noinvoice: `INV/${id}`, total: rupiah(137_500) });

let wall: Date;
journalOfEachTest(() => wall);
beforeEach(() => {
	wall = new Date('2026-11-21T07:00:00Z');
});

function take(id: number): void {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_intent', note_id, payment: payment(id), nominal: rupiah(50_000), code: '0x45', time: TIME });
	journal.append({ kind: 'cash_credit', note_id, late: false });
}
const pay = (id: number) => journal.append({ kind: 'invoice_paid', payment: payment(id), by: 'kiosk', paid_id: randomUUID() });

test('counts notes and paid invoices since a time, each invoice once', () => {
	take(1);
	pay(1);
	const noon = wall.getTime() + 1;
	wall = new Date('2026-11-21T09:00:00Z');
	take(2);
	take(3);
	pay(3);
	pay(3);
	expect(journal.figuresSince(0)).toMatchObject({ notes: 3, paid: 2 });
	expect(journal.figuresSince(noon)).toMatchObject({ notes: 2, paid: 1, card: { count: 0, total: 0 } });
});

test('a covered invoice counts as paid, even when its customer left before the screen said so', () => {
	take(4);
	take(4);
	expect(journal.figuresSince(0)).toMatchObject({ notes: 2, paid: 0 });
	take(4);
	expect(journal.figuresSince(0)).toMatchObject({ notes: 3, paid: 1 });
});

test('an invoice paid by card counts once, with or without earlier cash', () => {
	const charge = (id: number, amount: number) => {
		const attempt_id = randomUUID();
		const sale = { payment: payment(id), amount: rupiah(amount), method: 'card', attempt: 1, time: TIME } as const;
		journal.append({ kind: 'card_sale', attempt_id, ...sale });
		journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
	};
	charge(5, 137_500);
	take(6);
	charge(6, 87_500);
	expect(journal.figuresSince(0)).toMatchObject({ notes: 1, paid: 2, card: { count: 2, total: 225_000 } });
});
