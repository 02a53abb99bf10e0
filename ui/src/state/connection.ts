import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/**
 * `opened` counts how often the socket to the daemon was opened. When it changes, the daemon may
 * have restarted.
 */
type Connection = { socket: boolean; backOffice: boolean; opened: number };

const initialState: Connection = { socket: false, backOffice: false, opened: 0 };

const slice = createSlice({
	name: 'connection',
	initialState,
	reducers: {
		socketOpened: (state) => {
			state.socket = true;
			state.opened += 1;
		},
		socketClosed: (state) => {
			state.socket = false;
			// Only the daemon knows whether the back office can be reached.
			state.backOffice = false;
		},
		backOfficeReached: (state, { payload }: PayloadAction<boolean>) => {
			state.backOffice = payload;
		},
	},
});

export const { socketOpened, socketClosed, backOfficeReached } = slice.actions;
export const connectionReducer = slice.reducer;

/** @returns whether the screen is connected to the daemon and the daemon to the back office */
export const isOnline = (connection: Connection): boolean => connection.socket && connection.backOffice;
