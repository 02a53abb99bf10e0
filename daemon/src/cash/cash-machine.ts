/**
 * State machine of the cash session, a pure function. It decides which note may be taken, when a
 * note is credited and when the invoice is paid. For each note it guarantees this order: intent on
 * disk → accept → stacked → credit on disk → messages about the credit.
 */
import type { AcceptorState } from '@kiosk/contract/live';
import { paymentKey, samePayment } from '../journal/records.ts';
import { aboutPayment } from '../log/about-payment.ts';
import { NOTHING_BETWEEN, onReport } from './cash-acceptor.ts';
import { afterFailedWrite, afterWrite, cover, settleClose } from './cash-after-write.ts';
import { machineText } from './cash-messages.ts';
import { onStaff } from './cash-staff.ts';
import {
	type CashEffect,
	type CashEvent,
	type CashPolicy,
	type CashState,
	isPaid,
	receivedOf,
	type Session,
	type Step,
} from './cash-state.ts';

/**
 * @returns the next state and the effects in the order in which they must run. After a `write`,
 * only the message with the acceptor's state may follow
 */
export function cashStep(state: CashState, event: CashEvent, policy: CashPolicy): Step {
	return showState(steer(react(state, event, policy), policy), policy);
}

function react(state: CashState, event: CashEvent, policy: CashPolicy): Step {
	switch (event.kind) {
		case 'open':
			return openSession(state, event);
		case 'close':
			return state.session ? settleClose({ ...state, session: { ...state.session, closing: true } }, []) : { state, effects: [] };
		case 'acceptor':
			return onReport(state, event, policy);
		case 'written':
			return afterWrite(state, event.record);
		case 'not_written':
			return afterFailedWrite(state, event.record, event.error);
		case 'paid_by_back_office':
			return state.session && paymentKey(state.session.payment) === event.key
				? markPaid(state, state.session, 'back_office')
				: { state, effects: [] };
		case 'back_office_unreachable':
			return declareCovered(state);
		case 'paid_wait_over':
			return state.session && paymentKey(state.session.payment) === event.key ? declareCovered(state) : { state, effects: [] };
		case 'settled':
			return onStaff(state, event);
		case 'suspect_over':
			return { state: state.suspect === event.note_id ? { ...state, suspect: null } : state, effects: [] };
		case 'journal':
			return { state: { ...state, trouble: event.trouble }, effects: [] };
		case 'settings':
			return { state: { ...state, unconfirmed: event.unconfirmed }, effects: [] };
		case 'picture':
			return onPicture(state, event.frozen);
		default:
			return event satisfies never;
	}
}

/**
 * Handles a screen that no longer shows the payment, or shows it again. A note in flight continues
 * to its outcome; later notes are returned until the screen shows the payment again.
 */
function onPicture(state: CashState, frozen: boolean): Step {
	const { session } = state;
	if (!session || session.frozen === frozen) return { state, effects: [] };
	const fields = { ...aboutPayment(session.payment), received: receivedOf(session.entries) };
	return {
		state: { ...state, session: { ...session, frozen } },
		effects: [{ kind: 'log', id: frozen ? 'cash.screen_frozen' : 'cash.screen_drawn', fields }],
	};
}

function openSession(state: CashState, event: Extract<CashEvent, { kind: 'open' }>): Step {
	const same = state.session && samePayment(state.session.payment, event.payment) ? state.session : null;
	// The total may have changed, or the back office may have withdrawn a payment made elsewhere.
	const isStillCovered =
		same?.paid === 'covered' && same.payment.total === event.payment.total && receivedOf(event.entries) >= event.payment.total;
	const session: Session = {
		payment: event.payment,
		entries: event.entries,
		paid: event.paid ?? (isStillCovered ? 'covered' : 'no'),
		closing: false,
		inDoubt: same?.inDoubt ?? [],
		frozen: event.frozen ?? same?.frozen ?? false,
		paid_id: event.paid_id,
	};
	const effects: CashEffect[] = [
		{ kind: 'log', id: 'cash.opened', fields: { ...aboutPayment(session.payment), total: session.payment.total } },
	];
	return cover({ ...state, session }, effects);
}

/**
 * Declares a covered session paid. A closing session is not declared paid, because a dispute may be
 * the reason for its end.
 */
function declareCovered(state: CashState): Step {
	const { session } = state;
	if (session?.paid !== 'covered' || session.closing) return { state, effects: [] };
	return markPaid(state, session, 'kiosk');
}

function markPaid(state: CashState, session: Session, by: 'back_office' | 'kiosk'): Step {
	if (isPaid(session)) return { state, effects: [] };
	const { payment } = session;
	return {
		state: { ...state, session: { ...session, paid: by } },
		effects: [
			{
				kind: 'log',
				id: 'cash.paid',
				fields: { ...aboutPayment(payment), by, received: receivedOf(session.entries), total: payment.total },
			},
			{ kind: 'write', record: { kind: 'invoice_paid', payment, by, paid_id: session.paid_id } },
		],
	};
}

function mayTakeNotes(state: CashState, policy: CashPolicy): boolean {
	const { session } = state;
	return (
		session !== null &&
		wantsNotes(session) &&
		!session.frozen &&
		session.inDoubt.length === 0 &&
		!state.trouble &&
		state.boxOut === null &&
		!state.unconfirmed &&
		policy.notes.size > 0
	);
}

/** @returns whether the session needs more notes. An invoice of 0 rupiah needs none */
const wantsNotes = (session: Session): boolean => !session.closing && session.paid === 'no' && session.payment.total > 0;

function steer(step: Step, policy: CashPolicy): Step {
	const enabled = mayTakeNotes(step.state, policy);
	if (enabled === step.state.enabled) return step;
	const command: CashEffect = { kind: 'acceptor', command: enabled ? 'enable' : 'inhibit' };
	// The command goes first, because only the message with the acceptor's state may follow a
	// `write`.
	return { state: { ...step.state, enabled }, effects: [command, ...step.effects] };
}

/**
 * @returns the acceptor state that the screen shows. Most of the daemon's own reasons for taking no
 * notes take precedence over the state that the acceptor reports
 */
export function shownStateOf(state: CashState, policy: CashPolicy): AcceptorState {
	if (policy.notes.size === 0) return 'note_map_missing';
	if (state.trouble) return state.trouble;
	if (state.session && state.session.inDoubt.length > 0) return 'note_in_doubt';
	// An acceptor fault is shown instead of unconfirmed settings. Health lists both, so staff can
	// clear both in one visit.
	if (state.unconfirmed && NOTHING_BETWEEN.has(state.acceptor)) return 'settings_unconfirmed';
	const closed = state.acceptor === 'ready' || state.acceptor === 'inhibited';
	if (closed && state.session?.frozen && wantsNotes(state.session)) return 'screen_frozen';
	if (state.acceptor === 'ready' && !mayTakeNotes(state, policy)) return 'inhibited';
	return state.acceptor;
}

function showState(step: Step, policy: CashPolicy): Step {
	const shown = shownStateOf(step.state, policy);
	if (shown === step.state.shown) return step;
	return { state: { ...step.state, shown }, effects: [...step.effects, { kind: 'tell', text: machineText(shown) }] };
}
