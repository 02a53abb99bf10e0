import type { Invoice } from '@kiosk/contract/back-office';
import type { EdcStart, SaleRefusal } from '@kiosk/contract/live';
import type { Rupiah } from '@kiosk/contract/money';
import { sameId } from '@kiosk/contract/same-id';
import { type Balance, isPaidState } from '../journal/balance.ts';

/** The balance of an invoice, and whether one of its notes is in doubt or has no outcome. */
export interface Books {
	balance: Balance;
	hasOpenNote: boolean;
}

/**
 * A back office may give the id of an earlier invoice to a new one while the screen still shows the
 * earlier invoice.
 * @param lookedUp the last invoice from the back office
 * @returns whether the request is for this invoice. Compares the id, or the amount with the total
 * if the screen sent no id. If the screen sent an invoice number, the number must be equal, too
 */
export function isAskedFor({ amount, id, noinvoice }: EdcStart['data'], lookedUp: Invoice): boolean {
	if (noinvoice && noinvoice !== lookedUp.noinvoice) return false;
	return id === undefined ? lookedUp.total === amount : sameId(id, lookedUp.id);
}

/**
 * Requires the exact due amount, so that an approval pays the whole amount still due and not more.
 * @param books null without a looked-up invoice
 * @returns why this sale is refused, or null
 */
export function refusalOfBooks(amount: Rupiah, books: Books | null): SaleRefusal | null {
	if (!books) return 'no_invoice';
	const { state, due, received } = books.balance;
	if (isPaidState(state)) return 'already_paid';
	if (state === 'dispute') return 'unresolved';
	if (books.hasOpenNote) return 'cash_inside';
	if (amount > 0 && amount === due) return null;
	return received > 0 ? 'cash_inside' : 'bad_amount';
}
