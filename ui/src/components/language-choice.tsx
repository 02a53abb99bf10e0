import { chooseLanguage } from '../state/choose-language.ts';
import { useAppDispatch, useAppSelector } from '../state/store.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../text/language.ts';
import { text } from '../text/screens.ts';
import styles from './language-choice.module.css';

/** Each language by its own name, so that a customer finds it without knowing another language. */
export function LanguageChoice() {
	const dispatch = useAppDispatch();
	const wished = useAppSelector((state) => state.language.wished);
	return (
		// Touching a language keeps the caret in place for an attached keyboard or scanner.
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
