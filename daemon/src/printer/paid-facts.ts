import type { Invoice } from '../../contract/back-office.ts';
import type { CashEntry } from '../../contract/kiosk-api.ts';
import { type Rupiah, sumRupiah } from '../../contract/money.ts';
import { receivedEntries } from '../acceptor/received.ts';

/** What this kiosk's journal knows of one invoice. */
export interface OwnPayments {
	/** Credited notes, oldest first. */
	notes: readonly CashEntry[];
	/** Approved sales of the card terminal, oldest first. */
	cards: readonly { amount: Rupiah; method: 'card' | 'qris'; time: string }[];
}

/** What a receipt says about the money. */
export interface PaidFacts {
	/** The present total is covered, or the back office says so. */
	paid: boolean;
	/** Rupiah taken in cash; null when none. */
	cash: Rupiah | null;
	/** How the card terminal was paid, null when it was not. */
	card: 'card' | 'qris' | null;
	/** When the last payment came in, as its witness wrote it; '' when that is not known. */
	last: string;
}

/** @param invoice the newest word of the back office on it */
export function paidFacts(invoice: Pick<Invoice, 'total' | 'is_paid' | 'list_pembayaran'>, own: OwnPayments): PaidFacts {
	const listed = [...(invoice.list_pembayaran ?? [])];
	for (const { amount } of own.cards) {
		// A server may list a card sale like a note. It is no cash, and not a second payment.
		const at = listed.findIndex(({ nominal }) => nominal === amount);
		if (at >= 0) listed.splice(at, 1);
	}
	const cash = receivedEntries(listed, own.notes);
	const received = sumRupiah(cash.map(({ nominal }) => nominal));
	const charged = sumRupiah(own.cards.map(({ amount }) => amount));
	return {
		paid: invoice.is_paid || (received + charged > 0 && received + charged >= invoice.total),
		cash: received > 0 ? received : null,
		card: own.cards.at(-1)?.method ?? null,
		last: own.cards.at(-1)?.time ?? cash.at(-1)?.time ?? '',
	};
}
