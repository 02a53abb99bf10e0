// @module-tag deep
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Catalogue, indonesian } from '../../ui/src/text/catalogue.ts';
import { english } from '../../ui/src/text/english/english.ts';
import { javanese } from '../../ui/src/text/javanese/javanese.ts';
import { logIn, shot } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { SIZES, violations } from '../support/inspect.ts';
import { DEAD_PRINTER, type Kiosk } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';
import { fillPanel, misfits, PANELS } from '../support/ruler.ts';
import { until } from '../support/until.ts';

let kiosk: Kiosk;
let page: Page;

async function start(size: { width: number; height: number }): Promise<void> {
	kiosk = await kioskForTest({ login: false, settings: DEAD_PRINTER, edc: { lines: 'qris = true' } });
	page = await inspectedPage(size);
}

/**
 * Makes words 40 % longer, except Rp, INV and Development. The test passes this function to the
 * page, too.
 */
const longer = (text: string): string =>
	text.replace(
		/(?<![\p{L}\d/])(?!Rp|INV|Development)\p{L}{2,}/gu,
		(word) => word + word.slice(0, Math.ceil(word.length * 0.4)).toLowerCase(),
	);

/** @returns JavaScript source of this part of a catalogue, with longer words */
function sourceOf(node: unknown): string {
	if (typeof node === 'string') return JSON.stringify(longer(node));
	if (typeof node === 'function') return `(...given) => longer((${node})(...given))`;
	if (Array.isArray(node)) return `[${node.map(sourceOf).join(',')}]`;
	return `{${Object.entries(node as object)
		.map(([key, one]) => `${JSON.stringify(key)}: ${sourceOf(one)}`)
		.join(',')}}`;
}

/** Serves lengthened Indonesian in place of English. */
const serveLongWords = (): Promise<unknown> =>
	page.route(/\/assets\/english-[^/]*\.js$/, (route) =>
		route.fulfill({
			contentType: 'text/javascript',
			body: `const longer = ${longer}; export const english = ${sourceOf(indonesian)};`,
		}),
	);

const atHome = () => page.locator('#hp').waitFor();
const tile = (index: number) => page.locator('main [class*="tiles"] button').nth(index);
async function enter(number: string): Promise<void> {
	await page.keyboard.type(number);
	await page.keyboard.press('Enter');
}

describe.each(Object.entries(SIZES))('%s', (orientation, size) => {
	/**
	 * Walks through the key screens, and checks that each fits every panel.
	 * @param say returns the text that `find` selects, from the catalogue of the language
	 */
	async function walk(name: string, language: string, say: (find: (from: Catalogue) => string) => string) {
		const fits = async (screen: string) => {
			for (const inch of PANELS) {
				await fillPanel(page, inch);
				await shot(page, `${orientation}-${name}-${screen}-${inch}`);
				expect(await misfits(page), `${screen} in ${name} on ${inch} inch`).toEqual([]);
			}
			await fillPanel(page, 21.5);
		};
		const choose = async () => {
			await page.getByRole('button', { name: language }).click();
			await page.getByRole('heading', { name: say((from) => from.screens.home.title) }).waitFor();
		};
		await atHome();
		await choose();
		await fits('home');
		await page.getByRole('button', { name: say((from) => from.screens.aids.title) }).click();
		await fits('aids');
		await page.keyboard.press('Escape');
		await enter('081234567890');
		await tile(0).waitFor();
		await fits('method');
		await tile(1).click();
		await tile(2).waitFor();
		await fits('method-non-cash');
		await tile(0).click();
		await page.getByRole('heading', { name: say((from) => from.edc.screen.title) }).waitFor();
		await fits('card');

		await page.goto(kiosk.daemon.url);
		await atHome();
		await choose();
		// This invoice is partly paid in cash, so the look-up leads to the cash screen.
		await enter('081200000002');
		const question = page.getByRole('dialog');
		await question.getByText(say((from) => from.payment.paper.title)).waitFor();
		await fits('cash-no-paper');
		await question.getByRole('button', { name: say((from) => from.payment.paper.goOn) }).click();
		await page
			.getByText(
				say((from) => from.acceptor.states.ready.status),
				{ exact: true },
			)
			.waitFor();
		await fits('cash');
		await feedNote(kiosk, 10_000);
		await page.locator('tr[data-newest="true"]').waitFor();
		kiosk.acceptor.device.break('stacker');
		await page
			.getByText(say((from) => from.acceptor.states.stacker_problem.status))
			.first()
			.waitFor();
		await fits('cash-fault');
	}

	test('the key screens have room for words that are 40 % longer than the Indonesian words', async () => {
		await start(size);
		await serveLongWords();
		await logIn(page, kiosk);
		await walk('long words', 'English', (find) => longer(find(indonesian)));
	});

	test.each([
		['English', english],
		['Basa Jawa', javanese],
	])('the key screens fit every panel in %s', async (language, catalogue) => {
		await start(size);
		await logIn(page, kiosk);
		await walk(language, language, (find) => find(catalogue));
	});

	test('screens with large text, high contrast and (in portrait) low controls fit and are accessible; when the kiosk is home again, all aids are off', async () => {
		await start(size);
		await logIn(page, kiosk);
		const fits = async (name: string) => {
			await shot(page, `${orientation}-aids-${name}`);
			expect([await misfits(page), await violations(page)], name).toEqual([[], []]);
		};
		await page.getByRole('button', { name: 'Bantuan tampilan' }).click();
		await fits('panel');
		if (orientation === 'portrait') {
			await page.getByRole('button', { name: 'Posisi rendah' }).click();
			const answers = await page.getByRole('dialog').getByRole('button').first().boundingBox();
			expect(answers?.y, 'the highest control of a question').toBeGreaterThan(size.height / 2);
			await page.keyboard.press('Escape');
			expect(await highestControl()).toBeGreaterThan(0.5);
			await fits('low');
			await page.getByRole('button', { name: 'Bantuan tampilan' }).click();
		}
		await page.getByRole('button', { name: 'Teks besar' }).click();
		await page.getByRole('button', { name: 'Kontras tinggi' }).click();
		await fits('panel-on');
		await page.keyboard.press('Escape');
		await fits('home');
		// In high contrast no drawing is behind the words. axe does not detect such drawings.
		expect(await page.locator('header > svg').isVisible()).toBe(false);
		await enter('081234567890');
		await tile(0).waitFor();
		await fits('method');
		await tile(0).click();
		await page.getByRole('dialog').getByText('Struk tidak tersedia').waitFor();
		await fits('cash-no-paper');
		await page.getByRole('dialog').getByRole('button', { name: 'Lanjut' }).click();
		await page.getByText('Ready', { exact: true }).waitFor();
		await fits('cash');
		const large = await dueSize();
		await page.getByRole('button', { name: 'Bantuan tampilan' }).click();
		await page.getByRole('button', { name: 'Teks besar' }).click();
		await page.keyboard.press('Escape');
		await until(async () => expect(await page.evaluate(() => document.documentElement.dataset.text)).toBe('usual'));
		// On a portrait panel the amount fills the width. With large text the margins are larger and
		// take 2 % of the width.
		const least = orientation === 'portrait' ? 0.98 : 1;
		expect(large, 'the amount due in large text').toBeGreaterThanOrEqual(least * (await dueSize()));
		await page.getByRole('button', { name: 'Kembali' }).click();
		await atHome();
		expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).toMatchObject({
			contrast: 'usual',
			reach: 'usual',
			text: 'usual',
		});
	});
});

test('with low controls and high contrast, non-cash and card screens fit with every control in the lower half', async () => {
	await start(SIZES.portrait);
	await logIn(page, kiosk);
	const button = (name: string | RegExp) => page.getByRole('button', { name });
	const begin = async (hp: string) => {
		await button('Bantuan tampilan').click();
		for (const aid of ['Posisi rendah', 'Kontras tinggi']) await button(aid).click();
		await page.keyboard.press('Escape');
		await enter(hp);
		await button(/Bayar Non Tunai/).click();
		await tile(2).waitFor();
	};
	const fits = async (name: string) => {
		await shot(page, `portrait-low-${name}`);
		// The text of a QR code may end with an ellipsis, because phones scan the code.
		const cut = (await misfits(page)).filter((what) => !what.startsWith('"000201'));
		expect([cut, await violations(page)], name).toEqual([[], []]);
		expect(await highestControl(), name).toBeGreaterThan(0.5);
	};
	await begin('081234567890');
	await fits('method-non-cash');
	await button(/QRIS/).first().click();
	await page.getByText('Gunakan Mbanking anda').waitFor();
	await fits('qris');
	await page.goto(kiosk.daemon.url);
	await begin('081200000005');
	await button(/Virtual Account/).click();
	await button('Mandiri').waitFor();
	await fits('banks');
	await button('Mandiri').click();
	await page.getByText('8860800000000006').waitFor();
	await fits('va');
	const invoice = kiosk.backOffice.books.find('081200000005');
	if (invoice) kiosk.backOffice.books.pay(invoice, 'va');
	await page.getByText('Terima kasih, pembayaran Anda sudah kami terima.').waitFor();
	await fits('paid');
	// Without a receipt the paid screen would stay for half a minute, so the test leaves the screen.
	await button('Kembali').click();
	await atHome();
	await begin('081200000008');
	await tile(0).click();
	await page.getByRole('heading', { name: 'PETUNJUK PEMBAYARAN' }).waitFor();
	await fits('card');
});

/** @returns the font size of the amount due on the cash screen, px */
const dueSize = (): Promise<number> =>
	page
		.getByRole('progressbar')
		.locator('xpath=following-sibling::*')
		.getByText(/^Rp/)
		.last()
		.evaluate((amount) => Number.parseFloat(getComputedStyle(amount).fontSize));

/** @returns the middle of the highest button or field, as a fraction of the panel's height */
const highestControl = (): Promise<number> =>
	page.evaluate(() =>
		Math.min(
			...[...document.querySelectorAll('button, input')]
				.map((control) => control.getBoundingClientRect())
				.filter((box) => box.width > 0)
				.map((box) => (box.top + box.height / 2) / innerHeight),
		),
	);
