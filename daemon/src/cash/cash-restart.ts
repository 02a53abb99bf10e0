import type { CashDeskDeps } from './cash-deps.ts';
import { type CashState, initialCashState } from './cash-state.ts';

/**
 * How long after its intent or its missing outcome a note may still be reported as stacked. Units
 * take up to 15 s to report.
 */
export const RECENT_MS = 20_000;

/**
 * Reads the open items of an earlier run from the journal.
 * @returns the first state, and the time in ms until its `suspect` expires
 */
export function restoreCashState({ journal, clock, startDriver }: CashDeskDeps): { state: CashState; suspectMs: number } {
	// A note without an invoice is an unexplained note, which the unit has already reported as
	// stacked.
	const fresh = journal.inDoubt().findLast((note) => note.id !== null);
	const age = fresh ? clock.wall().getTime() - Date.parse(fresh.time) : 0;
	// Only one STACKED report is evidence about this note. A second report, even after another
	// restart, is about another note.
	const explained = fresh && journal.has({ kind: 'cash_evidence', note_id: fresh.note_id, what: '' });
	// A time in the future means that a clock was wrong, so the note's age is unknown.
	const recent = fresh && !explained && age >= 0 && age < RECENT_MS ? fresh.note_id : null;
	const state: CashState = {
		...initialCashState(recent, journal.trouble()?.code ?? null),
		acceptor: startDriver ? 'disconnected' : 'not_configured',
		boxOut: journal.cashbox.boxOut(),
	};
	return { state, suspectMs: RECENT_MS - age };
}
