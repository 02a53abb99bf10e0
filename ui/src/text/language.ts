import type { Catalogue } from './catalogue.ts';

/** The languages, as tags for the document's `lang`. */
export const LANGUAGES = ['id', 'en', 'jv'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in the language itself. A translation does not change these names. */
export const LANGUAGE_NAMES: Record<Language, string> = { id: 'Indonesia', en: 'English', jv: 'Basa Jawa' };

/**
 * Functions that load the translations. A translation is loaded only when a customer chooses it, so
 * that the first page stays small.
 */
const LOADERS: Record<Exclude<Language, 'id'>, () => Promise<Catalogue>> = {
	en: async () => (await import('./english/english.ts')).english,
	jv: async () => (await import('./javanese/javanese.ts')).javanese,
};

/** Sets the texts to Indonesian again. Before a translation was loaded, it does nothing. */
export let setIndonesian = (): void => {};

/**
 * Loads a language. Rejects if its files cannot be fetched.
 * @returns a function that sets the texts for customers to this language. After calling it, the
 * caller must render the screens again.
 */
export async function loadLanguage(language: Language): Promise<() => void> {
	if (language === 'id') return () => setIndonesian();
	const [{ indonesian, setCatalogue }, catalogue] = await Promise.all([import('./catalogue.ts'), LOADERS[language]()]);
	setIndonesian = () => setCatalogue(indonesian);
	return () => setCatalogue(catalogue);
}
