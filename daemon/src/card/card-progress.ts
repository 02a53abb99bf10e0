/** The parts of card payments that a restart would interrupt. */
import type { CardState } from './card-state.ts';

/**
 * `card`: a request to the terminal is open. `card_unknown`: a sale of this run has no certain
 * outcome, and only this run can match a late answer to it. `unwritten`: an answer is not in the
 * journal.
 */
export type CardProgress = 'card' | 'card_unknown' | 'unwritten';

/** @returns the parts in progress, except unknown sales of earlier runs */
export function cardProgress({ open, unresolved, begun, last, unwritten }: CardState): CardProgress[] {
	const found: CardProgress[] = [];
	if (open) found.push('card');
	// While the journal cannot be written, the unknown sale is not in the list of unresolved sales.
	const unknown = [...unresolved, ...(last?.phase === 'unknown' ? [last.sale] : [])];
	if (unknown.some(({ attempt_id }) => attempt_id === begun?.attempt_id)) found.push('card_unknown');
	if (unwritten.length > 0) found.push('unwritten');
	return found;
}
