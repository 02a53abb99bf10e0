import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Language } from '../text/language.ts';

/** The display aids. Each is off until a customer switches it on. */
export type Aid = 'largeText' | 'contrast' | 'lowReach';

/** Volumes of the spoken guidance, in the order in which the volume key selects them. */
const VOLUMES = ['normal', 'loud', 'off'] as const;
export type Volume = (typeof VOLUMES)[number];

/** `open`: whether the dialog with the switches is on the screen. */
type Aids = Record<Aid, boolean> & { open: boolean; volume: Volume };

const initialState: Aids = { largeText: false, contrast: false, lowReach: false, open: false, volume: 'normal' };

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
		volumeChanged: (state) => {
			state.volume = VOLUMES[(VOLUMES.indexOf(state.volume) + 1) % VOLUMES.length] ?? 'normal';
		},
		aidsReset: () => initialState,
	},
});

export const { aidsOpened, aidsClosed, aidSwitched, aidsReset, volumeChanged } = slice.actions;
export const aidsReducer = slice.reducer;

/**
 * @returns whether a customer chose a language, an aid or a volume, which the next customer must
 * not get
 */
export const choiceMade = ({ aids, language }: { aids: Aids; language: { shown: Language } }): boolean =>
	language.shown !== 'id' || aids.volume !== 'normal' || Object.values(aids).includes(true);
