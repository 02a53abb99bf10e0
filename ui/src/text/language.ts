import type { Catalogue } from './catalogue.ts';

/** Language tags as in the document's `lang`. The specification gives the Indonesian texts. */
export const LANGUAGES = ['id', 'en', 'jv'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. It is the same in every translation. */
export const LANGUAGE_NAMES: Record<Language, string> = { id: 'Indonesia', en: 'English', jv: 'Basa Jawa' };

/**
 * Functions that load the translations. A translation is loaded when it is chosen, so that the
 * first page stays small.
 */
const LOADERS: Record<Exclude<Language, 'id'>, () => Promise<Catalogue>> = {
	en: async () => (await import('./english/english.ts')).english,
	jv: async () => (await import('./javanese/javanese.ts')).javanese,
};

/** Resets the texts to Indonesian. Does nothing before a translation was loaded. */
export let setIndonesian = (): void => {};

/**
 * Loads a language. Rejects if the files cannot be fetched.
 * @returns a function that sets the texts for customers to this language; the screens must then be
 * rendered again
 */
export async function loadLanguage(language: Language): Promise<() => void> {
	if (language === 'id') return () => setIndonesian();
	const [{ indonesian, setCatalogue }, catalogue] = await Promise.all([import('./catalogue.ts'), LOADERS[language]()]);
	setIndonesian = () => setCatalogue(indonesian);
	return () => setCatalogue(catalogue);
}
