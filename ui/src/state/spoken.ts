import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** A text of the catalogue, or an amount in rupiah. */
export type Part = string | number;

/**
 * What each component wants to be spoken. The newest is last and is the one that is spoken, because
 * a question covers its screen. Empty if the settings give the kiosk no voice.
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
