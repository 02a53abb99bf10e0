import type { ApiFailure } from '../../lib/api.ts';
import { forgetLogo } from '../../lib/kept-logo.ts';
import { type Session, writeSession } from '../../lib/session-cookie.ts';
import { alertShown } from '../../state/alert.ts';
import { loadingSet } from '../../state/loading.ts';
import { loggedIn } from '../../state/session.ts';
import type { AppThunk } from '../../state/store.ts';
import { text } from '../../text/screens.ts';
import { staffText } from '../../text/staff.ts';

/**
 * @returns the server's message. If there is none, status 400 or 401 means wrong credentials; every
 * other failure means a fault.
 */
const loginFailure = (failure: ApiFailure): string =>
	failure.message ?? (failure.status === 400 || failure.status === 401 ? staffText.login.refused : text.gangguan);

/**
 * Logs the outlet in. A failure is shown as an alert.
 * @returns whether the outlet is now logged in
 */
export const logIn =
	(credentials: { username: string; password: string }): AppThunk<Promise<boolean>> =>
	async (dispatch, getState, { api }) => {
		if (getState().loading) return false;
		dispatch(loadingSet(true));
		const answer = await api.login(credentials);
		dispatch(loadingSet(false));
		if (!answer.ok) {
			dispatch(alertShown({ text: loginFailure(answer) }));
			return false;
		}
		const session: Session = { token: answer.value.token, development: answer.value.development };
		// If the previous session ended on another page, its logo is still stored in this browser.
		forgetLogo();
		writeSession(session);
		dispatch(loggedIn(session));
		return true;
	};
