/** The parts of cash payments that a restart would interrupt. */
import type { AcceptorState } from '@kiosk/contract/live';
import { NOTHING_BETWEEN } from './cash-acceptor.ts';
import type { CashState } from './cash-state.ts';

/**
 * `doubt`: the acceptor may still report the outcome of a note in doubt. `unwritten`: a record
 * could not be written yet.
 */
export type CashProgress = 'session' | 'note' | 'doubt' | 'cashbox' | 'unwritten';

/** States in which the unit does not communicate and cannot report a note. */
const AWAY: ReadonlySet<AcceptorState> = new Set(['not_configured', 'disconnected', 'silent', 'garbled']);

/** @param unwritten number of records that wait for the journal @returns everything in progress */
export function cashProgress(state: CashState, unwritten: number): CashProgress[] {
	const { session, note, doubtful, suspect, acceptor, boxOut } = state;
	// A faulty unit may still hold the note. After staff clear the fault, the unit stacks the note
	// while it starts. Only this run can assign that STACKED report to the note.
	const mayHold = acceptor === 'starting' || !NOTHING_BETWEEN.has(acceptor);
	const held = doubtful !== null && mayHold && !AWAY.has(acceptor);
	const found: CashProgress[] = [];
	if (session) found.push('session');
	if (note) found.push('note');
	if (suspect !== null || acceptor === 'busy' || held) found.push('doubt');
	if (acceptor === 'cashbox_open' || boxOut !== null) found.push('cashbox');
	if (unwritten > 0) found.push('unwritten');
	return found;
}
