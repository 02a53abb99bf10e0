import { every } from '../base/clock.ts';
import { isClosed, type JournalError, logTrouble } from '../journal/trouble.ts';
import { reloadBooks } from './cash-books.ts';
import type { CashRunner } from './cash-effects.ts';

/** Interval for checking disk space and for reopening a broken journal. */
const JOURNAL_CHECK_MS = 5_000;

/** Checks journal and disk at intervals. @returns a function that stops the checks */
export function watchJournal(runner: CashRunner): () => void {
	const { clock, journal } = runner.deps;
	return every(clock, JOURNAL_CHECK_MS, () => {
		checkJournal(runner);
		// Between payments, checks old records for flipped bits.
		if (!runner.state.session && !runner.state.note) journal.patrol();
	});
}

/** Checks journal and disk now, reopens a broken journal, and informs the screens of a change. */
export function checkJournal(runner: CashRunner): void {
	const { journal, invoices, log, onJournalOpened } = runner.deps;
	const { state } = runner;
	let trouble = journal.trouble();
	// The intent of a note in flight is on disk, so reopening the journal now would put the note in
	// doubt.
	const reopened = trouble?.code === 'journal_unhealthy' && !state.note;
	if (reopened) trouble = journal.reopen() ?? journal.trouble();
	if (!isClosed(trouble) && (reopened || state.trouble !== null)) onJournalOpened();
	// The back office's messages that were kept while the journal was closed are processed first:
	// they must not be compared with money that came later. Processing them writes records, and a
	// failed write may close the journal again.
	if (!isClosed(trouble)) {
		invoices.hearWaiting();
		trouble = journal.trouble();
	}
	// `readHidden` runs even while the disk is full, because a report of the acceptor may cause a
	// record at any time.
	if (!isClosed(trouble)) trouble = readHidden(runner) ?? trouble;
	// If this check has reopened a journal whose failure the state machine has not noticed, the steps
	// after a reopening must still run.
	if ((trouble?.code ?? null) === state.trouble && (trouble || !reopened)) return;
	if (trouble) logTrouble(log, trouble);
	else resumeWriting(runner);
	// A failed write of the waiting records may have closed the journal again.
	trouble ??= journal.trouble();
	const { session } = runner.state;
	// The session must have its current total and money before the acceptor is enabled again.
	if (!trouble && session && !session.closing) reloadBooks(runner, session, state.session);
	if (!trouble) runner.freshAnswer.askAgain();
	// While records wait, no note is taken, because it would count for the wrong cashbox period. The
	// next check tries to write the records again.
	const waits = runner.unwritten.length > 0 ? runner.state.trouble : null;
	runner.handle({ kind: 'journal', trouble: trouble?.code ?? waits });
}

/**
 * Called when the journal can be read again, before a waiting record is written: applies the
 * acceptor's lock and the removed cashbox that the journal, unreadable at the start, did not show.
 * @returns the trouble if reading has closed the journal again; then the next reopening applies
 * both
 */
function readHidden(runner: CashRunner): JournalError | null {
	const { blindStart } = runner;
	if (blindStart === null) return null;
	const { journal, log } = runner.deps;
	const isLocked = journal.acceptorLock() !== null;
	const known = journal.cashbox.boxOut();
	const trouble = journal.trouble();
	if (isClosed(trouble)) return trouble;
	runner.blindStart = null;
	if (isLocked) runner.driver?.send('lock');
	if (known === null) return null;
	const { boxOut, unwritten, returnedAt } = blindStart.compare(known, runner.state.boxOut, runner.unwritten);
	runner.state = { ...runner.state, boxOut };
	runner.unwritten = unwritten;
	if (returnedAt !== null) log.event('acceptor.box_returned', {});
	return null;
}

/**
 * Called when the journal can be written again: puts open intents in doubt, writes the waiting
 * records and applies staff decisions found on disk.
 */
function resumeWriting(runner: CashRunner): void {
	const { deps } = runner;
	const { journal, log } = deps;
	// If the outcome of a note could not be written, its intent is still open on disk.
	journal.doubtOpenIntents(runner.state.note?.note_id ?? null);
	runner.writeWaiting();
	runner.hearKeptDecisions();
	log.event('journal.healthy', {});
	// While the journal was closed, the outbox could not read the waiting notes.
	deps.uploadNow();
}
