import { type Invoice, sameId } from '../../contract/back-office.ts';
import type { EdcStart, SaleRefusal } from '../../contract/live.ts';
import type { Rupiah } from '../../contract/money.ts';
import type { Balance } from '../journal/balance.ts';
import type { JournalNote } from '../journal/note-book.ts';

/** What is known of the invoice's money. */
export interface Books {
	balance: Balance;
	/** Notes that were put in for it at this kiosk, whatever became of them. */
	notes: readonly JournalNote[];
}

/**
 * @param lookedUp the invoice that the back office answered last
 * @returns whether the sale is asked for this invoice: by its id, or where the screen names none, by its amount
 */
export const isAskedFor = (asked: EdcStart['data'], lookedUp: Invoice): boolean =>
	asked.id === undefined ? lookedUp.total === asked.amount : sameId(asked.id, lookedUp.id);

/**
 * Approved must mean paid and nothing may be paid twice, so the amount is what is still due, to the rupiah.
 * @param books null: no invoice that was looked up
 * @returns why the books forbid this sale, or null
 */
export function booksRefuse(amount: Rupiah, books: Books | null): SaleRefusal | null {
	if (!books) return 'no_invoice';
	const { state, due, received } = books.balance;
	if (state === 'paid' || state === 'paid_twice') return 'already_paid';
	if (state === 'dispute') return 'unresolved';
	if (books.notes.some((note) => note.state === 'intended' || note.state === 'in_doubt')) return 'cash_inside';
	if (amount > 0 && amount === due) return null;
	return received > 0 ? 'cash_inside' : 'bad_amount';
}
