import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Session } from '../lib/session-cookie.ts';

/** The page's session while an outlet is logged in, otherwise null. */
const slice = createSlice({
	name: 'session',
	initialState: null as Session | null,
	reducers: {
		loggedIn: (_, { payload }: PayloadAction<Session>) => payload,
		loggedOut: () => null,
	},
});

export const { loggedIn, loggedOut } = slice.actions;
export const sessionReducer = slice.reducer;
