import { every } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import { type CardRunner, voidedBy } from './card-effects.ts';
import { recover } from './card-restart.ts';
import type { KeptWord } from './card-state.ts';

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
	const trouble = journal.trouble()?.code ?? (state.trouble && recover(journal, state.open));
	if (trouble === state.trouble && state.unwritten.length === 0) return;
	if (!trouble) deps.relay();
	const [first] = state.unwritten;
	const known = first !== undefined && isKnown(journal, first);
	const response = first && !first.record ? first : null;
	const asked = response?.request_id ? journal.cards.ofVoid(response.request_id) : null;
	runner.handle({
		kind: 'journal',
		trouble,
		unresolved: trouble ? state.unresolved : journal.cards.unknown(),
		last: trouble || !state.last ? null : journal.cards.sale(state.last.sale.attempt_id),
		known,
		voided: response && voidedBy(journal.cards, response.response, asked),
		about: asked ?? (response?.request_id ? journal.cards.sale(response.request_id) : null),
		fresh_id: deps.newId(),
		time: runner.now(),
	});
}

function isKnown(journal: Journal, word: KeptWord): boolean {
	if (!word.record) return journal.cards.knows(word.response);
	if (word.record.kind === 'card_evidence') return journal.has(word.record);
	// A later answer may have reopened the sale.
	return journal.cards.sale(word.record.attempt_id)?.state !== 'not_begun';
}
