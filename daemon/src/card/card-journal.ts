import { every } from '../base/clock.ts';
import { type CardRunner, recall } from './card-effects.ts';
import { subjectOf } from './card-responses.ts';
import { recover } from './card-restart.ts';
import type { KeptWord, Recalled } from './card-state.ts';

/**
 * Interval for checking journal and disk; the cash desk reopens a broken journal at the same
 * interval.
 */
const JOURNAL_CHECK_MS = 5_000;

/** Checks journal and disk at intervals. @returns a function that ends the checks */
export function watchJournal(runner: CardRunner): () => void {
	return every(runner.deps.clock, JOURNAL_CHECK_MS, () => checkJournal(runner));
}

/**
 * Checks journal and disk now, and hands a change or the first unwritten report to the card
 * machine. After a recovery, marks sales and staff requests without an outcome as unknown, and
 * starts the reports of approvals.
 */
export function checkJournal(runner: CardRunner): void {
	const { deps, state } = runner;
	const { journal } = deps;
	const trouble = journal.trouble()?.code ?? (state.trouble && recover(journal, state.open));
	if (trouble === state.trouble && state.unwritten.length === 0) return;
	if (!trouble) deps.relay();
	const [first] = state.unwritten;
	runner.handle({
		kind: 'journal',
		trouble,
		unresolved: trouble ? state.unresolved : journal.cards.unknown(),
		last: trouble || !state.last ? null : journal.cards.sale(state.last.sale.attempt_id),
		...(first ? recallWord(runner, first) : NOTHING),
		fresh_id: deps.newId(),
		time: runner.now(),
	});
}

const NOTHING: Recalled = { sale: null, known: false, voided: null };

function recallWord({ deps: { journal }, state }: CardRunner, word: KeptWord): Recalled {
	const { record } = word;
	if (!record) return recall(journal.cards, subjectOf(state, word), word.response);
	if (record.kind === 'card_evidence') return { ...NOTHING, known: journal.has(record) };
	// If a later answer has already reopened the sale, the record is dropped.
	return { ...NOTHING, known: journal.cards.sale(record.attempt_id)?.state !== 'not_begun' };
}
