import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import { goneFrom, listsCards } from './listed-payments.ts';
import { type InvoiceView, sumOf } from './money-facts.ts';
import type { ListedPayment, PaymentKey } from './records.ts';

/** A statement of the back office, with the number of its record and the key of its payment. */
export interface RecordedView {
	seq: number;
	key: PaymentKey;
	view: InvoiceView;
}

/** Reported money that the customer got back: a voided card sale, or money that staff gave back. */
export interface Returned {
	kind: 'sale' | 'given';
	amount: Rupiah;
	/** For money given back: notes of this number that the back office has refused, rupiah. */
	refused?: Rupiah;
	/** Key of the payment for which the money was taken. */
	key: PaymentKey;
	/** Number of the record with which the return began. */
	begun_at: number;
}

/**
 * The kiosk reports neither voids nor give-backs, so the back office's list may still contain the
 * returned money, even under a later number of the invoice. Entries that contain this money are not
 * payments made elsewhere. A list under the number for which the money was taken shows how much of
 * it is listed. If the back office listed the invoice before the return only under another number,
 * an entry of a sale's amount counts as this sale, and the amount beyond the confirmed money counts
 * as money given back.
 * @param views statements about the invoice since the money was reported, oldest first
 * @returns for each of `all`: how much of it the last list still contains, rupiah
 */
export function listedParts(views: readonly RecordedView[], all: readonly Returned[]): Rupiah[] {
	let parts = all.map(() => rupiah(0));
	/** For each of `all`: whether the list had an entry of exactly this sale's amount. */
	const isExact = all.map(() => false);
	/**
	 * For each of `all`: whether the server has answered under the number for which the money was
	 * taken.
	 */
	const isAnswered = all.map(() => false);
	for (const [at, { seq, key, view }] of views.entries()) {
		const gone = goneSince(views.slice(0, at), { key, view });
		parts = all.map((one, index) => {
			// The record of a message repeats the list of an earlier answer, so it does not show whether
			// the present list contains the sale.
			if (one.kind === 'sale' && view.ownAtList !== undefined) return parts[index] ?? rupiah(0);
			// After a give-back every statement still counts the money as ours. After a void only a
			// statement that says "paid" still counts it. Such a statement is used if no earlier answer
			// has shown whether the list contains the sale.
			const isFirst = !isAnswered[index] && view.is_paid;
			if (key === one.key && (one.kind === 'given' || seq < one.begun_at || isFirst)) {
				// A list that also lacks money that the kiosk has kept is wrong, so it does not
				// show whether the returned money is in it.
				if (one.kind === 'given' && isAnswered[index] && lacksKept(view, one.amount)) return parts[index] ?? rupiah(0);
				isExact[index] = one.kind === 'sale' && hasEntryOf(view, one.amount);
				isAnswered[index] = true;
				return partIn(view, one);
			}
			if (!isAnswered[index] && seq < one.begun_at) {
				isExact[index] = one.kind === 'sale';
				return partInOther(view, one);
			}
			let left = parts[index] ?? rupiah(0);
			for (const [place, entry] of gone.entries()) {
				// A card sale is one entry, so an entry that cannot be the sale is another payment.
				if (one.kind === 'sale' && (isExact[index] ? entry !== one.amount : entry < left)) continue;
				gone[place] = remaining(entry, left);
				left = remaining(left, entry);
			}
			return left;
		});
	}
	return parts;
}

/**
 * After a give-back the cashier may remove the money from the list. Confirmed notes that the list
 * has shown and now lacks count as removed. Notes that it has never shown do not, because they may
 * appear later. An entry that appears after the removal is another payment.
 * @param views statements since the first note under the number of the give-backs, oldest first
 * @param given the give-backs, with the numbers of their records
 * @returns the removed part of the given money, rupiah
 */
export function removedPart(views: readonly RecordedView[], given: readonly { seq: number; amount: Rupiah }[]): Rupiah {
	let shown = 0;
	let removed = 0;
	let isDamaged = false;
	for (const { seq, view } of views) {
		const listed = listedOfOurs(view);
		shown = Math.max(shown, listed);
		const back = sumRupiah(given.filter((one) => one.seq < seq).map(({ amount }) => amount));
		const missing = missingNotes(view);
		if (missing <= removed || missing === back) isDamaged = false;
		// The server may truncate the list of a paid invoice at the total, so missing money does not
		// count as removed by the cashier.
		if (view.is_paid) continue;
		// A list that has lost more than was given back is wrong. Until it lacks exactly the amount
		// given back, or no more than was already removed, its missing money does not count as removed
		// either. A note counts as lost even if its confirmation came later than the list that showed
		// it.
		if (lacksKept(view, back) || Math.min(shown, notesTold(view.own)) - listed > back) isDamaged = true;
		if (back > 0 && !isDamaged) removed = Math.max(removed, Math.min(missing, shown - listed));
	}
	return rupiah(removed);
}

/** @returns the sum of the list, rupiah */
const sumListed = ({ listed }: InvoiceView): Rupiah => sumOf(listed);

/** @returns the sum of the list without what is known to be paid elsewhere, rupiah */
const listedOfOurs = (view: InvoiceView): Rupiah => remaining(sumListed(view), view.elsewhereKept ?? rupiah(0));

/**
 * @returns confirmed money that the list contains, rupiah: all notes, and the card sales if the
 * list contains card sales
 */
function confirmedIn(view: InvoiceView): Rupiah {
	const { notes_confirmed, cards_confirmed } = view.ownAtList ?? view.own;
	return sumRupiah([notes_confirmed, listsCards(view) ? cards_confirmed : rupiah(0)]);
}

/** @returns amount of the confirmed notes that the list lacks, rupiah */
const missingNotes = (view: InvoiceView): Rupiah => remaining((view.ownAtList ?? view.own).notes_confirmed, listedOfOurs(view));

/** Whether the list lacks more than was given back; such a list is wrong. */
const lacksKept = (view: InvoiceView, givenBack: Rupiah): boolean => missingNotes(view) > givenBack;

/**
 * The list may show the notes of one visit as one sum, and may show a note some time after its
 * confirmation. If a larger entry replaces an entry, and the difference is at most the sum of the
 * notes that may be new, the earlier entry has grown and is not gone.
 * @param before the earlier statements, oldest first
 * @returns the amounts of the entries that have left the list, rupiah
 */
function goneSince(before: readonly RecordedView[], { key, view }: Pick<RecordedView, 'key' | 'view'>): Rupiah[] {
	const last = before.at(-1)?.view.listed ?? [];
	const gone = goneFrom(last, view.listed);
	const added = goneFrom(view.listed, last);
	const earlier = before.findLast((one) => one.key === key)?.view.own;
	const growth = remaining(view.own.told, earlier?.notes_confirmed ?? rupiah(0));
	const newNotes = remaining(view.own.notes_confirmed, earlier ? notesTold(earlier) : rupiah(0));
	if (isSummedUp(gone, added, newNotes, growth) || isSplit(gone, added, view)) return [];
	if (growth === 0) return gone.map(({ nominal }) => nominal);
	return gone.flatMap(({ nominal, note_id }) => {
		const at = added.findIndex(
			(sum) => note_id === null && sum.note_id === null && sum.nominal > nominal && sum.nominal - nominal <= growth,
		);
		if (at < 0) return [nominal];
		added.splice(at, 1);
		return [];
	});
}

/**
 * Whether the list now shows several entries as their sum, perhaps with new notes.
 * @param least amount of new notes that the list must contain, rupiah; if it contains less, one of
 * the entries is gone
 * @param most amount of new notes that the sum may contain, rupiah
 */
function isSummedUp(gone: readonly ListedPayment[], added: readonly ListedPayment[], least: Rupiah, most: Rupiah): boolean {
	const before = sumOf(gone);
	if (gone.length < 2 || sumOf(added) < before + least) return false;
	return added.some(({ nominal, note_id }) => note_id === null && nominal >= before && nominal - before <= most);
}

/** Whether the list now shows a sum in parts, while another entry of the same amount stays. */
function isSplit(gone: readonly ListedPayment[], added: readonly ListedPayment[], view: InvoiceView): boolean {
	const parts = added.filter(({ note_id }) => note_id === null);
	return gone.length === 1 && parts.length > 1 && sumOf(parts) === sumOf(gone) && hasEntryOf(view, sumOf(gone));
}

/**
 * @returns amount of the notes that the back office may have known, rupiah. In a statement that an
 * earlier version recorded, this amount also contains card sales
 */
const notesTold = ({ told, nameless = rupiah(0) }: InvoiceView['own']): Rupiah => remaining(told, nameless);

function partIn(view: InvoiceView, { kind, amount, refused = rupiah(0) }: Returned): Rupiah {
	const { notes_confirmed, cards_confirmed, told } = view.ownAtList ?? view.own;
	const [confirmed, listed] = [confirmedIn(view), listedOfOurs(view)];
	// Money whose report was not confirmed may be listed beside the confirmed money.
	const unconfirmed = Math.min(remaining(listed, confirmed), remaining(told, sumRupiah([notes_confirmed, cards_confirmed])));
	if (kind === 'given') {
		// A list contains every confirmed note, unless the cashier has removed what was given back.
		const kept = remaining(sumRupiah([confirmed, refused]), amount);
		return rupiah(Math.min(amount, confirmed + unconfirmed, remaining(listed, kept)));
	}
	return unconfirmed >= amount && hasEntryOf(view, amount) ? amount : rupiah(Math.min(amount, remaining(confirmed, notes_confirmed)));
}

/** @param view a statement under another number; it does not count this money as ours */
function partInOther(view: InvoiceView, { kind, amount }: Returned): Rupiah {
	if (kind === 'sale') return hasEntryOf(view, amount) ? amount : rupiah(0);
	return rupiah(Math.min(amount, remaining(sumListed(view), confirmedIn(view))));
}

/** @returns whether an entry that names no note has exactly this amount */
const hasEntryOf = ({ listed }: InvoiceView, amount: Rupiah): boolean =>
	listed.some(({ nominal, note_id }) => nominal === amount && note_id === null);
