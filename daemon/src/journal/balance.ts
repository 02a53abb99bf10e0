/**
 * Received and due amount of an invoice, from two sources: this kiosk's own notes and card sales,
 * and the payments that the back office lists. The two overlap, so their sums are never simply
 * added.
 */
import type { CashEntry } from '@kiosk/contract/kiosk-api';
import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import type { ListedPayment, OwnAtAnswer } from './records.ts';

/** The newest statement of the back office about an invoice. */
export interface InvoiceView {
	/** Rupiah. */
	total: Rupiah;
	is_paid: boolean;
	listed: readonly ListedPayment[];
	own: OwnAtAnswer;
	/** For a statement without a list: `own` at the earlier answer from which `listed` comes. */
	ownAtList?: OwnAtAnswer | undefined;
	/** Part of `listed` that `keptElsewhere` returned when this statement was recorded. */
	elsewhereKept?: Rupiah | undefined;
}

/**
 * The back office said "paid" at this total; the part `elsewhere` of it cannot have come from this
 * kiosk.
 */
export interface PaidClaim {
	total: Rupiah;
	elsewhere: Rupiah;
}

export interface OwnCash extends CashEntry {
	note_id: string;
	/** Taken before the last give-back for this invoice. */
	beforeGiveBack: boolean;
}

/** All facts about the money of an invoice; amounts in rupiah. */
export interface MoneyFacts {
	/** null: only the journal knows the invoice. */
	view: InvoiceView | null;
	/**
	 * The largest total for which the back office has said "paid" since the last review by staff.
	 */
	claim: PaidClaim | null;
	/** The best known total of the invoice. */
	total: Rupiah;
	/** Credited notes of this kiosk, oldest first. */
	notes: readonly OwnCash[];
	/** Approved card sales of this kiosk that were not voided, oldest first. */
	cards: readonly CashEntry[];
	/** Given back, up to what this kiosk had received or may have received. */
	givenBack: Rupiah;
	/**
	 * Part of `givenBack` that was never received if no card sale of unknown outcome was charged.
	 * This part is not deducted, because a deduction would hide money that the customer has paid
	 * since.
	 */
	mayBeLost?: Rupiah;
	/** Given back in excess of `givenBack`, and not reviewed by staff since. */
	short?: Rupiah;
	/**
	 * Approved card sales whose charge was returned or may have been returned (voided, unknown, or
	 * settled as not charged), and money given back under other numbers of the invoice.
	 */
	undone?: Rupiah;
	/** Part of `givenBack` that the cashier has removed from the list. */
	removed?: Rupiah;
	/** Part of `view.listed` that may be returned money. */
	returnedListed?: Rupiah;
	/** Returned money that the server's "paid" may include. */
	returnedCounted?: Rupiah;
	/**
	 * Money for this invoice that an earlier version took without recording the account, and that the
	 * server may not know. It is not sent until staff decide.
	 */
	unassigned?: Rupiah;
	/** The server's list names a note that this kiosk holds for another invoice. */
	strange?: StrangeNote | null;
	/** Money that this kiosk holds for the same invoice under other numbers. */
	underOther?: HeldUnderOther | null;
}

/**
 * Money of the invoice under other numbers, taken since the last review, and one of the numbers.
 */
export interface HeldUnderOther {
	held: Rupiah;
	noinvoice: string;
}

/** A note of this kiosk, and the invoice for which it was taken. */
export interface StrangeNote {
	nominal: Rupiah;
	noinvoice: string;
}

/**
 * `dispute`: the two sources contradict each other; no money is taken and nothing counts as paid
 * until staff decide. `paid_twice`: more than the total was or may have been received in more than
 * one way; an excess that is only the change of a single note does not count.
 */
export type BalanceState = 'open' | 'partial' | 'paid' | 'paid_twice' | 'dispute';

/** @returns whether at least the total was received */
export const isPaidState = (state: BalanceState): boolean => state === 'paid' || state === 'paid_twice';

export interface Balance {
	state: BalanceState;
	total: Rupiah;
	received: Rupiah;
	/**
	 * Part of `received` that was paid elsewhere. `elsewhereListed` of it is in the list; for the
	 * rest there is only the server's "paid".
	 */
	elsewhere: Rupiah;
	elsewhereListed: Rupiah;
	due: Rupiah;
	/** Received beyond the total. */
	excess: Rupiah;
	/** With `paid_twice`: rupiah that may have to go back to the customer; else 0. */
	twice: Rupiah;
	/**
	 * The received payments as the customer sees them: those made elsewhere, then this kiosk's.
	 * Their sum is `received`.
	 */
	entries: CashEntry[];
	/** Given back beyond what was received, until staff review it. */
	short: Rupiah;
	/** Why staff must decide, as a sentence; else ''. */
	why: string;
}

/** @returns what this kiosk certainly holds, rupiah */
export const ownOf = ({ notes, cards, ...given }: MoneyFacts): Rupiah =>
	remaining(sumRupiah([sumOf(notes), sumOf(cards)]), deductedOf(given));

/** @returns the part of the money given back that is deducted from the kiosk's own money, rupiah */
const deductedOf = ({ givenBack, mayBeLost = rupiah(0) }: Pick<MoneyFacts, 'givenBack' | 'mayBeLost'>): Rupiah =>
	remaining(givenBack, mayBeLost);

/** @returns the sum of these notes or listed payments, rupiah */
export const sumOf = (entries: readonly { nominal: Rupiah }[]): Rupiah => sumRupiah(entries.map(({ nominal }) => nominal));

/**
 * The rule, in this order:
 * 1. Own money is received, less the amount given back.
 * 2. A listed payment that names one of our notes counts as that note. One with an id that no kiosk
 * made may be a note that the server has not confirmed yet.
 * 3. Without names, sums decide: the list contains everything that the server had confirmed before
 * it was asked. It contains all of our card sales or none; a part of them that is not explained by
 * a give-back is a dispute. The surplus in the list was paid elsewhere, except what we may have
 * reported meanwhile. A payment that an earlier list showed to be paid elsewhere stays one while it
 * is listed.
 * 4. A list that gives one of our notes more than its value, or names a note that we hold for
 * another invoice, is a dispute, even if the server reports "paid".
 * 5. A list smaller than the confirmed amount (less what was given back) is a dispute.
 * 6. Money of an earlier version that may be unknown to the server is a dispute until the server
 * reports "paid".
 * 7. Giving back more than was received is a dispute until staff review it.
 * 8. "Paid" from the server means that the total was received; the part that we cannot have
 * reported was paid elsewhere. A later "unpaid" is believed if the total has grown and the list
 * still holds what was paid elsewhere; else it is a dispute. An "unpaid" is also a dispute if the
 * server has confirmed notes for the whole total.
 */
export function balanceOf(facts: MoneyFacts): Balance {
	const { view, claim, total, notes, cards, returnedCounted = rupiah(0) } = facts;
	const own = ownOf(facts);
	const list = view
		? elsewhereIn(view, facts)
		: { elsewhere: claim?.elsewhere ?? rupiah(0), missing: rupiah(0), unclear: rupiah(0), withoutCards: rupiah(0), mayBeOurs: rupiah(0) };
	const saidElsewhere = view?.is_paid ? remaining(view.total, view.own.told) : rupiah(0);
	const claimed = view?.is_paid && claim ? remaining(claim.elsewhere, remaining(claim.total, view.total)) : rupiah(0);
	const elsewhere = rupiah(Math.max(list.elsewhere, remaining(rupiah(Math.max(saidElsewhere, claimed)), returnedCounted)));
	const received = sumRupiah([own, elsewhere]);
	const saysPaid = view?.is_paid === true && view.total >= total;
	// "Paid" explains a list without our card sales: the other payment in the list and our money
	// make up the total.
	const isExplained = saysPaid && list.withoutCards >= elsewhere && remaining(list.withoutCards, list.mayBeOurs) <= elsewhere;
	const listedElsewhere = isExplained ? elsewhere : list.elsewhere;
	const base = {
		total,
		received,
		elsewhere,
		elsewhereListed: view ? listedElsewhere : rupiah(0),
		due: saysPaid ? rupiah(0) : remaining(total, received),
		excess: remaining(received, total),
		twice: rupiah(0),
		entries: entriesOf(facts, elsewhere),
		short: facts.short ?? rupiah(0),
		why: '',
	};
	const contradiction =
		explainWrongValue(view, notes) ??
		explainForeignNote(facts) ??
		(saysPaid ? givenBackUnseen(facts, received) : (explainUnassigned(facts) ?? contradictionOf(facts, list, received)));
	// One review by staff may end both the shortage and the contradiction, so the sentence names
	// both.
	const why = [explainShortage(facts), contradiction].filter((one) => one !== null).join('; ');
	if (why !== '') return { ...base, state: 'dispute', why };
	const covered = received > 0 && received >= total;
	if (!saysPaid && !covered) return { ...base, state: own > 0 ? 'partial' : 'open' };
	const twice = paidTwiceOf(base.excess, { elsewhere, listed: listedElsewhere, own, cards: sumOf(cards), last: lastNote(facts) });
	if (twice === 0) return { ...base, state: 'paid' };
	return { ...base, state: 'paid_twice', twice, why: 'money came in by more than one way for the same amount' };
}

/** Rupiah in the list beyond our own money. */
interface ListedBeyond {
	elsewhere: Rupiah;
	/** Confirmed notes that are missing in the list. */
	missing: Rupiah;
	/** Part of the list that is either some of our card sales or another payment. */
	unclear: Rupiah;
	/** Paid elsewhere if the list has none of our confirmed card sales; 0 without such sales. */
	withoutCards: Rupiah;
	/** Part of the list that may be ours, not confirmed yet. */
	mayBeOurs: Rupiah;
}

/** Kiosks give each note an id of this form; another kiosk's note is never ours. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type ListFacts = Pick<MoneyFacts, 'notes' | 'givenBack' | 'returnedListed' | 'removed'>;

function elsewhereIn(view: InvoiceView, facts: ListFacts): ListedBeyond {
	const { notes, returnedListed = rupiah(0), removed = rupiah(0) } = facts;
	const own = view.ownAtList ?? view.own;
	const { cards_confirmed, nameless } = own;
	// What the cashier has removed counts neither as listed nor as missing.
	const [notes_confirmed, told] = [remaining(own.notes_confirmed, removed), remaining(own.told, removed)];
	const givenBack = remaining(facts.givenBack, removed);
	const isOwn = namesOneOf(notes);
	const listed = remaining(sumOf(view.listed), returnedListed);
	const named = sumOf(view.listed.filter(isOwn));
	const isNamed = view.listed.some(({ note_id }) => note_id !== null);
	// Money given back is deducted from what the list lacks, and not from what it must contain:
	// otherwise each give-back would look like a payment made elsewhere of the same amount.
	const missing = remaining(remaining(notes_confirmed, isNamed ? named : listed), givenBack);
	const beyond = remaining(listed, isNamed ? named : notes_confirmed);
	// No list gives the ids of our card sales, and most lists do not give the ids of our notes.
	const unconfirmed = remaining(told, sumRupiah([notes_confirmed, cards_confirmed]));
	// A server that uses ids of its own may list one of our notes under such an id.
	const otherIds = sumOf(view.listed.filter((entry) => entry.note_id !== null && !isOwn(entry) && !UUID.test(entry.note_id)));
	const mayBeOurs = isNamed
		? rupiah(Math.max(remaining(nameless ?? remaining(told, named), cards_confirmed), Math.min(otherIds, unconfirmed)))
		: unconfirmed;
	// A note that staff moved to this invoice may count as paid elsewhere in an earlier statement.
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
 * A list does not tell which of its entries are our card sales. But an entry that an earlier list
 * showed to be paid elsewhere is none of the sales reported since, as long as it stays in the list.
 * @param before the previous statement @param listed the new list
 * @returns the part of the new list that the previous statements showed to be paid elsewhere
 */
export function keptElsewhere(before: InvoiceView, listed: readonly ListedPayment[], facts: ListFacts): Rupiah {
	// An entry that names a note of the invoice was not counted as paid elsewhere.
	const isOwn = namesOneOf(facts.notes);
	const gone = goneFrom(before.listed, listed).filter((entry) => !isOwn(entry));
	return remaining(elsewhereIn(before, facts).elsewhere, sumOf(gone));
}

/**
 * @returns the entries of an earlier list that are not in the later one; of equal entries, as many
 * as the later list has fewer
 */
export function goneFrom(before: readonly ListedPayment[], listed: readonly ListedPayment[]): ListedPayment[] {
	// Counts instead of comparing each pair: a list may have a thousand entries.
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
 * @param givenBack money of this number, rupiah, which the cashier may have removed from the list
 * @returns the most that the list may contain of the invoice's money under other numbers, rupiah
 */
function roomForOther(view: InvoiceView, givenBack: Rupiah): Rupiah {
	const { notes_confirmed, cards_confirmed } = view.ownAtList ?? view.own;
	const confirmed = sumRupiah([notes_confirmed, listsCards(view) ? cards_confirmed : rupiah(0)]);
	return remaining(sumOf(view.listed), remaining(confirmed, givenBack));
}

/**
 * Whether the list holds the card sales that the back office had confirmed: it holds all or none.
 */
export function listsCards({ listed, own, ownAtList, elsewhereKept }: InvoiceView): boolean {
	const { notes_confirmed, cards_confirmed } = ownAtList ?? own;
	const unnamed = remaining(sumOf(listed.filter(({ note_id }) => note_id === null)), elsewhereKept ?? rupiah(0));
	const isNamed = listed.some(({ note_id }) => note_id !== null);
	return cards_confirmed > 0 && (isNamed ? unnamed : remaining(unnamed, notes_confirmed)) >= cards_confirmed;
}

/** @returns a function that tells whether a listed payment names one of these notes */
function namesOneOf(notes: readonly OwnCash[]): (entry: ListedPayment) => boolean {
	const ids = new Set(notes.map(({ note_id }) => note_id));
	return ({ note_id }) => note_id !== null && ids.has(note_id);
}

/** @returns the entries after removing one match for each of `others` */
function withoutMatches<Entry, Other>(
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
 * Identifies an entry. A server may write its time with another offset in each answer, or without
 * one: in all of Indonesia that changes only date and hour.
 */
const entryOf = ({ nominal, note_id, time }: ListedPayment): string => JSON.stringify([nominal, note_id, MINUTE.exec(time)?.[1] ?? time]);

/** Minute and second of a time. */
const MINUTE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:(\d{2}:\d{2})/;

/**
 * @returns the shortage as a sentence, or null. A shortage arises when staff gave the money of a
 * card sale back in cash and then learned that the card was not charged. Without this sentence it
 * would appear nowhere, because own money is never below zero
 */
export const explainShortage = ({ short = rupiah(0) }: Pick<MoneyFacts, 'short'>): string | null =>
	short > 0 ? `Rp ${short} more was given back than this kiosk received` : null;

/**
 * @returns a contradiction as a sentence, or null. Neither a give-back nor a void is reported to
 * the back office, so its "paid" may include returned money
 */
function givenBackUnseen({ givenBack, undone = rupiah(0), total }: MoneyFacts, received: Rupiah): string | null {
	const back = sumRupiah([givenBack, undone]);
	return back > 0 && received < total ? `the back office says paid and counts Rp ${back} that was given back` : null;
}

/**
 * @returns why the list contradicts itself about one of our notes, each of which has one fixed
 * value
 */
function explainWrongValue(view: InvoiceView | null, notes: readonly OwnCash[]): string | null {
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
const explainForeignNote = ({ strange }: MoneyFacts): string | null =>
	strange ? `the back office lists a note of Rp ${strange.nominal} that was taken for ${strange.noinvoice}` : null;

/**
 * @returns a sentence about unassigned money, or null. Such money is a dispute, because otherwise
 * the customer would pay the same amount again
 */
const explainUnassigned = ({ unassigned = rupiah(0) }: MoneyFacts): string | null =>
	unassigned > 0 ? `an earlier version took Rp ${unassigned} and did not record the account, so the back office may not know it` : null;

function contradictionOf({ view, claim, total, givenBack, underOther }: MoneyFacts, list: ListedBeyond, received: Rupiah): string | null {
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

/**
 * @returns the part of an excess that may have to go back because the invoice was paid twice,
 * rupiah. If only notes were received, all of the excess is change. With payments elsewhere, but no
 * card sale, an excess is change if it is smaller than `last`, the value from `lastNote`. The
 * server's "paid" alone does not tell how much of our money it includes, so possibly all of our
 * money must be given back
 */
function paidTwiceOf(excess: Rupiah, of: { elsewhere: Rupiah; listed: Rupiah; own: Rupiah; cards: Rupiah; last: number }): Rupiah {
	if (excess === 0) return of.own > 0 && of.elsewhere > of.listed ? of.own : excess;
	const onlyNotes = of.cards === 0 && of.elsewhere === 0;
	return onlyNotes || (of.cards === 0 && excess < of.last) ? rupiah(0) : excess;
}

/**
 * Value of the newest note: our newest note less the money given back after it, or, if the kiosk
 * holds no money, the newest payment in the server's list. 0 if a payment elsewhere came after our
 * newest note: its change may have been given there, for example by another kiosk.
 */
function lastNote({ notes, cards, view, givenBack }: MoneyFacts): number {
	const last = notes.at(-1);
	if (!last) return cards.length > 0 ? 0 : (view?.listed.at(-1)?.nominal ?? 0);
	if (isFollowedElsewhere(view, notes, last)) return 0;
	return last.beforeGiveBack ? remaining(last.nominal, givenBack) : last.nominal;
}

/** A date of the server that can be compared with its other dates. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:/;

/**
 * Whether the list shows that another payment came after our last note. Without the note's id or
 * readable times the list does not tell the order.
 */
function isFollowedElsewhere(view: InvoiceView | null, notes: readonly OwnCash[], last: OwnCash): boolean {
	const isOwn = namesOneOf(notes);
	const timeOf = (time: string): number => (ISO_TIME.test(time) ? Date.parse(time) : Number.NaN);
	const listed = view?.listed ?? [];
	const at = timeOf(listed.find(({ note_id }) => note_id === last.note_id)?.time ?? '');
	// Staff may have entered a note of ours by hand, later and without its id.
	const named = new Set(listed.map(({ note_id }) => note_id));
	const unnamed = notes.filter(({ note_id }) => !named.has(note_id));
	const others = withoutMatches(
		listed.filter((entry) => !isOwn(entry)),
		unnamed,
		(entry, note) => entry.note_id === null && entry.nominal === note.nominal,
	);
	return others.some(({ time }) => timeOf(time) > at);
}

function entriesOf({ view, notes, cards, ...given }: MoneyFacts, elsewhere: Rupiah): CashEntry[] {
	const givenBack = deductedOf(given);
	const foreign = foreignEntries(view?.listed ?? [], [...notes, ...cards], elsewhere);
	const own = [...cards, ...notes.map(({ note_id, nominal, time }) => ({ note_id, nominal, time }))];
	if (givenBack === 0) return [...foreign, ...own];
	// It is unknown which notes were given back, so the remaining amount is one entry.
	const before = [...cards, ...notes.filter(({ beforeGiveBack }) => beforeGiveBack)];
	// If these payments add up to less than was given back, one of them may have been moved to
	// another invoice since.
	const [earlier, kept] = sumOf(before) < givenBack ? [own, []] : [before, notes.filter(({ beforeGiveBack }) => !beforeGiveBack)];
	const left = remaining(sumOf(earlier), givenBack);
	const later = kept.map(({ note_id, nominal, time }) => ({ note_id, nominal, time }));
	return [...foreign, ...(left > 0 ? [{ note_id: null, nominal: left, time: earlier.at(-1)?.time ?? '' }] : []), ...later];
}

/**
 * Listed payments that match none of ours, if they sum up to the amount paid elsewhere; else one
 * entry with that amount.
 */
function foreignEntries(listed: readonly ListedPayment[], own: readonly CashEntry[], elsewhere: Rupiah): CashEntry[] {
	if (elsewhere === 0) return [];
	const foreign = withoutMatches(listed, own, (entry, one) =>
		entry.note_id === null ? one.nominal === entry.nominal : one.note_id === entry.note_id,
	);
	if (sumOf(foreign) === elsewhere) return foreign.map(({ nominal, time }) => ({ note_id: null, nominal, time }));
	return [{ note_id: null, nominal: elsewhere, time: listed.at(-1)?.time ?? '' }];
}
