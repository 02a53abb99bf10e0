/**
 * Makes the small pictures in the manuals from the pictures that the browser tests saved in FOLDER:
 * `node tests/support/manual-pictures.ts FOLDER`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './browser.ts';

const PLACE = join(import.meta.dirname, '..', '..', 'docs', 'owner', 'pictures');
const WIDTH = 960;
const HEIGHT = 540;
/** By name of the picture in a manual: the name of the browser tests' picture. */
const PICTURES = {
	pin: 'landscape-staff-pin',
	'menu-staf': 'landscape-day-home',
	nama: 'landscape-staff-names-list',
	hitung: 'landscape-staff-count',
	selisih: 'landscape-day-less',
	kasus: 'landscape-day-cases',
	'uang-belum-pasti': 'landscape-day-note',
	'kode-persetujuan': 'landscape-day-approval',
	'periksa-struk': 'landscape-staff-check-genuine',
	'sudah-diberikan': 'landscape-staff-check-given',
} as const;

const shots = process.argv[2] ?? '';
const browser = await launchBrowser();
try {
	const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
	for (const [name, shot] of Object.entries(PICTURES)) {
		const picture = readFileSync(join(shots, `${shot}.png`)).toString('base64');
		await page.setContent(`<style>body{margin:0}img{width:100%}</style><img src="data:image/png;base64,${picture}">`);
		await page.locator('img').evaluate((image) => (image as HTMLImageElement).decode());
		await page.screenshot({ path: join(PLACE, `${name}.jpg`), type: 'jpeg', quality: 72 });
	}
} finally {
	await browser.close();
}
