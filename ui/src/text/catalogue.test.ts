import { afterEach, expect, test } from 'vitest';
import { acceptorText } from './acceptor.ts';
import { indonesian } from './catalogue.ts';
import { english } from './english/english.ts';
import { javanese } from './javanese/javanese.ts';
import { loadLanguage, setIndonesian } from './language.ts';
import { text } from './screens.ts';
import { vaGuide } from './va-guides.ts';

afterEach(() => setIndonesian());

/** @returns by path: "text" for each text, and for each function its number of parameters */
function shapeOf(node: unknown, at = ''): Record<string, string> {
	if (typeof node === 'string') return { [at]: 'text' };
	if (typeof node === 'function') return { [at]: `${node.length} parameters` };
	const entries = Object.entries(node as object);
	return Object.assign({ [at]: `${entries.length} entries` }, ...entries.map(([key, one]) => shapeOf(one, `${at}.${key}`)));
}

/**
 * @returns whether a language may leave this text out: the text for a decline code, or a part of it
 */
const isOptional = (at: string) => /\.declines\.\w+(\.(retrying|money))?$/.test(at);
const required = (shape: Record<string, string>) => Object.fromEntries(Object.entries(shape).filter(([at]) => !isOptional(at)));

test.each([
	['English', english],
	['Javanese', javanese],
])('%s has the same texts as Indonesian, with as many steps, columns and parameters', (_name, catalogue) => {
	expect(required(shapeOf(catalogue))).toEqual(required(shapeOf(indonesian)));
});

test.each([
	['en', english],
	['jv', javanese],
] as const)('after %s was chosen, the texts are in that language; Indonesian can be restored at once', async (language, catalogue) => {
	const given = [text.home.title, acceptorText.bill_jam.status, vaGuide('bca').channels[0].steps[0]];
	(await loadLanguage(language))();
	const chosen = [text.home.title, acceptorText.bill_jam.status, vaGuide('bca').channels[0].steps[0]];
	expect(chosen).toEqual([
		catalogue.screens.home.title,
		catalogue.acceptor.states.bill_jam.status,
		catalogue.guides.banks.bca.channels[0].steps[0],
	]);
	setIndonesian();
	expect([text.home.title, acceptorText.bill_jam.status, vaGuide('bca').channels[0].steps[0]]).toEqual(given);
});
