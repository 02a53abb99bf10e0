import type { CashDeskDeps } from './cash-deps.ts';
import { type CashState, initialCashState } from './cash-state.ts';

/**
 * A note whose doubt is younger than this may still be on its way into the cashbox: units take up
 * to 15 s to report it.
 */
export const RECENT_MS = 20_000;

/**
 * Reads the open items of an earlier run from the journal.
 * @returns the first state, and the ms until its `suspect` expires
 */
export function restoreCashState({ journal, clock, startDriver }: CashDeskDeps): { state: CashState; suspectMs: number } {
	// A note without an invoice is unexplained: the unit has already reported it.
	const fresh = journal.inDoubt().findLast((note) => note.id !== null);
	const age = fresh ? clock.wall().getTime() - Date.parse(fresh.time) : 0;
	// One STACKED report is evidence about this note; a second report, in this run or the next, is
	// about another note.
	const explained = fresh && journal.has({ kind: 'cash_evidence', note_id: fresh.note_id, what: '' });
	// A time in the future comes from a wrong clock, so the age of the note is unknown.
	const recent = fresh && !explained && age >= 0 && age < RECENT_MS ? fresh.note_id : null;
	const state: CashState = {
		...initialCashState(recent, journal.trouble()?.code ?? null),
		acceptor: startDriver ? 'disconnected' : 'not_configured',
		boxOut: journal.cashbox.boxOut(),
	};
	return { state, suspectMs: RECENT_MS - age };
}
