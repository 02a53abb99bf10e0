import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Language } from '../text/language.ts';

/** Display aids, off until a customer chooses them. `muted` switches off the spoken guidance. */
export type Aid = 'largeText' | 'contrast' | 'lowReach' | 'muted';

/** `open`: the panel with the switches is on the screen. */
type Aids = Record<Aid, boolean> & { open: boolean };

const initialState: Aids = { largeText: false, contrast: false, lowReach: false, muted: false, open: false };

const slice = createSlice({
	name: 'aids',
	initialState,
	reducers: {
		aidsOpened: (state) => {
			state.open = true;
		},
		aidsClosed: (state) => {
			state.open = false;
		},
		aidSwitched: (state, { payload }: PayloadAction<Aid>) => {
			state[payload] = !state[payload];
		},
		aidsReset: () => initialState,
	},
});

export const { aidsOpened, aidsClosed, aidSwitched, aidsReset } = slice.actions;
export const aidsReducer = slice.reducer;

/** @returns whether a customer chose a language or an aid, which the next one must not inherit */
export const choiceMade = ({ aids, language }: { aids: Aids; language: { shown: Language } }): boolean =>
	language.shown !== 'id' || Object.values(aids).includes(true);
