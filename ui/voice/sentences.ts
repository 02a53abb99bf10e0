import { type Catalogue, indonesian } from '../src/text/catalogue.ts';
import { english } from '../src/text/english/english.ts';
import { javanese } from '../src/text/javanese/javanese.ts';
import type { Language } from '../src/text/language.ts';
import { numberWords, sentencesOf } from '../src/text/spoken.ts';

const CATALOGUES: Record<Language, Catalogue> = { id: indonesian, en: english, jv: javanese };

/**
 * @returns every fixed text below this node. Functions are skipped, because the numbers, names or
 * reasons that they insert are not known here.
 */
function textsIn(node: unknown): string[] {
	if (typeof node === 'string') return [node];
	return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsIn) : [];
}

/** @returns every sentence and word that is recorded for this language */
export function sentencesIn(language: Language): string[] {
	// The steps in a bank's app are not recorded, because customers do them on their phones.
	const { acceptor, edc, nonCash, payment, returns, screens } = CATALOGUES[language];
	const { aids, gangguan, home, idle, note, transferGuide } = screens;
	const spoken = { acceptor, edc, nonCash, payment, returns, aids, gangguan, home, idle, note, transferGuide };
	const { print } = payment;
	const reasons = [...Object.values(print.reasons), print.otherReason].flatMap((reason) => [print.failed(reason), print.trouble(reason)]);
	return [...new Set([...[...textsIn(spoken), ...reasons].flatMap(sentencesOf), ...numberWords(language)])];
}
