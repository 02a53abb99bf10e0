import { readLanguage, writeLanguage } from '../lib/visit-storage.ts';
import { LANGUAGES, type Language, loadLanguage } from '../text/language.ts';
import { languageShown, languageWished } from './language.ts';
import type { AppThunk } from './store.ts';

/**
 * Shows the texts for customers in this language until the visit ends. If its files cannot be
 * loaded, the present language stays.
 */
export const chooseLanguage =
	(language: Language): AppThunk<Promise<void>> =>
	async (dispatch, getState) => {
		dispatch(languageWished(language));
		const set = await loadLanguage(language).catch(() => null);
		// A later choice or the end of the visit has replaced this choice.
		if (getState().language.wished !== language) return;
		if (set === null) {
			dispatch(languageShown(getState().language.shown));
			return;
		}
		set();
		writeLanguage(language);
		dispatch(languageShown(language));
	};

/** A page that was reloaded during a visit keeps the customer's language. */
export const restoreLanguage = (): AppThunk<Promise<void>> => async (dispatch) => {
	const kept = LANGUAGES.find((language) => language === readLanguage());
	if (kept !== undefined && kept !== 'id') await dispatch(chooseLanguage(kept));
};
