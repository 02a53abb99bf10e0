import { createSlice } from '@reduxjs/toolkit';

/** Whether the attract screen, which invites customers, covers the home screen. */
const slice = createSlice({
	name: 'attract',
	initialState: false,
	reducers: {
		attractBegan: () => true,
		attractEnded: () => false,
	},
});

export const { attractBegan, attractEnded } = slice.actions;
export const attractReducer = slice.reducer;
