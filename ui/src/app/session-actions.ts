import { clearSession } from './session-cookie.ts';
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

/** Tells the daemon to forget the outlet; done here whatever it answers. */
export const logOut =
	(): AppThunk<Promise<void>> =>
	async (dispatch, _, { api }) => {
		await api.logout();
		dispatch(endSession());
	};
