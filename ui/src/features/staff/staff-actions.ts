import type { Transaction } from '@kiosk/contract/back-office';
import type { StaffHome } from '@kiosk/contract/staff-home';
import type { Api, ApiResult } from '../../lib/api.ts';
import { alertShown } from '../../state/alert.ts';
import { PAGE_SIZE, pageLoaded } from '../../state/list.ts';
import { loadingSet } from '../../state/loading.ts';
import { pinDelayed, staffClosed, staffOpened } from '../../state/pin-lock.ts';
import type { AppThunk } from '../../state/store.ts';
import { staffText } from '../../text/staff.ts';
import { printOut } from '../receipt/receipt-actions.ts';

/**
 * Asks the daemon for how long it still accepts no PIN. If no answer comes, the known delay stays.
 */
export const askPinDelay =
	(): AppThunk<Promise<void>> =>
	async (dispatch, _, { api }) => {
		const answer = await api.staff();
		if (answer.ok) dispatch(pinDelayed({ now: performance.now(), waitMs: answer.value.wait_ms }));
	};

/** Locks the staff screens and tells the daemon that staff have left. */
export const leaveStaff =
	(): AppThunk =>
	(dispatch, getState, { api }) => {
		if (!getState().pinLock.open) return;
		dispatch(staffClosed());
		void api.staffLeave();
	};

/** Reports a touch on an open staff screen to the daemon. */
export const touchStaff =
	(): AppThunk =>
	(_dispatch, _getState, { api }) =>
		void api.staffTouch();

/**
 * Sends the PIN and, if it is right, opens the staff screens. Otherwise an alert shows the reason.
 * If the daemon accepts no PIN for some time, the screen only counts down instead, and sends no PIN
 * until that time is over.
 * @param leaving aborted when staff leave the screen; after that, no alert is shown
 */
export const unlockList =
	(pin: string, leaving: AbortSignal): AppThunk<Promise<void>> =>
	async (dispatch, getState, { api }) => {
		const { loading, pinLock } = getState();
		if (loading || performance.now() < pinLock.until) return;
		dispatch(loadingSet(true));
		const answer = await api.pin(pin);
		dispatch(loadingSet(false));
		if (answer.ok && answer.value.opens) {
			dispatch(staffOpened());
			if (leaving.aborted) dispatch(leaveStaff());
			return;
		}
		await dispatch(askPinDelay());
		// While the daemon accepts no PIN, the screen only counts down.
		if (leaving.aborted || getState().pinLock.until > 0) return;
		const message = answer.ok ? answer.value.message : answer.message;
		dispatch(alertShown({ text: message || staffText.list.gangguan }));
	};

/**
 * Confirms the changed settings that staff have read. After that, a live message of the daemon
 * removes the notice. A failure is shown as an alert.
 */
export const confirmSettings =
	(settings: readonly string[]): AppThunk<Promise<void>> =>
	async (dispatch, getState, { api }) => {
		const { visit } = getState();
		const answer = await api.confirmSettings(settings);
		if (!answer.ok && getState().visit === visit) dispatch(alertShown({ text: answer.message ?? staffText.list.gangguan }));
	};

/**
 * Loads the selected page of the list. A failure is shown as an alert.
 * @param signal aborted when staff select another page or leave; after that, a late answer changes
 * nothing
 * @returns whether the rows are loaded
 */
export const loadTransactions =
	(signal: AbortSignal): AppThunk<Promise<boolean>> =>
	async (dispatch, getState, { api }) => {
		const { offset, search } = getState().list;
		const answer = await api.transactions({ offset, limit: PAGE_SIZE, q: search }, signal);
		if (signal.aborted) return false;
		if (answer.ok) dispatch(pageLoaded(answer.value));
		else dispatch(alertShown({ text: answer.message ?? staffText.list.gangguan }));
		return answer.ok;
	};

/** @returns the facts that the staff home shows; null after a failure */
export const loadStaffHome =
	(signal: AbortSignal): AppThunk<Promise<StaffHome | null>> =>
	async (_dispatch, _getState, { api }) => {
		const answer = await api.staffHome(signal);
		return answer.ok ? answer.value : null;
	};

/**
 * Runs an API call for staff. A failure is shown as an alert, unless staff have left.
 * @returns the answer; null after a failure
 */
export const callForStaff =
	<T>(call: (api: Api) => Promise<ApiResult<T>>, signal?: AbortSignal): AppThunk<Promise<T | null>> =>
	async (dispatch, getState, { api }) => {
		const { visit } = getState();
		const answer = await call(api);
		if (answer.ok) return answer.value;
		// If staff have left, the next customer must not see the refusal.
		if (!signal?.aborted && getState().visit === visit) dispatch(alertShown({ text: answer.message ?? staffText.list.gangguan }));
		return null;
	};

export type ResendOutcome = { sent: boolean; words: string };

/**
 * Asks the back office to resend the callback of a payment.
 * @returns the message for staff, or null while a call is running
 */
export const resendCallback =
	({ id }: Transaction): AppThunk<Promise<ResendOutcome | null>> =>
	async (dispatch, getState, { api }) => {
		if (getState().loading) return null;
		dispatch(loadingSet(true));
		const answer = await api.resendCallback(id);
		dispatch(loadingSet(false));
		if (answer.ok && answer.value.success) return { sent: true, words: staffText.detail.resent };
		if (answer.ok) return { sent: false, words: staffText.detail.resendRefused(answer.value.message || staffText.list.gangguan) };
		return { sent: false, words: answer.message === null ? staffText.detail.resendFailed : staffText.detail.resendRefused(answer.message) };
	};

/**
 * Prints the receipt of a transaction in the list. The daemon marks a second print as a copy.
 * @returns the same as `printOut`
 */
export const printTransaction = ({ id, noinvoice }: Transaction): AppThunk<Promise<'page' | 'sent'>> =>
	printOut({ id, noinvoice, of: 'list' });
