import { readLanguage, writeLanguage } from '../lib/visit-storage.ts';
import { LANGUAGES, type Language, loadLanguage } from '../text/language.ts';
import { languageShown, languageWished } from './language.ts';
import type { AppThunk } from './store.ts';

/**
 * Shows the texts for customers in this language until the visit ends. If the files of this
 * language cannot be loaded, the present language stays.
 */
export const chooseLanguage =
	(language: Language): AppThunk<Promise<void>> =>
	async (dispatch, getState) => {
		dispatch(languageWished(language));
		const set = await loadLanguage(language).catch(() => null);
		// Meanwhile, the customer has chosen another language, or the visit has ended.
		if (getState().language.wished !== language) return;
		if (set === null) {
			dispatch(languageShown(getState().language.shown));
			return;
		}
		set();
		writeLanguage(language);
		dispatch(languageShown(language));
	};

/** Restores the customer's language if the page was reloaded during a visit. */
export const restoreLanguage = (): AppThunk<Promise<void>> => async (dispatch) => {
	const kept = LANGUAGES.find((language) => language === readLanguage());
	if (kept !== undefined && kept !== 'id') await dispatch(chooseLanguage(kept));
};
