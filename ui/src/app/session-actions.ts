import { text } from '../text/screens.ts';
import { clearSession } from './session-cookie.ts';
import { alertShown } from './state/alert.ts';
import { loggedOut } from './state/session.ts';
import { visitEnded } from './state/visit.ts';
import type { AppThunk } from './store.ts';
import { clearVisit } from './visit-storage.ts';

/** Forgets customer and payment, in memory and in session storage. */
export const endVisit = (): AppThunk => (dispatch) => {
	clearVisit();
	dispatch(visitEnded());
};

/** Forgets the outlet in this browser; the guard of the routes then leads to /login. */
export const endSession = (): AppThunk => (dispatch) => {
	clearSession();
	dispatch(endVisit());
	dispatch(loggedOut());
};

/** Ends this page's session, here and in the daemon; done here whatever it answers. The outlet stays logged in. */
export const leavePage =
	(): AppThunk<Promise<void>> =>
	async (dispatch, _, { api }) => {
		await api.leave();
		dispatch(endSession());
	};

/** Staff log the outlet out of this kiosk; a daemon that does not do it is told in the alert. */
export const logOut =
	(): AppThunk<Promise<void>> =>
	async (dispatch, _, { api }) => {
		const answer = await api.logout();
		if (answer.ok) dispatch(endSession());
		else dispatch(alertShown({ text: text.gangguan }));
	};
