/**
 * Writes the Indonesian manuals into FOLDER as PDF files with A4 pages, for a binder beside the
 * kiosk: `node tests/support/manuals.ts FOLDER`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { marked } from 'marked';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const MANUALS = ['docs/owner/panduan-kasir.md', 'docs/technician/panduan-teknisi.md'];

const STYLE = `
@page { size: A4; margin: 18mm 16mm; }
body { font: 10.5pt/1.45 "Plus Jakarta Sans", "DejaVu Sans", sans-serif; color: #111; }
h1 { font-size: 20pt; margin: 0 0 6mm; }
h2 { font-size: 14pt; margin: 8mm 0 2mm; border-bottom: 0.3mm solid #999; break-after: avoid; }
h3 { font-size: 11.5pt; margin: 5mm 0 1mm; break-after: avoid; }
pre { background: #f3f3f3; padding: 2.5mm; font-size: 8.5pt; white-space: pre-wrap; break-inside: avoid; }
code { font-family: "DejaVu Sans Mono", monospace; font-size: 0.9em; }
img { display: block; width: 130mm; margin: 2mm 0; border: 0.3mm solid #999; break-inside: avoid; }
li { margin: 0.6mm 0; }
a { color: inherit; }
`;

/**
 * @param manual path from the project's root
 * @param folder folder for the PDF
 * @returns the path of the PDF
 */
export async function printManual(browser: Browser, manual: string, folder: string): Promise<string> {
	const source = join(ROOT, manual);
	const body = await marked.parse(readFileSync(source, 'utf8'));
	const page = await browser.newPage();
	try {
		// Opens the manual itself first, because only a page of a file may show pictures from files.
		await page.goto(pathToFileURL(source).href);
		await page.setContent(`<base href="${pathToFileURL(`${dirname(source)}/`).href}"><style>${STYLE}</style>${body}`);
		const missing = await page.evaluate(async () => {
			const pictures = [...document.images];
			await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)));
			return pictures.filter((picture) => picture.naturalWidth === 0).map((picture) => picture.src);
		});
		if (missing.length > 0) throw new Error(`${manual} names pictures that do not load: ${missing.join(', ')}`);
		const path = join(folder, `${basename(manual, '.md')}.pdf`);
		await page.pdf({ path, format: 'A4', printBackground: true });
		return path;
	} finally {
		await page.close();
	}
}

if (import.meta.main) {
	const folder = resolve(process.argv[2] ?? 'manuals');
	mkdirSync(folder, { recursive: true });
	const browser = await launchBrowser();
	try {
		for (const manual of MANUALS) process.stdout.write(`${await printManual(browser, manual, folder)}\n`);
	} finally {
		await browser.close();
	}
}
