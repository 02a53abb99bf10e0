/** The facts about the money of an invoice. */
import type { CashEntry } from '@kiosk/contract/kiosk-api';
import { type Rupiah, sumRupiah } from '@kiosk/contract/money';
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
	/** Part of `listed` that earlier lists showed to be paid elsewhere. */
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
	/** Whether the note was taken before the last give-back for this invoice. */
	beforeGiveBack: boolean;
}

/** All facts about the money of an invoice; amounts in rupiah. */
export interface MoneyFacts {
	/** The newest statement of the back office; null if the journal has none. */
	view: InvoiceView | null;
	/** The back office's newest "paid" since the last review by staff; null if there is none. */
	claim: PaidClaim | null;
	/** The last known total of the invoice. */
	total: Rupiah;
	/** Credited notes of this kiosk, oldest first. */
	notes: readonly OwnCash[];
	/** Approved card sales of this kiosk that were not voided, oldest first. */
	cards: readonly CashEntry[];
	/** Amount given back, limited to the amount that this kiosk received or may have received. */
	givenBack: Rupiah;
	/**
	 * Part of `givenBack` that this kiosk never received, if none of its unknown card sales was
	 * charged. This part is not deducted, because a deduction would hide money that the customer has
	 * paid since.
	 */
	mayBeLost?: Rupiah;
	/** Amount given back beyond `givenBack` that staff have not reviewed since. */
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
	/** A note in the server's list that this kiosk holds for another invoice. */
	strange?: StrangeNote | null;
	/** Money that this kiosk holds for the same invoice under other numbers. */
	underOther?: HeldUnderOther | null;
}

/**
 * Money of the invoice under other numbers, taken since the last review, and one of these numbers.
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

/** @returns the sum of these notes or listed payments, rupiah */
export const sumOf = (entries: readonly { nominal: Rupiah }[]): Rupiah => sumRupiah(entries.map(({ nominal }) => nominal));
