import type { Invoice } from '@kiosk/contract/back-office';
import type { EdcStart, SaleRefusal } from '@kiosk/contract/live';
import type { Rupiah } from '@kiosk/contract/money';
import { sameId } from '@kiosk/contract/same-id';
import { type Balance, isPaidState } from '../journal/balance.ts';
import type { JournalNote } from '../journal/note-book.ts';

/** The invoice's money in the books. */
export interface Books {
	balance: Balance;
	/** All notes inserted for it at this kiosk, with any outcome. */
	notes: readonly JournalNote[];
}

/**
 * A server may give an id to another invoice, and the page may still show the earlier one.
 * @param lookedUp the last invoice from the back office
 * @returns whether the sale is for this invoice: by its id, or by its amount if the screen sent no
 * id; and by its number if the screen sent one
 */
export function isAskedFor({ amount, id, noinvoice }: EdcStart['data'], lookedUp: Invoice): boolean {
	if (noinvoice && noinvoice !== lookedUp.noinvoice) return false;
	return id === undefined ? lookedUp.total === amount : sameId(id, lookedUp.id);
}

/**
 * An approval must mean paid, and nothing may be paid twice, so the amount must be exactly the due
 * amount.
 * @param books null without a looked-up invoice
 * @returns why the books forbid this sale, or null
 */
export function refusalOfBooks(amount: Rupiah, books: Books | null): SaleRefusal | null {
	if (!books) return 'no_invoice';
	const { state, due, received } = books.balance;
	if (isPaidState(state)) return 'already_paid';
	if (state === 'dispute') return 'unresolved';
	if (books.notes.some((note) => note.state === 'intended' || note.state === 'in_doubt')) return 'cash_inside';
	if (amount > 0 && amount === due) return null;
	return received > 0 ? 'cash_inside' : 'bad_amount';
}
