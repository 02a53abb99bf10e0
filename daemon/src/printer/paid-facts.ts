import type { CashEntry } from '@kiosk/contract/kiosk-api';
import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import { type Balance, isPaidState } from '../journal/balance.ts';

/** An approved sale of this kiosk's card terminal. */
export type OwnSale = { amount: Rupiah; method: 'card' | 'qris'; time: string };

/** Facts about the payment that a receipt shows. */
export interface PaidFacts {
	/** Whether the present total is covered. */
	paid: boolean;
	/**
	 * Rupiah taken in cash. null if none was taken, or if a part may be a double payment: staff
	 * decide about that.
	 */
	cash: Rupiah | null;
	/** How the customer paid at the card terminal; null if nothing was paid there. */
	card: 'card' | 'qris' | null;
	/**
	 * Time of the last card sale, else of the last note or other payment, as recorded; '' if there is
	 * none.
	 */
	last: string;
}

/**
 * @param listed payments that the back office lists; money paid elsewhere counts as cash only up to
 * the sum of these payments
 * @param cards approved sales, oldest first
 */
export function paidFacts(balance: Balance, listed: readonly Pick<CashEntry, 'nominal' | 'time'>[], cards: readonly OwnSale[]): PaidFacts {
	const notes = balance.entries.filter(({ note_id }) => note_id !== null);
	const byCard = sumRupiah(cards.map(({ amount }) => amount));
	const ownNotes = remaining(balance.received, sumRupiah([balance.elsewhere, byCard]));
	const received = rupiah(ownNotes + Math.min(balance.elsewhereListed, sumRupiah(listed.map(({ nominal }) => nominal))));
	const [sale] = cards.slice(-1);
	const last = notes.at(-1) ?? listed.at(-1) ?? balance.entries.at(-1);
	const isChange = balance.state !== 'paid_twice' || (cards.length === 0 && balance.excess === 0);
	return {
		paid: isPaidState(balance.state),
		cash: received > 0 && isChange ? received : null,
		card: sale?.method ?? null,
		last: sale?.time ?? last?.time ?? '',
	};
}
