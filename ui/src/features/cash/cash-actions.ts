import type { Id } from '@kiosk/contract/back-office';
import type { CashEntry } from '@kiosk/contract/kiosk-api';
import type { Rupiah } from '@kiosk/contract/money';
import { sameId } from '@kiosk/contract/same-id';
import type { ApiFailure } from '../../lib/api.ts';
import type { CustomerDetail } from '../../lib/customer-detail.ts';
import { readHp } from '../../lib/visit-storage.ts';
import { alertShown } from '../../state/alert.ts';
import { closeAnswered, closeAsked, machineAsked, machineFailed, machineOpened } from '../../state/cash.ts';
import { isWarningAsked } from '../../state/cash-warnings.ts';
import { failureWords } from '../../state/failure-words.ts';
import { isCovered, nextStepOf } from '../../state/next-step.ts';
import { paymentDone, paymentOnScreen } from '../../state/paid.ts';
import { enterPayment, refreshBriefly } from '../../state/refresh-invoice.ts';
import type { AppThunk } from '../../state/store.ts';
import { paymentText } from '../../text/payment.ts';
import { text } from '../../text/screens.ts';

/** The payments that the back office knows. They are shown until the daemon's list arrives. */
const knownEntries = (detail: CustomerDetail): CashEntry[] =>
	(detail.list_pembayaran ?? []).map((payment) => ({ note_id: null, nominal: payment.nominal, time: payment.tanggal ?? '' }));

/**
 * @returns the message after a failed open-machine call. If the call was a reload, the message in
 * the answer is shown only for status 400.
 */
const openFailure = (failure: ApiFailure, reload: boolean): string => {
	if (reload) return (failure.status === 400 ? failure.message : null) ?? paymentText.cash.reloadFailed;
	return failureWords(failure);
};

/**
 * States in which the acceptor takes notes or will soon do so. The last three are faults; the
 * daemon tries to end them by a reset.
 */
const ALIVE: readonly string[] = ['Ready', 'inhibited', 'busy', 'starting', 'bill_jam', 'motor_failure', 'sensor_problem'];

/**
 * How long a reload may take, ms. A working acceptor is ready sooner, and the daemon detects a
 * silent one within a second.
 */
const RELOAD_MS = 5_000;

/**
 * Shows an alert if the acceptor does not work some seconds after a reload, because it may fail
 * even after the daemon has answered.
 */
const checkReload =
	(id: Id): AppThunk =>
	(dispatch, getState) => {
		const { cash } = getState();
		const { task } = nextStepOf(getState());
		const works = task === 'insert' || task === 'take_note' || task === 'process' || cash.opening || cash.closing;
		const isDone = !sameId(cash.id, id) || isCovered(cash, getState().invoice.detail?.total ?? null);
		if (!works && !isDone) dispatch(alertShown({ text: paymentText.cash.reloadFailed }));
	};

/**
 * Opens the bill acceptor for the invoice on the screen and takes over the daemon's list of
 * received money.
 */
export const openMachine =
	({ reload }: { reload: boolean }): AppThunk<Promise<void>> =>
	async (dispatch, getState, { api }) => {
		const { invoice, cash, visit } = getState();
		const { detail } = invoice;
		if (detail === null || cash.opening) return;
		dispatch(machineAsked({ id: detail.id, known: knownEntries(detail) }));
		const answer = await api.openMachine(detail, readHp());
		if (!sameId(getState().cash.id, detail.id)) {
			// The customer left while the acceptor was opening, so it must be closed again.
			if (answer.ok) await api.closeCash(detail.id);
			return;
		}
		// The customer left and opened the same invoice again. Only the answer to the later request
		// counts.
		if (getState().visit !== visit) return;
		if (!answer.ok) {
			dispatch(machineFailed());
			dispatch(alertShown({ text: openFailure(answer, reload) }));
			return;
		}
		// Whether the acceptor is ready comes only from the live socket, because its last message may
		// be newer than this answer.
		dispatch(machineOpened(answer.value));
		const { machine_ready, message } = answer.value;
		if (reload && !machine_ready && !ALIVE.includes(message)) dispatch(alertShown({ text: paymentText.cash.reloadFailed }));
		else if (reload) setTimeout(() => dispatch(checkReload(detail.id)), RELOAD_MS);
		if (answer.value.is_paid) dispatch(paymentDone({ id: String(detail.id), noinvoice: detail.noinvoice, how: 'fresh' }));
	};

/**
 * Enters the cash screen, even after a reload of the page.
 * @returns false if no number is stored or no invoice is known
 */
export const enterCash = (): AppThunk<Promise<boolean>> => async (dispatch, getState) => {
	const entered = await dispatch(enterPayment());
	if (entered === null) return false;
	// If there are warnings, the acceptor opens only after the customer has accepted them.
	if (!entered.detail.is_paid && !isWarningAsked(getState())) await dispatch(openMachine({ reload: false }));
	return true;
};

/**
 * After a reconnect, looks up the invoice and opens the acceptor. If there is a warning, the
 * acceptor opens only after the customer has accepted it.
 */
export const openMachineAgain = (): AppThunk<Promise<void>> => async (dispatch, getState) => {
	const { id } = getState().cash;
	await dispatch(refreshBriefly());
	if (!sameId(getState().cash.id, id) || isWarningAsked(getState())) return;
	await dispatch(openMachine({ reload: false }));
};

/**
 * `more`: while the session was closing, a note was credited or came in doubt, which the customer
 * must see. `failed`: the daemon does not answer or reports an error. `busy`: an earlier close call
 * is still running. `gone`: the visit has ended meanwhile.
 */
export type LeaveOutcome = 'left' | 'more' | 'paid' | 'failed' | 'busy' | 'gone';

/**
 * Ends the cash session. If a note is on its way, the daemon answers only after the note's outcome.
 * @param told received amount that the screen has shown to the customer, rupiah
 */
export const leaveCash =
	(id: Id, told: Rupiah): AppThunk<Promise<LeaveOutcome>> =>
	async (dispatch, getState, { api }) => {
		const { cash, visit } = getState();
		if (cash.closing) return 'busy';
		const doubtsBefore = cash.doubts.length;
		dispatch(closeAsked());
		const answer = await api.closeCash(id);
		// The visit has ended meanwhile, so the next customer may be at the screen.
		if (getState().visit !== visit) return 'gone';
		dispatch(closeAnswered(answer.ok ? answer.value : null));
		// If a payment was completed meanwhile, its screen must stay until the receipt is printed.
		if (paymentOnScreen(getState()) !== null) return 'paid';
		if (!answer.ok) {
			// A refusal means that the cash session no longer exists.
			if (answer.status !== null && answer.status >= 400 && answer.status < 500) return 'left';
			dispatch(alertShown({ text: text.gangguan }));
			return 'failed';
		}
		if (answer.value.is_paid) {
			const { known } = getState().invoice;
			const noinvoice = sameId(known?.id, id) ? known?.noinvoice : undefined;
			dispatch(paymentDone({ id: String(id), noinvoice, how: 'fresh' }));
			return 'paid';
		}
		return answer.value.received > told || getState().cash.doubts.length > doubtsBefore ? 'more' : 'left';
	};
