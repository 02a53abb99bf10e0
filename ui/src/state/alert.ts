import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { staffOpened } from './pin-lock.ts';
import { loggedIn } from './session.ts';
import { visitEnded } from './visit.ts';

export type AlertColor = 'danger' | 'warning';
/** `number` distinguishes two alerts with the same text, so that each stays for its full time. */
type Alert = { show: boolean; text: string; color: AlertColor; number: number };

const initialState: Alert = { show: false, text: '', color: 'danger', number: 0 };

const slice = createSlice({
	name: 'alert',
	initialState,
	reducers: {
		alertShown: (state, { payload }: PayloadAction<{ text: string; color?: AlertColor }>) => ({
			show: true,
			text: payload.text,
			color: payload.color ?? 'danger',
			number: state.number + 1,
		}),
		alertClosed: (state) => ({ ...initialState, number: state.number }),
	},
	extraReducers: (builder) => {
		const closed = (state: Alert): Alert => ({ ...initialState, number: state.number });
		// The next customer must not see an alert for the previous one.
		builder.addCase(visitEnded, closed);
		// A right PIN or password closes the alert about a wrong PIN or password.
		builder.addCase(staffOpened, closed);
		builder.addCase(loggedIn, closed);
	},
});

export const { alertShown, alertClosed } = slice.actions;
export const alertReducer = slice.reducer;
