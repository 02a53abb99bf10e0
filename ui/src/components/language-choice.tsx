import { chooseLanguage } from '../state/choose-language.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../text/language.ts';
import { text } from '../text/screens.ts';
import styles from './language-choice.module.css';

/**
 * Shows each language by its own name, so that customers find theirs without knowing another
 * language.
 */
export function LanguageChoice() {
	const dispatch = useAppDispatch();
	const wished = useAppSelector((state) => state.language.wished);
	return (
		// Touching a language does not move the focus out of the field, so that an attached keyboard or
		// scanner stays usable.
		<fieldset className={styles.choice} onPointerDown={(event) => event.preventDefault()}>
			<legend className="silent">{text.language}</legend>
			{LANGUAGES.map((language) => (
				<button
					key={language}
					type="button"
					lang={language}
					className={styles.language}
					aria-pressed={language === wished}
					onClick={() => void dispatch(chooseLanguage(language))}
				>
					{LANGUAGE_NAMES[language]}
				</button>
			))}
		</fieldset>
	);
}
