import type { CashDesk } from '../cash/cash-desk.ts';
import type { CardBook } from '../journal/card-book.ts';
import type { Payment } from '../journal/records.ts';

/** Reads whether a customer is paying. */
export interface PayingNow {
	cash: Pick<CashDesk, 'isPayingInvoice'>;
	journal: { cards: Pick<CardBook, 'isPaying'> };
}

/**
 * Staff may not change the money of an invoice while its customer pays, because screen and terminal
 * ask for the amount that was due before.
 * @returns whether a customer pays this invoice now, in cash or at the terminal, under any number
 */
export const isBeingPaid = ({ cash, journal }: PayingNow, payment: Payment): boolean =>
	cash.isPayingInvoice(payment) || journal.cards.isPaying(payment);
