import { every } from '../base/clock.ts';
import type { CardRunner } from './card-effects.ts';
import { recover } from './card-restart.ts';

/**
 * Interval for checking journal and disk; the cash desk reopens a broken journal at the same
 * interval.
 */
const JOURNAL_CHECK_MS = 5_000;

/** Checks journal and disk at intervals. @returns a function that ends this */
export function watchJournal(runner: CardRunner): () => void {
	return every(runner.deps.clock, JOURNAL_CHECK_MS, () => checkJournal(runner));
}

/** Checks journal and disk now, and informs the screens of a change. */
export function checkJournal(runner: CardRunner): void {
	const { deps, state } = runner;
	const { journal } = deps;
	const trouble = journal.trouble()?.code ?? (state.trouble && recover(journal, state));
	if (trouble === state.trouble && state.unwritten.length === 0) return;
	if (!trouble) deps.relay();
	const [first] = state.unwritten;
	const known = first !== undefined && (first.evidence ? journal.has(first.evidence) : journal.cards.knows(first.response));
	runner.handle({
		kind: 'journal',
		trouble,
		unresolved: trouble ? state.unresolved : journal.cards.unknown(),
		last: trouble || !state.last ? null : journal.cards.sale(state.last.sale.attempt_id),
		known,
		voided: first ? journal.cards.voidedBy(first.response) : null,
		fresh_id: deps.newId(),
		time: runner.now(),
	});
}
