import type { CashEntry } from '../../contract/kiosk-api.ts';
import { type Rupiah, remaining, rupiah, sumRupiah } from '../../contract/money.ts';
import type { Balance } from '../journal/balance.ts';

/** An approved sale of this kiosk's card terminal. */
export type OwnSale = { amount: Rupiah; method: 'card' | 'qris'; time: string };

/** What a receipt says about the money. */
export interface PaidFacts {
	/** The present total is covered. */
	paid: boolean;
	/** Rupiah taken in cash; null when none, and where more came in than the last note explains: that is no change for the customer. */
	cash: Rupiah | null;
	/** How the card terminal was paid, null when it was not. */
	card: 'card' | 'qris' | null;
	/** When the last payment came in, as its witness wrote it; '' when that is not known. */
	last: string;
}

/**
 * @param listed what the back office lists; payments made elsewhere that it only calls paid are no cash
 * @param cards approved sales, oldest first
 */
export function paidFacts(balance: Balance, listed: readonly Pick<CashEntry, 'nominal' | 'time'>[], cards: readonly OwnSale[]): PaidFacts {
	const notes = balance.entries.filter(({ note_id }) => note_id !== null);
	const byCard = sumRupiah(cards.map(({ amount }) => amount));
	const ownNotes = remaining(balance.received, sumRupiah([balance.elsewhere, byCard]));
	const received = rupiah(ownNotes + Math.min(balance.elsewhereListed, sumRupiah(listed.map(({ nominal }) => nominal))));
	const [sale] = cards.slice(-1);
	const last = notes.at(-1) ?? listed.at(-1) ?? balance.entries.at(-1);
	const isChange = balance.state !== 'paid_twice' || (cards.length === 0 && balance.excess < (last?.nominal ?? 0));
	return {
		paid: balance.state === 'paid' || balance.state === 'paid_twice',
		cash: received > 0 && isChange ? received : null,
		card: sale?.method ?? null,
		last: sale?.time ?? last?.time ?? '',
	};
}
