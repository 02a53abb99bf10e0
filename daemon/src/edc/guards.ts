import { type Invoice, type ReceivedPayment, sameId } from '../../contract/back-office.ts';
import type { EdcStart, SaleRefusal } from '../../contract/live.ts';
import { type Rupiah, remaining } from '../../contract/money.ts';
import { receivedOf } from '../acceptor/cash-state.ts';
import { receivedEntries } from '../acceptor/received.ts';
import type { JournalNote } from '../journal/note-book.ts';

/** What the books say about the invoice. */
export interface Books {
	/** By whomever. */
	paid: boolean;
	/** Notes that were put in for it at this kiosk, whatever became of them. */
	notes: readonly JournalNote[];
}

/**
 * @param lookedUp the invoice that the back office answered last
 * @returns the invoice that a sale is asked for: by its id, or where the screen names none, by its amount
 */
export function invoiceFor(asked: EdcStart['data'], lookedUp: Invoice | null): Invoice | null {
	if (!lookedUp) return null;
	const meant = asked.id === undefined ? lookedUp.total === asked.amount : sameId(asked.id, lookedUp.id);
	return meant ? lookedUp : null;
}

/**
 * Approved must mean paid and nothing may be paid twice, so the amount is what is still due, to the rupiah.
 * @returns why the books forbid this sale, or null
 */
export function booksRefuse(amount: Rupiah, invoice: Invoice | null, books: Books): SaleRefusal | null {
	if (!invoice) return 'no_invoice';
	if (invoice.is_paid || books.paid) return 'already_paid';
	if (books.notes.some(({ state }) => state === 'intended' || state === 'in_doubt')) return 'cash_inside';
	const listed: readonly ReceivedPayment[] = invoice.list_pembayaran ?? [];
	const own = books.notes.flatMap(({ note_id, nominal, time, state }) =>
		state === 'credited' && nominal !== null ? [{ note_id, nominal, time }] : [],
	);
	const received = receivedOf(receivedEntries(listed, own));
	if (amount > 0 && amount === remaining(invoice.total, received)) return null;
	return received > 0 ? 'cash_inside' : 'bad_amount';
}
