import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sharedBrowser } from './browser.ts';
import { temporaryFolder } from './folder.ts';
import { MANUALS, printManual } from './manuals.ts';

test.each(MANUALS)('the PDF of %s has A4 pages and all pictures', async (manual) => {
	const pdf = readFileSync(await printManual(await sharedBrowser(), manual, temporaryFolder('manuals'))).toString('latin1');
	const pages = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [
		Math.floor(Number(width)),
		Math.floor(Number(height)),
	]);
	expect(pages.length).toBeGreaterThan(1);
	for (const page of pages) expect(page).toEqual([595, 842]);
	expect((pdf.match(/\/Subtype \/Image/g) ?? []).length).toBeGreaterThanOrEqual((readFileSync(manual, 'utf8').match(/!\[/g) ?? []).length);
});
