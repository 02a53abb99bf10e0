// @module-tag deep
import { expect, test } from 'vitest';
import { logIn, shot, typeNumber } from '../support/browser.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';

const BUDI = '081234567890';
const MARIA = '081200000005';
const logo = (colour: string): string => {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><text y="48" font-size="48" fill="${colour}">MAJU</text></svg>`;
	return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};

test('a dark logo is drawn on white and a white logo on another colour; the logo is still shown after a reload, but not after a log-out', async () => {
	const kiosk = await kioskForTest({ login: false });
	const page = await pageForTest();
	const mark = page.locator('header img');
	const ground = () => mark.evaluate((picture) => getComputedStyle(picture).backgroundColor);
	const WHITE = 'rgb(255, 255, 255)';
	Object.assign(kiosk.backOffice.books.find(BUDI) ?? {}, { logo: logo('#fff') });
	Object.assign(kiosk.backOffice.books.find(MARIA) ?? {}, { logo: logo('#0b3d91') });

	await logIn(page, kiosk);
	await typeNumber(page, MARIA);
	await mark.waitFor();
	await page.getByRole('button', { name: /Bayar Tunai/ }).waitFor();
	expect(await ground()).toBe(WHITE);
	await shot(page, 'logo-dark');
	await page.goto(kiosk.daemon.url);
	await typeNumber(page, BUDI);
	await page.locator('header img[data-light="true"]').waitFor();
	expect(await ground()).not.toBe(WHITE);
	await page.goto(kiosk.daemon.url);
	await page.locator('header img[data-light="true"]').waitFor();
	await shot(page, 'logo-white-reloaded');

	await page.goto(`${kiosk.daemon.url}/logout`);
	await page.getByLabel('Username').waitFor();
	expect(await mark.count()).toBe(0);
	await logIn(page, kiosk);
	expect(await mark.count()).toBe(0);
});
