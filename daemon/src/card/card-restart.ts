import type { CardSale } from '../journal/card-book.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import type { CardDeskDeps } from './card-deps.ts';
import { type CardState, initialCardState, phaseOf } from './card-state.ts';

/**
 * Marks the open sales and staff requests of an earlier run as unknown in the journal.
 * @returns the state to begin with
 */
export function restoreCardState({ journal, startTerminal }: CardDeskDeps): CardState {
	const unrecovered = recover(journal);
	return {
		...initialCardState(startTerminal !== null),
		trouble: journal.trouble()?.code ?? unrecovered,
		unresolved: journal.cards.unknown(),
		last: lastSaleOf(journal.cards.last()),
	};
}

const lastSaleOf = (sale: CardSale | null): CardState['last'] =>
	sale?.payment ? { sale: { ...sale, payment: sale.payment }, phase: phaseOf(sale.state) } : null;

/**
 * Marks every sale and staff request without an outcome as unknown, because the terminal may have
 * charged a card or returned a charge. Leaves out the sale or request that is open now.
 * @returns the journal's trouble if a record could not be written, else null
 */
export function recover(journal: Journal, open: CardState['open'] = null): JournalError['code'] | null {
	const why = 'the kiosk stopped before the terminal’s answer was on disk';
	const records: JournalRecord[] = [];
	for (const { attempt_id } of journal.cards.open())
		if (open?.kind !== 'sale' || open.sale.attempt_id !== attempt_id)
			records.push({ kind: 'card_unknown', attempt_id, why, response: null });
	for (const { action_id } of journal.cards.openActions())
		if (open?.kind !== 'staff' || open.ask.action_id !== action_id)
			records.push({ kind: 'card_action_ended', action_id, outcome: 'unknown', why, response: null });
	for (const record of records) {
		const written = journal.append(record);
		if (!written.ok) return written.error.code;
	}
	return null;
}
