import { rupiah } from '@kiosk/contract/money';
import { ACCOUNT } from '../../../daemon/src/journal/payment.fixture.ts';
import type { Store } from '../../../daemon/src/journal/store.ts';
import { randomFrom } from '../../support/random.ts';

const BEGAN = Date.UTC(2026, 0, 5, 1);

/**
 * Writes invoices through the journal's own writer. Each has two notes, which were inserted while
 * the back office did not answer.
 * @param notes number of waiting notes, an even number
 * @param covered whether the notes cover each invoice; `partly`: a third of it is still due
 */
export function writeWaiting(store: Pick<Store, 'append'>, notes: number, covered: 'fully' | 'partly' = 'fully'): void {
	const random = randomFrom(1);
	const total = rupiah(covered === 'fully' ? 100_000 : 150_000);
	for (let number = 0; number < notes; number += 1) {
		const note_id = random.uuid();
		const at = new Date(BEGAN + number * 20_000);
		const invoice = Math.floor(number / 2) + 1;
		const payment = { account: ACCOUNT, id: invoice, odoo_id: `SO${invoice}`, noinvoice: `INV/2026/${invoice}`, total };
		store.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(50_000), code: '0x45', time: at.toISOString() }, at);
		store.append({ kind: 'cash_credit', note_id, late: false }, at);
		if (number % 2 === 1 && covered === 'fully') store.append({ kind: 'invoice_paid', payment, by: 'kiosk' }, at);
	}
}
