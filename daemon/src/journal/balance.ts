/**
 * What is received for an invoice and what is due. Two witnesses know of it: this kiosk, which holds its own notes and card sales,
 * and the back office, which lists payments. Their sums overlap, so they are never added up as they are.
 */
import type { CashEntry } from '../../contract/kiosk-api.ts';
import { type Rupiah, remaining, rupiah, sumRupiah } from '../../contract/money.ts';
import type { ListedPayment, OwnAtAnswer } from './records.ts';

/** The newest word of the back office on one invoice. */
export interface InvoiceView {
	/** Rupiah. */
	total: Rupiah;
	is_paid: boolean;
	listed: readonly ListedPayment[];
	own: OwnAtAnswer;
}

/** The back office said that the invoice was paid when its total was `total`; `elsewhere` of it cannot have been this kiosk's. */
export interface PaidClaim {
	total: Rupiah;
	elsewhere: Rupiah;
}

export interface OwnCash extends CashEntry {
	note_id: string;
	/** Taken before money was given back for this invoice for the last time. */
	beforeGiveBack: boolean;
}

/** Everything that is known of the money of one invoice; amounts in rupiah. */
export interface MoneyFacts {
	/** null: only the journal knows the invoice. */
	view: InvoiceView | null;
	/** The largest total for which the back office has said "paid" since staff last reviewed the invoice. */
	claim: PaidClaim | null;
	/** The invoice's total as it is known best. */
	total: Rupiah;
	/** Credited notes of this kiosk, oldest first. */
	notes: readonly OwnCash[];
	/** Approved card sales of this kiosk that were not voided, oldest first. */
	cards: readonly CashEntry[];
	givenBack: Rupiah;
}

/**
 * `dispute`: the two witnesses contradict each other, so nothing is taken and nothing is called paid until staff decide.
 * `paid_twice`: more than the total came in by more than one way, or may have; that is no change of notes.
 */
export type BalanceState = 'open' | 'partial' | 'paid' | 'paid_twice' | 'dispute';

export interface Balance {
	state: BalanceState;
	total: Rupiah;
	received: Rupiah;
	/** Part of `received` that was paid elsewhere; `elsewhereListed` of it is in the list, the rest is only called paid. */
	elsewhere: Rupiah;
	elsewhereListed: Rupiah;
	due: Rupiah;
	/** Received beyond the total. */
	excess: Rupiah;
	/** Rupiah that may belong back to the customer, with `paid_twice`; else 0. */
	twice: Rupiah;
	/** What was received, for the customer: payments made elsewhere, then this kiosk's. They sum up to `received`. */
	entries: CashEntry[];
	/** Why staff must look, in words; '' where they need not. */
	why: string;
}

const sumOf = (entries: readonly { nominal: Rupiah }[]): Rupiah => sumRupiah(entries.map(({ nominal }) => nominal));

/**
 * The rule, in this order:
 * 1. Own money is received, less what was given back.
 * 2. A listed payment that names one of our notes is that note.
 * 3. Without names, sums decide: what the server had confirmed before it was asked is in its list. Card sales are in it as a whole
 *    or not at all; less than all of them, and not by what was given back, is a dispute. What is listed beyond that was paid
 *    elsewhere, unless we may have told the server of it meanwhile.
 * 4. A list with more for one of our notes than the note is worth is a dispute, also when it says "paid".
 * 5. A list that is smaller than what was confirmed (less what was given back) is a dispute.
 * 6. "Paid" from the server means the total was received; what we cannot have told it of was paid elsewhere. "Unpaid" after that
 *    is believed when the total has grown and the rest adds up; else it is a dispute.
 */
export function balanceOf(facts: MoneyFacts): Balance {
	const { view, claim, total, notes, cards, givenBack } = facts;
	const own = remaining(sumRupiah([sumOf(notes), sumOf(cards)]), givenBack);
	const list = view
		? elsewhereIn(view, notes, givenBack)
		: { elsewhere: claim?.elsewhere ?? rupiah(0), missing: rupiah(0), unclear: rupiah(0) };
	const saidElsewhere = view?.is_paid ? remaining(view.total, view.own.told) : rupiah(0);
	const claimed = view?.is_paid && claim ? remaining(claim.elsewhere, remaining(claim.total, view.total)) : rupiah(0);
	const elsewhere = rupiah(Math.max(list.elsewhere, saidElsewhere, claimed));
	const received = sumRupiah([own, elsewhere]);
	const saysPaid = view?.is_paid === true && view.total >= total;
	const base = {
		total,
		received,
		elsewhere,
		elsewhereListed: view ? list.elsewhere : rupiah(0),
		due: saysPaid ? rupiah(0) : remaining(total, received),
		excess: remaining(received, total),
		twice: rupiah(0),
		entries: entriesOf(facts, elsewhere),
		why: '',
	};
	const contradiction = misnamed(view, notes) ?? (saysPaid ? givenBackUnseen(facts, received) : contradictionOf(facts, list, received));
	if (contradiction !== null) return { ...base, state: 'dispute', why: contradiction };
	const covered = received > 0 && received >= total;
	if (!saysPaid && !covered) return { ...base, state: own > 0 ? 'partial' : 'open' };
	const twice = paidTwice(base.excess, { elsewhere, listed: list.elsewhere, own, cards: sumOf(cards), last: lastNote(facts) });
	if (twice === 0) return { ...base, state: 'paid' };
	return { ...base, state: 'paid_twice', twice, why: 'money came in by more than one way for the same amount' };
}

/** What the list says beyond our own money, rupiah. */
interface ListedBeyond {
	elsewhere: Rupiah;
	/** What it lacks of the notes that were confirmed. */
	missing: Rupiah;
	/** What may be some of our card sales or another payment. */
	unclear: Rupiah;
}

function elsewhereIn(view: InvoiceView, notes: readonly OwnCash[], givenBack: Rupiah): ListedBeyond {
	const { notes_confirmed, cards_confirmed, told } = view.own;
	const ids = new Set(notes.map(({ note_id }) => note_id));
	const listed = sumOf(view.listed);
	const named = sumOf(view.listed.filter(({ note_id }) => note_id !== null && ids.has(note_id)));
	const isNamed = view.listed.some(({ note_id }) => note_id !== null);
	const expected = listed < notes_confirmed ? remaining(notes_confirmed, givenBack) : notes_confirmed;
	const missing = isNamed ? remaining(remaining(notes_confirmed, named), givenBack) : remaining(expected, listed);
	const beyond = remaining(listed, isNamed ? named : expected);
	// Card sales have no names in any list, and notes have none in most.
	const mayBeOurs = remaining(told, sumRupiah([isNamed ? named : notes_confirmed, cards_confirmed]));
	if (beyond >= cards_confirmed)
		return { elsewhere: remaining(remaining(beyond, cards_confirmed), mayBeOurs), missing, unclear: rupiah(0) };
	const isWithoutGivenBack = beyond >= remaining(cards_confirmed, givenBack);
	return { elsewhere: rupiah(0), missing, unclear: isWithoutGivenBack ? rupiah(0) : beyond };
}

/** The back office is not told of money that was given back: what it calls paid may count it. */
const givenBackUnseen = ({ givenBack, total }: MoneyFacts, received: Rupiah): string | null =>
	givenBack > 0 && received < total ? `the back office says paid and counts Rp ${givenBack} that was given back` : null;

/** @returns why the list contradicts itself about one of our notes, which was one note of one value */
function misnamed(view: InvoiceView | null, notes: readonly OwnCash[]): string | null {
	for (const { note_id, nominal } of notes) {
		const said = (view?.listed ?? []).filter((one) => one.note_id === note_id);
		const sum = sumOf(said);
		if (said.length > 0 && sum > nominal) return `the back office lists Rp ${sum} for a note of Rp ${nominal}`;
	}
	return null;
}

function contradictionOf({ view, claim, total }: MoneyFacts, list: ListedBeyond, received: Rupiah): string | null {
	if (!view) return null;
	if (list.missing > 0) return `the back office lists Rp ${list.missing} less than it has confirmed`;
	if (list.unclear > 0) return `the back office lists Rp ${list.unclear}, which may be part of the card sales or another payment`;
	if (total > 0 && list.elsewhere >= total && received === list.elsewhere)
		return `the back office lists Rp ${list.elsewhere} and says unpaid`;
	if (!claim) return null;
	if (list.elsewhere < claim.elsewhere) return `the back office said that Rp ${claim.total} was paid and does not list it any more`;
	if (total <= claim.total && received >= total) return `the back office said that Rp ${claim.total} was paid and says unpaid now`;
	return null;
}

/**
 * Less than the last note beyond the total is change, and so is all of it where nothing but notes came in. The server's word alone
 * does not say how much of our money was in what it called paid: then all of ours may belong back.
 */
function paidTwice(excess: Rupiah, of: { elsewhere: Rupiah; listed: Rupiah; own: Rupiah; cards: Rupiah; last: number }): Rupiah {
	if (excess === 0) return of.own > 0 && of.elsewhere > of.listed ? of.own : excess;
	const onlyNotes = of.cards === 0 && of.elsewhere === 0;
	return onlyNotes || (of.cards === 0 && excess < of.last) ? rupiah(0) : excess;
}

/** The newest note: ours, or where we have taken nothing the newest payment that the server lists. */
const lastNote = ({ notes, cards, view }: MoneyFacts): number =>
	notes.at(-1)?.nominal ?? (cards.length > 0 ? 0 : (view?.listed.at(-1)?.nominal ?? 0));

function entriesOf({ view, notes, cards, givenBack }: MoneyFacts, elsewhere: Rupiah): CashEntry[] {
	const foreign = foreignEntries(view?.listed ?? [], [...notes, ...cards], elsewhere);
	const own = [...cards, ...notes.map(({ note_id, nominal, time }) => ({ note_id, nominal, time }))];
	if (givenBack === 0) return [...foreign, ...own];
	// Which notes came back to the customer is not known, so what is left of them is one entry.
	const earlier = [...cards, ...notes.filter(({ beforeGiveBack }) => beforeGiveBack)];
	const left = remaining(sumOf(earlier), givenBack);
	const later = notes.filter(({ beforeGiveBack }) => !beforeGiveBack).map(({ note_id, nominal, time }) => ({ note_id, nominal, time }));
	return [...foreign, ...(left > 0 ? [{ note_id: null, nominal: left, time: earlier.at(-1)?.time ?? '' }] : []), ...later];
}

/** Listed payments that look like none of ours, where they are exactly what was paid elsewhere; else one entry with the sum. */
function foreignEntries(listed: readonly ListedPayment[], own: readonly CashEntry[], elsewhere: Rupiah): CashEntry[] {
	if (elsewhere === 0) return [];
	const ours = own.map(({ note_id, nominal }) => ({ note_id, nominal }));
	const foreign = listed.filter(({ note_id, nominal }) => {
		const at = ours.findIndex((one) => (note_id === null ? one.nominal === nominal : one.note_id === note_id));
		if (at >= 0) ours.splice(at, 1);
		return at < 0;
	});
	if (sumOf(foreign) === elsewhere) return foreign.map(({ nominal, time }) => ({ note_id: null, nominal, time }));
	return [{ note_id: null, nominal: elsewhere, time: listed.at(-1)?.time ?? '' }];
}
