/**
 * Records a rush: the acceptor reports notes or removals of the cashbox faster than is plausible.
 * One record marks the beginning; a second record, at the end, contains the counts.
 */

import type { AcceptorReport } from '../acceptor/driver.ts';
import type { CashEvent, CashState, Step } from './cash-state.ts';

/** @returns the step that records the beginning or the end of a rush */
export function recordRush(
	state: CashState,
	report: Extract<AcceptorReport, { kind: 'rush' }>,
	{ note_id, time }: Extract<CashEvent, { kind: 'acceptor' }>,
): Step {
	const { refused, stacked } = report.phase === 'over' ? report : { refused: 0, stacked: 0 };
	return {
		// During a rush a STACKED report is no evidence about the note in doubt.
		state: { ...state, suspect: null },
		effects: [
			report.phase === 'begun'
				? { kind: 'log', id: 'acceptor.rush', fields: {} }
				: { kind: 'log', id: 'acceptor.calm', fields: { refused, stacked } },
			{ kind: 'write', record: { kind: 'acceptor_rush', rush_id: note_id, phase: report.phase, refused, stacked, time } },
		],
	};
}
