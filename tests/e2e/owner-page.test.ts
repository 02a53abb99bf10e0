/**
 * Tests the page with which the owner checks QR codes without a kiosk. A real browser opens the
 * page from a file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rupiah } from '@kiosk/contract/money';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { openSlipKey, type SlipKey } from '../../daemon/src/proof/slip-key.ts';
import { type PaperFacts, slipText } from '../../daemon/src/proof/slip-text.ts';
import { shot } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { violations } from '../support/inspect.ts';
import { pageForTest } from '../support/page-for-test.ts';

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'owner', 'periksa-struk.html');
const FACTS: PaperFacts = {
	kind: 'receipt',
	noinvoice: 'INV/2026/11/0042',
	amount: rupiah(137_500),
	change: rupiah(12_500),
	time: '24-11-2026 09:25',
};
const OF = { record: 1_234, hash: '0123456789abcdef'.repeat(4) };

let folder: string;
let page: Page;
let requests: string[];

beforeEach(async () => {
	folder = temporaryFolder('owner-page');
	page = await pageForTest({ viewport: { width: 412, height: 1_000 } });
	requests = [];
	page.on('request', (request) => requests.push(request.url()));
});

function keyNamed(name: string): SlipKey & { line: string } {
	const key = openSlipKey(join(folder, name), { event: () => undefined }, () => new Date());
	if (!key) throw new Error('no key');
	return { ...key, line: `${key.id} ${key.publicKey} Kiosk ${name}` };
}
async function check(text: string, keys?: string): Promise<string | null> {
	if (keys !== undefined) await page.getByLabel('Daftar kunci kiosk').fill(keys);
	await page.getByLabel('Teks kode QR').fill(text);
	await page.getByRole('button', { name: 'Periksa' }).click();
	return page.getByRole('heading', { level: 2 }).textContent();
}

test('the page finds a receipt of a listed kiosk genuine, but not a receipt with an edited amount or an unlisted key', async () => {
	const [one, two] = [keyNamed('Depan'), keyNamed('Belakang')];
	const text = slipText(one, FACTS, OF);
	await page.goto(pathToFileURL(FILE).href);
	expect(await check(text, `# Outlet Jakarta\n${one.line}\n`)).toBe('Tanda tangan asli');
	const facts = await page.locator('dl').textContent();
	for (const fact of ['Struk', 'Kiosk Depan', 'INV/2026/11/0042', 'Rp 137.500', 'Rp 12.500', '24-11-2026 09:25', '1234'])
		expect(facts).toContain(fact);
	await page.getByText('tidak tahu apakah struk sudah dipakai').waitFor();
	await shot(page, 'owner-page-genuine');

	expect(await check(text.replace('/137500/', '/937500/'))).toBe('Palsu');
	expect(await page.locator('dl').count()).toBe(0);
	await shot(page, 'owner-page-forged');
	expect(await check(slipText(two, FACTS, OF))).toBe('Kiosk tidak dikenal');
	// This text is signed with another key, but names the id of a listed kiosk.
	expect(await check(slipText({ ...two, id: one.id }, FACTS, OF))).toBe('Palsu');
	expect(await check(slipText(two, FACTS, OF), `${one.line}\n${two.line}`)).toBe('Tanda tangan asli');
	expect(await check(slipText(one, { ...FACTS, kind: 'copy' }, OF))).toBe('Salinan dengan tanda tangan asli');
	expect(await check(text.slice(0, -3))).toBe('Teks tidak lengkap');
	expect(await check('')).toBe('Teks tidak lengkap');
	expect(await check(text, one.line.replace(one.publicKey, two.publicKey))).toBe('Daftar kunci salah');
	expect(requests).toEqual([pathToFileURL(FILE).href]);
});

test('the page reads a key list inside its file, accepts a scanner’s Enter and shows markup in a receipt as text', async () => {
	const key = keyNamed('<b>Depan</b>');
	const filled = join(folder, 'periksa.html');
	const empty = '<script type="text/plain" id="key-list">\n';
	const html = readFileSync(FILE, 'utf8');
	expect(html).toContain(empty);
	writeFileSync(filled, html.replace(empty, `${empty}${key.line}\n`));
	await page.goto(pathToFileURL(filled).href);
	const text = slipText(key, { ...FACTS, noinvoice: '<i>7</i>é' }, OF);
	await page.getByLabel('Teks kode QR').pressSequentially(text.toLowerCase());
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Tanda tangan asli' }).waitFor();
	expect(await page.locator('dl').textContent()).toContain('<i>7</i>é');
	expect(await page.locator('dl :is(i, b)').count()).toBe(0);
});

test('the owner’s page meets the same accessibility rules as the screens', async () => {
	await page.goto(pathToFileURL(FILE).href);
	await check('');
	expect(await violations(page)).toEqual([]);
});
