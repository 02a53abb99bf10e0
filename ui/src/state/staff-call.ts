import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** A customer's call for staff. There is at most one, and it stays open after the visit. */
type StaffCall = {
	/** When the open call was made, ISO 8601; null if none is open. */
	since: string | null;
	asking: boolean;
	failed: boolean;
};

const initialState: StaffCall = { since: null, asking: false, failed: false };

const slice = createSlice({
	name: 'staffCall',
	initialState,
	reducers: {
		callHeard: (_, { payload }: PayloadAction<string | null>): StaffCall => ({ ...initialState, since: payload }),
		callAsked: (state) => {
			state.asking = true;
		},
		callFailed: (): StaffCall => ({ ...initialState, failed: true }),
	},
});

export const { callHeard, callAsked, callFailed } = slice.actions;
export const staffCallReducer = slice.reducer;
