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
 * What the customer should do now. `process`: wait, because a note moves. `take_note`: take the
 * returned note from the slot. `stop`: call staff.
 */
export type CashTask = 'insert' | 'process' | 'take_note' | 'wait' | 'stop';

type Tone = 'good' | 'wait' | 'stop';

/**
 * One instruction for the customer. Status, heading, body and tone do not contradict each other.
 */
export type NextStep = {
	task: CashTask;
	/** The acceptor's state in a few words. "Ready" invites the customer to insert notes. */
	status: string;
	statusTone: Tone;
	/** The heading: what to do. */
	title: string;
	body: string;
	tone: Tone;
	/** Index of the current one of the numbered cash steps; null while only staff can help. */
	step: 0 | 1 | 2 | null;
	/** The note in doubt that staff must check; null if there is none. */
	doubt: DoubtfulNote | null;
};

/**
 * What the instruction depends on. `state` is the acceptor's; null while it is unknown or the
 * daemon cannot be reached.
 */
export type CashSituation = {
	state: AcceptorState | null;
	is_ready: boolean;
	opening: boolean;
	closing: boolean;
	moving: boolean;
	returned: ReturnedNote | null;
	doubts: readonly DoubtfulNote[];
	/** Whether enough was received. If so, the daemon keeps the acceptor closed. */
	covered: boolean;
	/** Whether a question must be answered before the first note. */
	asked: boolean;
};

/** These states pass without staff; every other state except `ready` needs staff. */
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

/** @returns the instruction for a customer at the cash screen. The most serious cause decides. */
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
 * What the line below the heading of the method screen is about, most serious first. `doubt`: a
 * note that staff must still check. `open`: an open code or account. `paper`: whether a receipt can
 * be expected.
 */
export type ChoiceNotice = 'doubt' | 'open' | 'paper';

/** @param open whether a QRIS code or virtual account of this invoice is open */
export const choiceNotice = (doubts: readonly DoubtfulNote[], open: boolean): ChoiceNotice =>
	doubts.length > 0 ? 'doubt' : open ? 'open' : 'paper';

/** @returns whether a note may be inside the acceptor in its present state */
export const mayHoldNote = ({ acceptor: { state } }: Pick<RootState, 'acceptor'>): boolean => state !== null && HOLDS_NOTE.includes(state);

/** @returns whether money of this customer is or may be in the kiosk */
export const mayLeaveMoney = (state: Pick<RootState, 'acceptor' | 'cash'>): boolean => moneyInvolved(state.cash) || mayHoldNote(state);

/** @returns whether enough was received for this total */
export const isCovered = (cash: Cash, total: number | null): boolean => total !== null && receivedOf(cash) >= total;

/** @returns the instruction for the acceptor's state, while no note is on its way */
function acceptorStep({ state, is_ready, opening, closing, covered, asked }: CashSituation): NextStep {
	if (covered) return wait(paymentText.cash.covered, 2);
	if (closing) return wait(paymentText.cash.closing);
	if (asked) return wait(paymentText.cash.asked);
	// The state `ready` without the ready flag must not invite a note.
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

/**
 * @returns the instruction to take a returned note from the slot. `acceptor` is the instruction for
 * the acceptor's state.
 */
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
	// If the acceptor takes no more notes, its state is more important than why the note was
	// returned.
	if (acceptor.task === 'stop' || acceptor.step === 2) return acceptor.body;
	// If the acceptor is ready again, a reason that forbids further notes no longer applies.
	return acceptor.task === 'insert' && forbidsMore(reason) ? paymentText.cash.insertAgain : returnText[reason];
}
