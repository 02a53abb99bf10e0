import { every } from '../base/clock.ts';
import { isClosed, logTrouble } from '../journal/trouble.ts';
import { reloadBooks } from './cash-books.ts';
import type { CashRunner } from './cash-effects.ts';

/** Interval for checking disk space and for reopening a broken journal. */
const JOURNAL_CHECK_MS = 5_000;

/** Checks journal and disk at intervals. @returns a function that ends this */
export function watchJournal(runner: CashRunner): () => void {
	const { clock, journal } = runner.deps;
	return every(clock, JOURNAL_CHECK_MS, () => {
		checkJournal(runner);
		// Verifies old records for flipped bits between payments.
		if (!runner.state.session && !runner.state.note) journal.patrol();
	});
}

/** Checks journal and disk now, and informs the screens of a change. */
export function checkJournal(runner: CashRunner): void {
	const { journal, invoices, log, onJournalOpened } = runner.deps;
	const { state } = runner;
	let trouble = journal.trouble();
	// A note in flight has its intent on disk; reopening the file now would put the note in doubt.
	const reopened = trouble?.code === 'journal_unhealthy' && !state.note;
	if (reopened) trouble = journal.reopen() ?? journal.trouble();
	if (!isClosed(trouble) && (reopened || state.trouble !== null)) onJournalOpened();
	// Messages kept while the journal was closed must not be judged with money that came after them,
	// so they are used first. Using them writes records, which may close the journal again.
	if (!isClosed(trouble) && invoices.hearWaiting()) trouble = journal.trouble();
	// If another writer closed and reopened the journal meanwhile, the effects of the reopening must
	// still run here.
	if ((trouble?.code ?? null) === state.trouble && (trouble || !reopened)) return;
	if (trouble) logTrouble(log, trouble);
	else resumeWriting(runner);
	// Writing the waiting records may have closed the journal again.
	trouble ??= journal.trouble();
	const { doubtful, session } = runner.state;
	const kept = doubtful !== null && journal.has({ kind: 'cash_credit', note_id: doubtful.note_id, late: true });
	// The session must know the current books before the acceptor is enabled again.
	if (!trouble && session && !session.closing) reloadBooks(runner, session);
	if (!trouble) runner.freshAnswer.askAgain();
	runner.handle({ kind: 'journal', trouble: trouble?.code ?? null, kept });
}

/** The journal can be written again: writes the records that have waited. */
function resumeWriting(runner: CashRunner): void {
	const { deps } = runner;
	const { journal, log } = deps;
	// The journal was not writable when the outcome came, so the intent is still open.
	journal.doubtOpenIntents(runner.state.note?.note_id ?? null);
	for (const record of runner.unwritten.splice(0)) if (!journal.has(record)) runner.write(record);
	runner.hearKeptDecisions();
	log.event('journal.healthy', {});
	// While the journal was closed, the outbox found nothing to send.
	deps.uploadNow();
}
