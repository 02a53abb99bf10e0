import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** Whether the screen waits for the answer to a call that the user caused. */
const slice = createSlice({
	name: 'loading',
	initialState: false as boolean,
	reducers: {
		loadingSet: (_, { payload }: PayloadAction<boolean>) => payload,
	},
});

export const { loadingSet } = slice.actions;
export const loadingReducer = slice.reducer;
