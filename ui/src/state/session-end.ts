import type { Dispatch } from '@reduxjs/toolkit';
import { forgetLogo } from '../lib/kept-logo.ts';
import { clearSession } from '../lib/session-cookie.ts';
import { clearVisit } from '../lib/visit-storage.ts';
import { aidsReset } from './aids.ts';
import { resetLanguage } from './language.ts';
import { loggedOut } from './session.ts';
import { visitEnded } from './visit.ts';

const clear = (dispatch: Dispatch): void => {
	clearVisit();
	dispatch(visitEnded());
};

/** Resets language and aids for the next customer and for staff. */
export const resetChoices =
	() =>
	(dispatch: Dispatch): void => {
		resetLanguage()(dispatch);
		dispatch(aidsReset());
	};

/**
 * Clears the data of customer and payment, in memory and in session storage. If no invoice was
 * found, language and aids stay, because the same customer is probably going to correct the number.
 */
export const endVisit =
	() =>
	(dispatch: Dispatch, getState: () => { invoice: { detail: unknown } }): void => {
		if (getState().invoice.detail !== null) resetChoices()(dispatch);
		clear(dispatch);
	};

/**
 * Clears the outlet's session and logo in this browser. After that, the route guard leads to
 * /login.
 */
export const endSession =
	() =>
	(dispatch: Dispatch): void => {
		clearSession();
		forgetLogo();
		resetChoices()(dispatch);
		clear(dispatch);
		dispatch(loggedOut());
	};
