import type { Dispatch } from '@reduxjs/toolkit';
import { clearSession } from '../lib/session-cookie.ts';
import { clearVisit } from '../lib/visit-storage.ts';
import { loggedOut } from './session.ts';
import { visitEnded } from './visit.ts';

/** Clears customer and payment, in memory and in session storage. */
export const endVisit =
	() =>
	(dispatch: Dispatch): void => {
		clearVisit();
		dispatch(visitEnded());
	};

/** Clears the outlet's session in this browser; the route guard then leads to /login. */
export const endSession =
	() =>
	(dispatch: Dispatch): void => {
		clearSession();
		endVisit()(dispatch);
		dispatch(loggedOut());
	};
