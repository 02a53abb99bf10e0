import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** Whether the screen waits for an answer that the user requested. */
const slice = createSlice({
	name: 'loading',
	initialState: false as boolean,
	reducers: {
		loadingSet: (_, { payload }: PayloadAction<boolean>) => payload,
	},
});

export const { loadingSet } = slice.actions;
export const loadingReducer = slice.reducer;
