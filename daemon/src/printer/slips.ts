import type { Id } from '@kiosk/contract/back-office';
import { rupiah, sumRupiah } from '@kiosk/contract/money';
import { referenceOf } from '@kiosk/contract/reference';
import { sameId } from '@kiosk/contract/same-id';
import { receivedOf, type Session } from '../cash/cash-state.ts';
import { isPaidState } from '../journal/balance.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { LastCount } from '../journal/cash-book.ts';
import type { Journal } from '../journal/journal.ts';
import { type GivenSlip, secondNameIn } from '../journal/print-book.ts';
import { type Payment, type PaymentKey, paymentKey, sameAccount } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import type { PrintDesk } from './print-desk.ts';
import { collectionSlipRows, givenSlipRows, partialSlipRows, unknownSaleRows } from './slip-rows.ts';

/** Prints slips. Does nothing without a printer. */
export interface Slips {
	/**
	 * Prints a slip if the inserted money does not cover the invoice and no slip about this money was
	 * printed.
	 */
	onCustomerLeft(session: Session): void;
	/**
	 * Prints the slip of the invoice's unknown sale, only once even if the daemon restarts. Call it
	 * when the screen shows the card page of this invoice, because the customer is present then.
	 */
	onCardShown(id: Id): void;
	/** Prints the slip that the customer signs for money that staff gave back. */
	givenBack(given: GivenSlip, payment: Payment): void;
	/** Prints the slip for the money of a counted cashbox. */
	collected(count: LastCount): void;
	/** Whether there is a printer. */
	hasPrinter(): boolean;
}

export function startSlips(deps: {
	journal: Journal;
	/** Returns null without a printer. This is a function, because the desk is created later. */
	desk: () => PrintDesk | null;
	ahass: string;
	/** The account that is logged in, or null. */
	account: () => Payment['account'];
	/**
	 * @param time ISO 8601; absent for the current time
	 * @returns the time as DD-MM-YYYY HH:mm in the site's time zone
	 */
	tanggal: (time?: string) => string;
}): Slips {
	const { journal, ahass } = deps;
	/**
	 * Unknown sales for which a slip was begun since the daemon's start. If the slip fails, e.g. for
	 * lack of paper, it must not be retried at every report of the screen.
	 */
	const tried = new Set<string>();
	return {
		onCustomerLeft({ payment, entries, paid }) {
			const key = paymentKey(payment);
			if (!journal.cashbox.slipDue(key)) return;
			// The total may have changed since the session began to close.
			const books = isClosed(journal.trouble()) ? null : journal.money.balanceOf(key);
			const known = books?.state === 'dispute' ? null : books;
			if (known ? isPaidState(known.state) : paid !== 'no') return;
			const received = known?.received ?? receivedOf(entries);
			const notes = journal.notesOf(key);
			// Notes from before a restart are included, because the customer has no other printout about
			// them.
			const inDoubt = notes.flatMap(({ state, nominal }) => (state === 'in_doubt' && nominal !== null ? [nominal] : []));
			deps.desk()?.slip(
				{ id: payment.id, key },
				partialSlipRows({
					ahass,
					tanggal: deps.tanggal(),
					noinvoice: payment.noinvoice,
					reference: referenceOf(notes.at(-1)?.note_id ?? ''),
					total: known?.total ?? payment.total,
					received,
					inDoubt: sumRupiah(inDoubt),
				}),
				{ kind: 'partial', noinvoice: payment.noinvoice, amount: received, change: rupiah(0) },
			);
		},
		onCardShown(id) {
			const account = deps.account();
			const isShown = ({ payment }: CardSale) => payment !== null && sameId(payment.id, id) && sameAccount(payment.account, account);
			const sale = journal.cards.unknown().findLast(isShown);
			const desk = deps.desk();
			if (!desk || !sale?.payment || tried.has(sale.attempt_id)) return;
			const { attempt_id, payment, method, amount } = sale;
			tried.add(attempt_id);
			if (!journal.cards.slipDue(attempt_id)) return;
			const { noinvoice } = payment;
			const key = paymentKey(payment);
			const { received } = journal.money.balanceOf(key);
			const reference = referenceOf(attempt_id);
			desk.slip(
				{ id: payment.id, key },
				unknownSaleRows({ ahass, tanggal: deps.tanggal(), noinvoice, reference, method, amount, received }),
				// The slip's code signs only the money that was certainly received, not the unknown amount.
				{ kind: 'partial', noinvoice, amount: received, change: rupiah(0) },
			);
		},
		givenBack({ give_id, amount, by, why, time }, { noinvoice }) {
			const second = secondNameIn(why);
			const names = second === null ? [by] : [by, second];
			deps
				.desk()
				?.slip(
					{ id: give_id, key: give_id as PaymentKey },
					givenSlipRows({ ahass, tanggal: deps.tanggal(time), noinvoice, amount, names }),
					{ kind: 'given', noinvoice, amount, change: rupiah(0) },
				);
		},
		collected({ collection_id, time, number, by, notes, expected, counted, inDoubt }) {
			deps.desk()?.slip(
				{ id: collection_id, key: collection_id as PaymentKey },
				collectionSlipRows({
					ahass,
					tanggal: deps.tanggal(time),
					period: number,
					by,
					notes,
					expected,
					counted,
					inDoubt,
					anchor: journal.newest(),
				}),
				{ kind: 'collection', noinvoice: String(number), amount: expected, change: rupiah(0) },
			);
		},
		hasPrinter: () => deps.desk() !== null,
	};
}
