/** Compares the payments that the back office lists with this kiosk's own money. */
import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import { type InvoiceView, type MoneyFacts, type OwnCash, sumOf } from './money-facts.ts';
import type { ListedPayment } from './records.ts';

/** Result of comparing the list with our own money, rupiah. */
export interface ListedBeyond {
	elsewhere: Rupiah;
	/** Confirmed notes that the list lacks, less the money given back. */
	missing: Rupiah;
	/** Part of the list that is either some of our card sales or another payment. */
	unclear: Rupiah;
	/**
	 * Amount paid elsewhere, assuming that the list contains none of our confirmed card sales. 0 if
	 * there are no such sales, or if a give-back explains why the list contains only a part of them.
	 */
	withoutCards: Rupiah;
	/** Part of the list that may be own money whose confirmation is missing. */
	mayBeOurs: Rupiah;
}

/** Form of the note ids of all kiosks. An unknown id of this form is another kiosk's note. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type ListFacts = Pick<MoneyFacts, 'notes' | 'givenBack' | 'returnedListed' | 'removed'>;

export function elsewhereIn(view: InvoiceView, facts: ListFacts): ListedBeyond {
	const { notes, returnedListed = rupiah(0), removed = rupiah(0) } = facts;
	const own = view.ownAtList ?? view.own;
	const { cards_confirmed, nameless } = own;
	// Money that the cashier has removed from the list counts neither as listed nor as missing.
	const [notes_confirmed, told] = [remaining(own.notes_confirmed, removed), remaining(own.told, removed)];
	const givenBack = remaining(facts.givenBack, removed);
	const isOwn = namesOneOf(notes);
	const listed = remaining(sumOf(view.listed), returnedListed);
	const named = sumOf(view.listed.filter(isOwn));
	const isNamed = view.listed.some(({ note_id }) => note_id !== null);
	// Money given back reduces the missing amount, not the amount that the list must contain.
	// Otherwise each give-back would look like a payment made elsewhere.
	const missing = remaining(remaining(notes_confirmed, isNamed ? named : listed), givenBack);
	const beyond = remaining(listed, isNamed ? named : notes_confirmed);
	// The list may contain unconfirmed own money without naming it: no list names our card sales, and
	// most lists do not name our notes.
	const unconfirmed = remaining(told, sumRupiah([notes_confirmed, cards_confirmed]));
	// A server that uses ids of its own may list one of our notes under such an id.
	const otherIds = sumOf(view.listed.filter((entry) => entry.note_id !== null && !isOwn(entry) && !UUID.test(entry.note_id)));
	const mayBeOurs = isNamed
		? rupiah(Math.max(remaining(nameless ?? remaining(told, named), cards_confirmed), Math.min(otherIds, unconfirmed)))
		: unconfirmed;
	// At an earlier statement, a note that staff have since moved to this invoice may have counted as
	// paid elsewhere.
	const kept = rupiah(Math.min(view.elsewhereKept ?? rupiah(0), remaining(sumOf(view.listed), named)));
	if (beyond >= cards_confirmed) {
		const elsewhere = rupiah(Math.max(kept, remaining(remaining(beyond, cards_confirmed), mayBeOurs)));
		return { elsewhere, missing, unclear: rupiah(0), withoutCards: cards_confirmed > 0 ? beyond : rupiah(0), mayBeOurs };
	}
	const isWithoutGivenBack = beyond >= remaining(cards_confirmed, givenBack);
	const unclear = isWithoutGivenBack ? rupiah(0) : remaining(beyond, kept);
	return { elsewhere: kept, missing, unclear, withoutCards: isWithoutGivenBack ? rupiah(0) : beyond, mayBeOurs };
}

/**
 * A list does not identify our card sales. However, an entry that an earlier list showed to be paid
 * elsewhere cannot be a sale that was reported later.
 * @param before the previous statement @param listed the new list
 * @returns the part of the new list that earlier statements showed to be paid elsewhere
 */
export function keptElsewhere(before: InvoiceView, listed: readonly ListedPayment[], facts: ListFacts): Rupiah {
	// Entries that name a note of the invoice are not subtracted, because the earlier statement did
	// not count them as paid elsewhere.
	const isOwn = namesOneOf(facts.notes);
	const gone = goneFrom(before.listed, listed).filter((entry) => !isOwn(entry));
	return remaining(elsewhereIn(before, facts).elsewhere, sumOf(gone));
}

/**
 * @returns the entries of an earlier list that the later list lacks. If several entries are equal,
 * only their number matters
 */
export function goneFrom(before: readonly ListedPayment[], listed: readonly ListedPayment[]): ListedPayment[] {
	// Equal entries are counted, not compared pair by pair, because a list may have a thousand
	// entries.
	const left = new Map<string, number>();
	for (const entry of listed.map(entryOf)) left.set(entry, (left.get(entry) ?? 0) + 1);
	return before.filter((one) => {
		const entry = entryOf(one);
		const count = left.get(entry) ?? 0;
		left.set(entry, count - 1);
		return count <= 0;
	});
}

/**
 * @param givenBack money given back under this number, rupiah; the cashier may have removed it from
 * the list
 * @returns the largest amount of the list that can be money taken under other numbers of the
 * invoice, rupiah
 */
export function roomForOther(view: InvoiceView, givenBack: Rupiah): Rupiah {
	const { notes_confirmed, cards_confirmed } = view.ownAtList ?? view.own;
	const confirmed = sumRupiah([notes_confirmed, listsCards(view) ? cards_confirmed : rupiah(0)]);
	return remaining(sumOf(view.listed), remaining(confirmed, givenBack));
}

/** Whether the list contains the confirmed card sales. A list contains all of them or none. */
export function listsCards({ listed, own, ownAtList, elsewhereKept }: InvoiceView): boolean {
	const { notes_confirmed, cards_confirmed } = ownAtList ?? own;
	const unnamed = remaining(sumOf(listed.filter(({ note_id }) => note_id === null)), elsewhereKept ?? rupiah(0));
	const isNamed = listed.some(({ note_id }) => note_id !== null);
	return cards_confirmed > 0 && (isNamed ? unnamed : remaining(unnamed, notes_confirmed)) >= cards_confirmed;
}

/** @returns a function that tells whether a listed payment names one of these notes */
export function namesOneOf(notes: readonly OwnCash[]): (entry: ListedPayment) => boolean {
	const ids = new Set(notes.map(({ note_id }) => note_id));
	return ({ note_id }) => note_id !== null && ids.has(note_id);
}

/** @returns the entries after removing one match for each of `others` */
export function withoutMatches<Entry, Other>(
	entries: readonly Entry[],
	others: readonly Other[],
	matches: (entry: Entry, other: Other) => boolean,
): Entry[] {
	const left = [...others];
	return entries.filter((entry) => {
		const at = left.findIndex((other) => matches(entry, other));
		if (at >= 0) left.splice(at, 1);
		return at < 0;
	});
}

/**
 * @returns a key to compare entries, with only minute and second of the time. The server may change
 * or omit the UTC offset, which in Indonesia changes only date and hour
 */
const entryOf = ({ nominal, note_id, time }: ListedPayment): string => JSON.stringify([nominal, note_id, MINUTE.exec(time)?.[1] ?? time]);

/** Minute and second of a time. */
const MINUTE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:(\d{2}:\d{2})/;
