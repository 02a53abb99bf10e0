import { expect, test } from 'vitest';
import { indonesian } from '../../ui/src/text/catalogue.ts';
import { SIZES } from '../support/inspect.ts';
import { printerSection } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { KEY_SCREENS } from '../support/pictures/key-screens.ts';
import { type WalkLanguage, walkScreens } from '../support/pictures/walk.ts';

// Pictures of every state, size and language, for `make screenshots`; with KIOSK_KEY_SCREENS only
// the twenty key screens, for the comparison with their references.

const FOLDER = process.env.KIOSK_SHOTS;
const isKeyOnly = process.env.KIOSK_KEY_SCREENS !== undefined;

const PANELS = [
	{ size: 'L', viewport: SIZES.landscape, inch: 21.5 },
	{ size: 'P', viewport: SIZES.portrait, inch: 21.5 },
	{ size: 'S', viewport: { width: 1366, height: 768 }, inch: 15.6 },
];
/** Later languages join here; each is chosen on the home screen. */
const LANGUAGES: WalkLanguage[] = [{ tag: 'id', words: indonesian, choose: async () => {} }];

const WALKS = PANELS.flatMap((panel) => LANGUAGES.map((language) => ({ ...panel, language, ends: `${panel.size}.${language.tag}` })));
const wanted = WALKS.filter(({ ends }) => !isKeyOnly || KEY_SCREENS.some((name) => name.endsWith(`.${ends}`)));

test.skipIf(!FOLDER).each(wanted)('pictures of all states: $ends', async ({ viewport, inch, language, ends }) => {
	const kiosk = await kioskForTest({ login: false, edc: {}, settings: printerSection('ipp://127.0.0.1:9/printers/none') });
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
