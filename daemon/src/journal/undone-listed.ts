import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import { goneFrom, type InvoiceView, listsCards } from './balance.ts';

/** A statement of the back office, and its record. */
export interface RecordedView {
	seq: number;
	view: InvoiceView;
}

/** A reported card sale whose charge was returned. `undone_at`: the record that returned it. */
export interface UndoneSale {
	amount: Rupiah;
	undone_at: number;
}

/**
 * The back office learns of no void, so its list may still hold the sale. An entry that was there
 * before the void, and has stayed since, is no payment made elsewhere.
 * @param views statements since the sales were reported, oldest first; the last is the one in question
 * @param reported rupiah of the sales that are not undone, and that the back office has confirmed
 * @returns the part of the last list that are undone sales which the statement does not count as ours
 */
export function undoneListed(views: readonly RecordedView[], sales: readonly UndoneSale[], reported: Rupiah): Rupiah {
	let left = rupiah(0);
	for (const [at, { seq, view }] of views.entries()) {
		const before = views[at - 1];
		if (!before) continue;
		const undone = sales.filter(({ undone_at }) => undone_at > before.seq && undone_at < seq);
		if (listsCards(before.view)) left = sumRupiah([left, ...undone.map(({ amount }) => amount)]);
		left = remaining(left, sumRupiah(goneFrom(before.view.listed, view.listed).map(({ nominal }) => nominal)));
	}
	// The answer may be older than the void: then it still counts the sale as ours.
	const counted = views.at(-1)?.view.own.cards_confirmed ?? rupiah(0);
	return remaining(left, remaining(counted, reported));
}
