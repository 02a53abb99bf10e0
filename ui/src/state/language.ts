import { createSlice, type Dispatch, type PayloadAction } from '@reduxjs/toolkit';
import { forgetLanguage } from '../lib/visit-storage.ts';
import { type Language, setIndonesian } from '../text/language.ts';

/**
 * `shown` is the language on the screen; `wished` is the chosen one, which may still be loading.
 */
type LanguageState = { wished: Language; shown: Language };

const initialState: LanguageState = { wished: 'id', shown: 'id' };

const slice = createSlice({
	name: 'language',
	initialState,
	reducers: {
		languageWished: (state, { payload }: PayloadAction<Language>) => {
			state.wished = payload;
		},
		languageShown: (_, { payload }: PayloadAction<Language>) => ({ wished: payload, shown: payload }),
	},
});

export const { languageWished, languageShown } = slice.actions;
export const languageReducer = slice.reducer;

/** Resets every text to Indonesian at once, for the next customer and for staff. */
export const resetLanguage =
	() =>
	(dispatch: Dispatch): void => {
		forgetLanguage();
		setIndonesian();
		dispatch(languageShown('id'));
	};
