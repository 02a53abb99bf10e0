import { clearSession } from '../../lib/session-cookie.ts';
import { clearVisit } from '../../lib/visit-storage.ts';
import { alertShown } from '../../state/alert.ts';
import { loggedOut } from '../../state/session.ts';
import type { AppThunk } from '../../state/store.ts';
import { visitEnded } from '../../state/visit.ts';
import { text } from '../../text/screens.ts';

/** Clears customer and payment, in memory and in session storage. */
export const endVisit = (): AppThunk => (dispatch) => {
	clearVisit();
	dispatch(visitEnded());
};

/** Clears the outlet's session in this browser; the route guard then leads to /login. */
export const endSession = (): AppThunk => (dispatch) => {
	clearSession();
	dispatch(endVisit());
	dispatch(loggedOut());
};

/**
 * Ends this page's session, here and in the daemon, regardless of the daemon's answer. The outlet
 * stays logged in.
 */
export const leavePage =
	(): AppThunk<Promise<void>> =>
	async (dispatch, _, { api }) => {
		await api.leave();
		dispatch(endSession());
	};

/** Logs the outlet out of this kiosk; a refusal is shown as an alert. */
export const logOut =
	(): AppThunk<Promise<void>> =>
	async (dispatch, _, { api }) => {
		const answer = await api.logout();
		if (answer.ok) dispatch(endSession());
		else dispatch(alertShown({ text: text.gangguan }));
	};
