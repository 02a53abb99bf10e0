/** What is kept when the cashbox goes out and comes back. */
import type { AcceptorState } from '../../contract/live.ts';
import type { CashEffect, CashEvent, CashState, Step } from './cash-state.ts';

/** What a unit says only with a cashbox in it; any other state says nothing about the cashbox. */
const WITH_BOX: ReadonlySet<AcceptorState> = new Set(['inhibited', 'ready', 'busy']);

/**
 * Until a box is back, and both records are on disk, no note is taken: the removal ends a period of counting, and a note must not fall
 * between two. That the box is counted is not waited for, because customers would wait with it; health says it until it is.
 */
export function boxChanged(state: CashState, acceptor: AcceptorState, { note_id, time }: Extract<CashEvent, { kind: 'acceptor' }>): Step {
	if (acceptor === 'cashbox_open' && state.boxOut === null) {
		const effects: CashEffect[] = [
			{ kind: 'log', id: 'acceptor.box_removed', fields: {} },
			{ kind: 'write', record: { kind: 'cashbox_removed', removal_id: note_id, time } },
		];
		return { state: { ...state, boxOut: note_id }, effects };
	}
	if (state.boxOut !== null && WITH_BOX.has(acceptor)) {
		const effects: CashEffect[] = [
			{ kind: 'log', id: 'acceptor.box_returned', fields: {} },
			{ kind: 'write', record: { kind: 'cashbox_returned', removal_id: state.boxOut, time } },
		];
		return { state: { ...state, boxOut: null }, effects };
	}
	return { state, effects: [] };
}
