import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import { goneFrom, type InvoiceView, listsCards } from './balance.ts';
import type { PaymentKey } from './records.ts';

/** A statement of the back office, its record, and the number of the invoice in it. */
export interface RecordedView {
	seq: number;
	key: PaymentKey;
	view: InvoiceView;
}

/** Reported money that the customer has back: a voided card sale, or money that staff gave back. */
export interface Returned {
	kind: 'sale' | 'given';
	amount: Rupiah;
	/** The number of the invoice for which it was taken. */
	key: PaymentKey;
	/** The record of its return. */
	returned_at: number;
}

/**
 * The back office learns neither of a void nor of a give-back, so its list may still hold the
 * money, even under a later number of the invoice. An entry that was there before the return, and
 * has stayed since, is no payment made elsewhere. Only a list under the number for which the money
 * was taken shows whether the list holds it.
 * @param views statements about the invoice since the money was reported, oldest first
 * @returns the part of the last list that is this money, in rupiah, for each of `all`
 */
export function listedParts(views: readonly RecordedView[], all: readonly Returned[]): Rupiah[] {
	let parts = all.map(() => rupiah(0));
	for (const [at, { seq, key, view }] of views.entries()) {
		let gone = sumRupiah(goneFrom(views[at - 1]?.view.listed ?? [], view.listed).map(({ nominal }) => nominal));
		parts = all.map((one, index) => {
			// A statement after a give-back still counts the money as ours; one after a void does not.
			if (key === one.key && (one.kind === 'given' || seq < one.returned_at)) return partIn(view, one);
			const before = parts[index] ?? rupiah(0);
			const left = remaining(before, gone);
			gone = remaining(gone, before);
			return left;
		});
	}
	return parts;
}

function partIn(view: InvoiceView, { kind, amount }: Returned): Rupiah {
	const { notes_confirmed, cards_confirmed } = view.ownAtList ?? view.own;
	const cards = listsCards(view) ? cards_confirmed : rupiah(0);
	// A list contains every confirmed note.
	return rupiah(Math.min(amount, kind === 'sale' ? cards : sumRupiah([notes_confirmed, cards])));
}
