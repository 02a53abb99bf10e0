import { alertShown } from '../../state/alert.ts';
import { endSession } from '../../state/session-end.ts';
import type { AppThunk } from '../../state/store.ts';
import { text } from '../../text/screens.ts';

/**
 * Ends this page's session in the daemon and in the browser; in the browser even if the daemon does
 * not answer. The outlet stays logged in.
 */
export const leavePage =
	(): AppThunk<Promise<void>> =>
	async (dispatch, _, { api }) => {
		await api.leave();
		dispatch(endSession());
	};

/** Logs the outlet out of this kiosk. A failure is shown as an alert. */
export const logOut =
	(): AppThunk<Promise<void>> =>
	async (dispatch, _, { api }) => {
		const answer = await api.logout();
		if (answer.ok) dispatch(endSession());
		else dispatch(alertShown({ text: text.gangguan }));
	};
