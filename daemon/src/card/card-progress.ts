/** The parts of card payments that a restart would interrupt. */
import type { CardState } from './card-state.ts';

/**
 * `card`: a request to the terminal is open. `card_unknown`: a sale that this run began has no
 * certain outcome, and only this run can match a late answer to that sale. `unwritten`: a report of
 * the terminal could not be written to the journal yet.
 */
export type CardProgress = 'card' | 'card_unknown' | 'unwritten';

/** @returns the parts in progress, except unknown sales of earlier runs */
export function cardProgress({ open, unresolved, begun, last, unwritten }: CardState): CardProgress[] {
	const found: CardProgress[] = [];
	if (open) found.push('card');
	// If the record that makes the newest sale unknown could not be written, this sale is only in
	// `last`, not in `unresolved`.
	const unknown = [...unresolved, ...(last?.phase === 'unknown' ? [last.sale] : [])];
	if (unknown.some(({ attempt_id }) => attempt_id === begun?.attempt_id)) found.push('card_unknown');
	if (unwritten.length > 0) found.push('unwritten');
	return found;
}
