/** Staff decisions about notes in doubt. */
import { paymentKey } from '../journal/records.ts';
import { cover, without } from './cash-after-write.ts';
import { creditText, notifyReturn } from './cash-messages.ts';
import type { CashEvent, CashState, Step } from './cash-state.ts';

/**
 * Handles a settled note. If its payment has an open session, a note found in the cashbox is added
 * to that session, and any other note is shown as returned.
 */
export function onStaff(before: CashState, event: Extract<CashEvent, { kind: 'settled' }>): Step {
	const { note_id, payment_id, nominal, entry } = event;
	const isDoubtful = before.doubtful?.note_id === note_id;
	const isSuspect = before.suspect === note_id;
	const state: CashState = {
		...before,
		doubtful: isDoubtful ? null : before.doubtful,
		suspect: isSuspect && !entry ? null : before.suspect,
		// If the acceptor later reports STACKED for this note, the report changes nothing.
		found: (isDoubtful || isSuspect) && entry ? note_id : before.found,
	};
	const { session } = state;
	if (!session || payment_id === null || paymentKey(session.payment) !== payment_id)
		return { state, effects: entry ? [{ kind: 'upload' }] : [] };
	// `inDoubt` contains only notes of this session, so settling a note of an earlier session does
	// not reopen the acceptor.
	const inDoubt = without(session.inDoubt, note_id);
	if (!entry) return { state: { ...state, session: { ...session, inDoubt } }, effects: [notifyReturn(nominal, 'rejected_by_machine')] };
	return cover({ ...state, session: { ...session, inDoubt, entries: [...session.entries, entry] } }, [
		{ kind: 'tell', text: creditText(session.payment, note_id, { nominal, time: entry.time }), about: session.payment },
		{ kind: 'upload' },
	]);
}
