/**
 * Received and due amount of an invoice, from two sources: this kiosk's own notes and card sales,
 * and the payments that the back office lists. A payment can be in both sources, so their sums are
 * never simply added.
 */
import type { CashEntry } from '@kiosk/contract/kiosk-api';
import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import {
	contradictionOf,
	explainForeignNote,
	explainShortage,
	explainUnassigned,
	explainWrongValue,
	givenBackUnseen,
} from './dispute-reasons.ts';
import { elsewhereIn, namesOneOf, withoutMatches } from './listed-payments.ts';
import { type InvoiceView, type MoneyFacts, type OwnCash, sumOf } from './money-facts.ts';
import type { ListedPayment } from './records.ts';

/**
 * `dispute`: usually the back office's statement contradicts the kiosk's own records. Until the
 * dispute ends, the kiosk takes no money and does not count the invoice as paid. `paid_twice`: the
 * kiosk knows or suspects that more than the total was received, and the excess is more than the
 * change owed for notes.
 */
export type BalanceState = 'open' | 'partial' | 'paid' | 'paid_twice' | 'dispute';

/** @returns whether at least the total was received */
export const isPaidState = (state: BalanceState): boolean => state === 'paid' || state === 'paid_twice';

export interface Balance {
	state: BalanceState;
	total: Rupiah;
	received: Rupiah;
	/**
	 * Part of `received` that was paid elsewhere. `elsewhereListed`: the part of this amount that the
	 * list contains. The rest of `elsewhere` is known only from the server's "paid".
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
	/** Amount given back in excess of the amount received; 0 after a review by staff. */
	short: Rupiah;
	/** Why staff must decide, as a sentence; else ''. */
	why: string;
}

/** @returns the money of the invoice that this kiosk certainly holds, rupiah */
export const ownOf = ({ notes, cards, ...given }: MoneyFacts): Rupiah =>
	remaining(sumRupiah([sumOf(notes), sumOf(cards)]), deductedOf(given));

/** @returns the part of the money given back that is deducted from the kiosk's own money, rupiah */
const deductedOf = ({ givenBack, mayBeLost = rupiah(0) }: Pick<MoneyFacts, 'givenBack' | 'mayBeLost'>): Rupiah =>
	remaining(givenBack, mayBeLost);

/**
 * The rule, in this order:
 * 1. Own money counts as received, less the amount given back.
 * 2. A listed payment that names one of our notes counts as that note. A listed payment with an id
 *    that no kiosk made may be one of our notes that the server has not confirmed yet.
 * 3. Without note ids, sums decide. The list must contain all notes that the server had confirmed
 *    before the kiosk asked, and all of the confirmed card sales or none. If it contains only a
 *    part of the card sales, and neither a give-back nor a "paid" explains the difference, the
 *    invoice is in dispute. The other money in the list was paid elsewhere, except money of this
 *    kiosk that the server may have booked without confirming it. A payment that an earlier list
 *    showed to be paid elsewhere still counts as paid elsewhere while it is listed.
 * 4. A list that gives one of our notes more than its value, or names a note that we hold for
 *    another invoice, is a dispute, even if the server reports "paid".
 * 5. Unless the server reports "paid", a list is a dispute if the confirmed notes that it lacks
 *    exceed the amount given back, or if it lacks money that this kiosk holds under another number
 *    of the invoice.
 * 6. Money that an earlier version of the daemon took, and that the server may not know, is a
 *    dispute until staff assign it or the server reports "paid".
 * 7. Giving back more than was received is a dispute until staff review it.
 * 8. "Paid" from the server means that the total was received; the part that we cannot have
 *    reported was paid elsewhere. A later "unpaid" is accepted if the total has grown and the list
 *    still contains the payments made elsewhere; else it is a dispute. An "unpaid" is also a
 *    dispute if the server has confirmed notes for the whole total, or lists the whole total while
 *    this kiosk holds no money for the invoice.
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
	// The server's "paid" explains why the list lacks our card sales: the payment elsewhere in the
	// list and our money together make up the total.
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

/**
 * @returns the part of an excess that may have to go back because the invoice was paid twice,
 * rupiah. If only notes were received, all of the excess is change. With payments elsewhere, but no
 * card sale, an excess is change if it is smaller than `last`, the value from `lastNote`. If only
 * the server's "paid" shows the payment elsewhere, it is unknown how much of our money this "paid"
 * includes, so possibly all of our money must be given back
 */
function paidTwiceOf(excess: Rupiah, of: { elsewhere: Rupiah; listed: Rupiah; own: Rupiah; cards: Rupiah; last: number }): Rupiah {
	if (excess === 0) return of.own > 0 && of.elsewhere > of.listed ? of.own : excess;
	const onlyNotes = of.cards === 0 && of.elsewhere === 0;
	return onlyNotes || (of.cards === 0 && excess < of.last) ? rupiah(0) : excess;
}

/**
 * Value of our newest note, less the money given back after it. If this kiosk took neither notes
 * nor card sales, it is the value of the newest payment in the server's list. It is 0 if this kiosk
 * took only card sales, or if a payment elsewhere came after our newest note, because the change
 * may have been given there, for example by another kiosk.
 */
function lastNote({ notes, cards, view, givenBack }: MoneyFacts): number {
	const last = notes.at(-1);
	if (!last) return cards.length > 0 ? 0 : (view?.listed.at(-1)?.nominal ?? 0);
	if (isFollowedElsewhere(view, notes, last)) return 0;
	return last.beforeGiveBack ? remaining(last.nominal, givenBack) : last.nominal;
}

/** Only times of this form in the server's list can be compared with each other. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:/;

/**
 * Whether the list shows that another payment came after our last note. False if the list lacks the
 * note's id or readable times, because the order is then unknown.
 */
function isFollowedElsewhere(view: InvoiceView | null, notes: readonly OwnCash[], last: OwnCash): boolean {
	const isOwn = namesOneOf(notes);
	const timeOf = (time: string): number => (ISO_TIME.test(time) ? Date.parse(time) : Number.NaN);
	const listed = view?.listed ?? [];
	const at = timeOf(listed.find(({ note_id }) => note_id === last.note_id)?.time ?? '');
	// Staff may have entered one of our notes by hand. Such an entry has a later time and no note id.
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
	// If these payments add up to less than was given back, staff may have moved one of them to
	// another invoice since.
	const [earlier, kept] = sumOf(before) < givenBack ? [own, []] : [before, notes.filter(({ beforeGiveBack }) => !beforeGiveBack)];
	const left = remaining(sumOf(earlier), givenBack);
	const later = kept.map(({ note_id, nominal, time }) => ({ note_id, nominal, time }));
	return [...foreign, ...(left > 0 ? [{ note_id: null, nominal: left, time: earlier.at(-1)?.time ?? '' }] : []), ...later];
}

/**
 * @returns the listed payments that match none of ours, if they sum up to the amount paid
 * elsewhere; else one entry with that amount.
 */
function foreignEntries(listed: readonly ListedPayment[], own: readonly CashEntry[], elsewhere: Rupiah): CashEntry[] {
	if (elsewhere === 0) return [];
	const foreign = withoutMatches(listed, own, (entry, one) =>
		entry.note_id === null ? one.nominal === entry.nominal : one.note_id === entry.note_id,
	);
	if (sumOf(foreign) === elsewhere) return foreign.map(({ nominal, time }) => ({ note_id: null, nominal, time }));
	return [{ note_id: null, nominal: elsewhere, time: listed.at(-1)?.time ?? '' }];
}
