import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** A text of the catalogue, or an amount in rupiah. */
export type Part = string | number;

/**
 * The spoken text of each component, newest last, because a question covers its screen.
 * Empty if the kiosk's voice is off.
 */
type Spoken = { key: string; parts: readonly Part[] }[];

const slice = createSlice({
	name: 'spoken',
	initialState: [] as Spoken,
	reducers: {
		sentenceShown: (state, { payload }: PayloadAction<{ key: string; parts: readonly Part[] }>) => {
			const shown = state.find(({ key }) => key === payload.key);
			if (shown === undefined) state.push({ key: payload.key, parts: [...payload.parts] });
			else shown.parts = [...payload.parts];
		},
		sentenceGone: (state, { payload }: PayloadAction<string>) => state.filter(({ key }) => key !== payload),
	},
});

export const { sentenceShown, sentenceGone } = slice.actions;
export const spokenReducer = slice.reducer;
