import type { Dispatch } from '@reduxjs/toolkit';
import { clearSession } from '../lib/session-cookie.ts';
import { clearVisit } from '../lib/visit-storage.ts';
import { resetLanguage } from './language.ts';
import { loggedOut } from './session.ts';
import { visitEnded } from './visit.ts';

const clear = (dispatch: Dispatch): void => {
	clearVisit();
	dispatch(visitEnded());
};

/**
 * Clears customer and payment, in memory and in session storage. The language stays where no invoice
 * was found: the same customer corrects the number.
 */
export const endVisit =
	() =>
	(dispatch: Dispatch, getState: () => { invoice: { detail: unknown } }): void => {
		if (getState().invoice.detail !== null) resetLanguage()(dispatch);
		clear(dispatch);
	};

/** Clears the outlet's session in this browser; the route guard then leads to /login. */
export const endSession =
	() =>
	(dispatch: Dispatch): void => {
		clearSession();
		resetLanguage()(dispatch);
		clear(dispatch);
		dispatch(loggedOut());
	};
