/** Records when the cashbox is removed and returned. */
import type { AcceptorState } from '@kiosk/contract/live';
import { WITH_BOX } from '../acceptor/driver.ts';
import type { CashEffect, CashEvent, CashState, Step } from './cash-state.ts';

/**
 * Records a removal of the cashbox. No note is taken until a cashbox is back and the records of its
 * removal and return are on disk. A removal ends a cashbox period, and every note must belong to
 * exactly one period. Payments need not wait for the count of the removed cashbox; health reports a
 * missing count.
 */
export function recordRemoval(state: CashState, { note_id, time }: Extract<CashEvent, { kind: 'acceptor' }>): Step {
	if (state.boxOut !== null) return { state, effects: [] };
	const effects: CashEffect[] = [
		{ kind: 'log', id: 'acceptor.box_removed', fields: {} },
		{ kind: 'write', record: { kind: 'cashbox_removed', removal_id: note_id, time } },
	];
	return { state: { ...state, boxOut: note_id }, effects };
}

/** Records the return of a removed cashbox. */
export function recordReturn(state: CashState, { time }: Extract<CashEvent, { kind: 'acceptor' }>): Step {
	if (state.boxOut === null) return { state, effects: [] };
	const effects: CashEffect[] = [
		{ kind: 'log', id: 'acceptor.box_returned', fields: {} },
		{ kind: 'write', record: { kind: 'cashbox_returned', removal_id: state.boxOut, time } },
	];
	return { state: { ...state, boxOut: null }, effects };
}

/** Records what the acceptor's state shows about the cashbox: its removal or its return. */
export function watchBox(state: CashState, acceptor: AcceptorState, event: Extract<CashEvent, { kind: 'acceptor' }>): Step {
	if (acceptor === 'cashbox_open') return recordRemoval(state, event);
	if (WITH_BOX.has(acceptor)) return recordReturn(state, event);
	return { state, effects: [] };
}
