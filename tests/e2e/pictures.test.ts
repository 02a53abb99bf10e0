import { expect, test } from 'vitest';
import { type Catalogue, indonesian } from '../../ui/src/text/catalogue.ts';
import { english } from '../../ui/src/text/english/english.ts';
import { javanese } from '../../ui/src/text/javanese/javanese.ts';
import { LANGUAGE_NAMES, type Language } from '../../ui/src/text/language.ts';
import { SIZES } from '../support/inspect.ts';
import { DEAD_PRINTER } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { KEY_SCREENS } from '../support/pictures/key-screens.ts';
import { type WalkLanguage, walkScreens } from '../support/pictures/walk.ts';

// Takes pictures of all screen states in three sizes and three languages for `make screenshots`. If
// KIOSK_KEY_SCREENS is set, it takes only the twenty key screens, which are then compared with
// reference pictures.

const FOLDER = process.env.KIOSK_SHOTS;
const isKeyOnly = process.env.KIOSK_KEY_SCREENS !== undefined;

const PANELS = [
	{ size: 'L', viewport: SIZES.landscape, inch: 21.5 },
	{ size: 'P', viewport: SIZES.portrait, inch: 21.5 },
	{ size: 'S', viewport: { width: 1366, height: 768 }, inch: 15.6 },
];
/** @returns the language, with the step that chooses it on the home screen */
const chosen = (tag: Language, words: Catalogue): WalkLanguage => ({
	tag,
	words,
	async choose(page) {
		await page.getByRole('button', { name: LANGUAGE_NAMES[tag] }).click();
		await page.getByRole('heading', { name: words.screens.home.title }).waitFor();
	},
});
const LANGUAGES = [
	{ tag: 'id', words: indonesian, choose: async () => {} } satisfies WalkLanguage,
	chosen('en', english),
	chosen('jv', javanese),
];

const WALKS = PANELS.flatMap((panel) => LANGUAGES.map((language) => ({ ...panel, language, ends: `${panel.size}.${language.tag}` })));
const wanted = WALKS.filter(({ ends }) => !isKeyOnly || KEY_SCREENS.some((name) => name.endsWith(`.${ends}`)));

test.skipIf(!FOLDER).each(wanted)('pictures of all states: $ends', async ({ viewport, inch, language, ends }) => {
	const kiosk = await kioskForTest({ login: false, edc: {}, settings: DEAD_PRINTER });
	const page = await pageForTest({ viewport, reducedMotion: 'reduce' });
	await page.clock.install();
	const taken: string[] = [];
	await walkScreens({
		page,
		kiosk,
		inch,
		language,
		take: async (state) => {
			taken.push(state);
			const name = `${state}.${ends}`;
			if (!isKeyOnly || KEY_SCREENS.includes(name)) await page.screenshot({ path: `${FOLDER}/${name}.png` });
		},
	});
	expect(new Set(taken).size).toBe(taken.length);
});
