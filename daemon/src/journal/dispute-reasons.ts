/** Contradictions about the money of an invoice, each as a sentence for staff. */
import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import { type ListedBeyond, roomForOther } from './listed-payments.ts';
import { type InvoiceView, type MoneyFacts, type OwnCash, sumOf } from './money-facts.ts';

/**
 * @returns the shortage as a sentence, or null. A shortage arises when staff gave the money of a
 * card sale back in cash, and the card was not charged or its charge was returned. No amount shows
 * the shortage, because own money is never counted below zero
 */
export const explainShortage = ({ short = rupiah(0) }: Pick<MoneyFacts, 'short'>): string | null =>
	short > 0 ? `Rp ${short} more was given back than this kiosk received` : null;

/**
 * @returns a sentence if the back office's "paid" may include returned money, or null. It may,
 * because the kiosk reports neither give-backs nor voids
 */
export function givenBackUnseen({ givenBack, undone = rupiah(0), total }: MoneyFacts, received: Rupiah): string | null {
	const back = sumRupiah([givenBack, undone]);
	return back > 0 && received < total ? `the back office says paid and counts Rp ${back} that was given back` : null;
}

/**
 * @returns a sentence if the list contains more money for one of our notes than the note's value,
 * or null
 */
export function explainWrongValue(view: InvoiceView | null, notes: readonly OwnCash[]): string | null {
	for (const { note_id, nominal } of notes) {
		const said = (view?.listed ?? []).filter((one) => one.note_id === note_id);
		const sum = sumOf(said);
		if (said.length > 0 && sum > nominal) return `the back office lists Rp ${sum} for a note of Rp ${nominal}`;
	}
	return null;
}

/**
 * @returns a sentence if the list names a note of another invoice, or null. Such a note would pay
 * two invoices: one in this kiosk's books, and one in the server's
 */
export const explainForeignNote = ({ strange }: MoneyFacts): string | null =>
	strange ? `the back office lists a note of Rp ${strange.nominal} that was taken for ${strange.noinvoice}` : null;

/**
 * @returns a sentence about unassigned money, or null. Such money puts the invoice in dispute,
 * because otherwise the customer would pay the same amount again
 */
export const explainUnassigned = ({ unassigned = rupiah(0) }: MoneyFacts): string | null =>
	unassigned > 0 ? `an earlier version took Rp ${unassigned} and did not record the account, so the back office may not know it` : null;

/** @returns a sentence about a fact that contradicts the answer "unpaid", or null */
export function contradictionOf(
	{ view, claim, total, givenBack, underOther }: MoneyFacts,
	list: ListedBeyond,
	received: Rupiah,
): string | null {
	if (!view) return null;
	const unlisted = underOther ? remaining(underOther.held, roomForOther(view, givenBack)) : rupiah(0);
	if (underOther && unlisted > 0)
		return `the back office does not list Rp ${unlisted} that this kiosk took for the same invoice as ${underOther.noinvoice}`;
	if (list.missing > 0) return `the back office lists Rp ${list.missing} less than it has confirmed`;
	if (list.unclear > 0) return `the back office lists Rp ${list.unclear}, which may be part of the card sales or another payment`;
	if (total > 0 && list.elsewhere >= total && received === list.elsewhere)
		return `the back office lists Rp ${list.elsewhere} and says unpaid`;
	const confirmed = remaining(view.own.notes_confirmed, givenBack);
	if (total > 0 && confirmed >= total) return `the back office has confirmed Rp ${confirmed} in cash and says unpaid`;
	if (!claim) return null;
	if (list.elsewhere < claim.elsewhere) return `the back office said that Rp ${claim.total} was paid and no longer lists it`;
	if (total <= claim.total && received >= total) return `the back office said that Rp ${claim.total} was paid and says unpaid now`;
	return null;
}
