import type { DoubtfulNote } from '@kiosk/contract/back-office';
import type { AcceptorState } from '@kiosk/contract/live';
import { formatRupiah } from '@kiosk/contract/money';
import { acceptorText, acceptorUnknown } from '../text/acceptor.ts';
import { paymentText } from '../text/payment.ts';
import { forbidsMore, returnText } from '../text/returns.ts';
import { text } from '../text/screens.ts';
import { type Cash, moneyInvolved, type ReturnedNote, receivedOf } from './cash.ts';
import { isWarningAsked } from './cash-warnings.ts';
import type { RootState } from './store.ts';

/**
 * What the customer does now. `process`: the acceptor holds a note. `take_note`: a note was
 * returned and lies in the slot. `stop`: staff are needed.
 */
export type CashTask = 'insert' | 'process' | 'take_note' | 'wait' | 'stop';

type Tone = 'good' | 'wait' | 'stop';

/** One instruction. Status, heading, body and tone are consistent. */
export type NextStep = {
	task: CashTask;
	/** The acceptor in a few words. "Ready" invites money. */
	status: string;
	statusTone: Tone;
	/** What to do, as a heading. */
	title: string;
	body: string;
	tone: Tone;
	/** Index of the present step of the cash instructions; null while only staff can continue. */
	step: 0 | 1 | 2 | null;
	/** The note that staff must check, if the instruction concerns a note. */
	doubt: DoubtfulNote | null;
};

/** `state` is the acceptor's, null while unknown or while the daemon cannot be reached. */
export type CashSituation = {
	state: AcceptorState | null;
	is_ready: boolean;
	opening: boolean;
	closing: boolean;
	moving: boolean;
	returned: ReturnedNote | null;
	doubts: readonly DoubtfulNote[];
	/** Whether enough was received. The daemon then keeps the acceptor closed. */
	covered: boolean;
	/** Whether a question must be answered before the first note. */
	asked: boolean;
};

/** States that pass by themselves; the others need staff. */
const PASSING: readonly AcceptorState[] = ['starting', 'inhibited', 'busy', 'bill_removed', 'screen_frozen'];

/**
 * Faults in which a note may be inside the acceptor. Customers must not pull it or insert another
 * note.
 */
const HOLDS_NOTE: readonly AcceptorState[] = [
	'bill_jam',
	'bill_fish',
	'motor_failure',
	'sensor_problem',
	'stacker_problem',
	'communication_failure',
	'note_in_doubt',
];

/** @returns the one instruction for a customer at the cash screen, most serious cause first */
export function nextStep(of: CashSituation): NextStep {
	const [doubt] = of.doubts;
	if (doubt !== undefined) return stopForDoubt(doubt);
	if (of.state !== null && HOLDS_NOTE.includes(of.state)) return stopFor(of.state);
	if (of.moving) return processing();
	const acceptor = acceptorStep(of);
	return of.returned === null ? acceptor : takeNote(acceptor, of.returned);
}

/** @returns the instruction for the payment on the screen */
export const nextStepOf = (state: Pick<RootState, 'acceptor' | 'cash' | 'invoice' | 'printer'>): NextStep => {
	const { acceptor, cash, invoice } = state;
	return nextStep({
		...acceptor,
		opening: cash.opening,
		closing: cash.closing,
		moving: cash.moving !== null,
		returned: cash.returned,
		doubts: cash.doubts,
		covered: isCovered(cash, invoice.detail?.total ?? null),
		asked: isWarningAsked(state),
	});
};

/**
 * The line below the heading of the method screen, most serious first. `doubt`: staff must still
 * check a note. `open`: a code or account is open. `paper`: whether a receipt can be expected.
 */
export type ChoiceNotice = 'doubt' | 'open' | 'paper';

/** @param open whether a QRIS code or virtual account of this invoice is open */
export const choiceNotice = (doubts: readonly DoubtfulNote[], open: boolean): ChoiceNotice =>
	doubts.length > 0 ? 'doubt' : open ? 'open' : 'paper';

/** @returns whether the state of the acceptor is one in which a note may be inside */
export const mayHoldNote = ({ acceptor: { state } }: Pick<RootState, 'acceptor'>): boolean => state !== null && HOLDS_NOTE.includes(state);

/** @returns whether money of this customer is or may be in the kiosk */
export const mayLeaveMoney = (state: Pick<RootState, 'acceptor' | 'cash'>): boolean => moneyInvolved(state.cash) || mayHoldNote(state);

/** @returns whether enough was received for this total */
export const isCovered = (cash: Cash, total: number | null): boolean => total !== null && receivedOf(cash) >= total;

/** The step for the acceptor's state while no note is on its way. */
function acceptorStep({ state, is_ready, opening, closing, covered, asked }: CashSituation): NextStep {
	if (covered) return wait(paymentText.cash.covered, 2);
	if (closing) return wait(paymentText.cash.closing);
	if (asked) return wait(paymentText.cash.asked);
	// Without the ready flag, the state `ready` must not invite a note.
	if (state === null || (state === 'ready' && !is_ready)) return wait(acceptorUnknown);
	if (state === 'ready') return insert();
	if (opening && state === 'inhibited') return wait(acceptorText.starting);
	return PASSING.includes(state) ? wait(acceptorText[state]) : stopFor(state);
}

const insert = (): NextStep => ({
	task: 'insert',
	status: acceptorText.ready.status,
	statusTone: 'good',
	title: paymentText.cash.insert,
	body: acceptorText.ready.advice,
	tone: 'good',
	step: 1,
	doubt: null,
});

const processing = (): NextStep => ({
	task: 'process',
	status: acceptorText.busy.status,
	statusTone: 'wait',
	title: paymentText.cash.processing,
	body: acceptorText.busy.advice,
	tone: 'wait',
	step: 1,
	doubt: null,
});

const wait = ({ status, advice }: { status: string; advice: string }, step: 0 | 2 = 0): NextStep => ({
	task: 'wait',
	status,
	statusTone: 'wait',
	title: status,
	body: advice,
	tone: 'wait',
	step,
	doubt: null,
});

const stopFor = (state: AcceptorState): NextStep => ({
	task: 'stop',
	status: acceptorText[state].status,
	statusTone: 'stop',
	title: acceptorText[state].status,
	body: acceptorText[state].advice,
	tone: 'stop',
	step: null,
	doubt: null,
});

const stopForDoubt = (doubt: DoubtfulNote): NextStep => ({
	task: 'stop',
	status: acceptorText.note_in_doubt.status,
	statusTone: 'stop',
	title: paymentText.cash.doubt.title,
	body: paymentText.cash.doubt.body(formatRupiah(doubt.nominal)),
	tone: 'stop',
	step: null,
	doubt,
});

/** The step for a returned note in the slot; `acceptor` is the step for the acceptor's state. */
function takeNote(acceptor: NextStep, { reason }: ReturnedNote): NextStep {
	return {
		...acceptor,
		task: 'take_note',
		title: text.note.returned,
		body: bodyOf(acceptor, reason),
		tone: acceptor.tone === 'stop' ? 'stop' : 'wait',
	};
}

function bodyOf(acceptor: NextStep, reason: ReturnedNote['reason']): string {
	// If the acceptor takes no more notes, its state matters more than the reason for the return.
	if (acceptor.task === 'stop' || acceptor.step === 2) return acceptor.body;
	// If the acceptor is ready, a reason that forbids further notes is out of date.
	return acceptor.task === 'insert' && forbidsMore(reason) ? paymentText.cash.insertAgain : returnText[reason];
}
