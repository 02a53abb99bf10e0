import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../folder.ts';
import { acceptPictures, comparePictures } from './compare-pictures.ts';
import { contactSheet } from './contact-sheet.ts';

/**
 * @returns a white picture with a grey bar of this height at its top; `edge` blurs the lower edge
 * of the bar
 */
function screen(barPx: number, edge = false): Buffer {
	const png = new PNG({ width: 400, height: 200 });
	png.data.fill(255);
	for (let y = 0; y <= barPx; y += 1)
		for (let x = 0; x < 400; x += 1) {
			const shade = y < barPx ? 60 : edge ? 160 : 255;
			png.data.fill(shade, (y * 400 + x) * 4, (y * 400 + x) * 4 + 3);
		}
	return PNG.sync.write(png);
}

function folders() {
	const root = temporaryFolder('pictures');
	const [shots, references] = [join(root, 'shots'), join(root, 'references')];
	for (const folder of [shots, references]) mkdirSync(folder);
	return { shots, references, take: (name: string, picture: Buffer) => writeFileSync(join(shots, `${name}.png`), picture) };
}

test('a changed picture is reported with the share of changed pixels and a picture of the difference; an equal picture is not reported', () => {
	const { shots, references, take } = folders();
	for (const name of ['cash', 'home']) take(name, screen(40));
	expect(acceptPictures(shots, references, ['cash', 'home'])).toEqual([]);
	expect(comparePictures(shots, references, ['cash', 'home'])).toEqual([]);
	take('home', screen(80));
	expect(comparePictures(shots, references, ['cash', 'home'])).toEqual(['home: 20.0 % of the picture differs (home.difference.png)']);
	expect(readdirSync(shots)).toContain('home.difference.png');
	// After a deliberate change, the new pictures become the references.
	acceptPictures(shots, references, ['cash', 'home']);
	expect(comparePictures(shots, references, ['cash', 'home'])).toEqual([]);
});

test('a differently smoothed edge or a few changed pixels, e.g. of a clock, do not count as a change', () => {
	const { shots, references, take } = folders();
	take('home', screen(40));
	acceptPictures(shots, references, ['home']);
	take('home', screen(40, true));
	expect(comparePictures(shots, references, ['home'])).toEqual([]);
	const png = PNG.sync.read(screen(40));
	for (let y = 150; y < 158; y += 1) png.data.fill(0, (y * 400 + 10) * 4, (y * 400 + 30) * 4);
	take('home', PNG.sync.write(png));
	expect(comparePictures(shots, references, ['home'])).toEqual([]);
});

test('a picture without a reference, a missing picture and a picture of another size are reported', () => {
	const { shots, references, take } = folders();
	take('new', screen(40));
	expect(comparePictures(shots, references, ['new', 'gone'])).toEqual([
		'new: no reference yet (make screenshots-accept)',
		'gone: the picture was not taken',
	]);
	expect(acceptPictures(shots, references, ['new', 'gone'])).toEqual(['gone: the picture was not taken']);
	take('new', PNG.sync.write(new PNG({ width: 200, height: 400 })));
	expect(comparePictures(shots, references, ['new'])).toEqual(['new: another size than its reference']);
});

test('a reference has half the width and height of its picture, and less than 1,000 bytes if the picture is plain', () => {
	const { shots, references, take } = folders();
	take('home', screen(40));
	acceptPictures(shots, references, ['home']);
	const file = join(references, 'home.png');
	expect(PNG.sync.read(readFileSync(file))).toMatchObject({ width: 200, height: 100 });
	expect(statSync(file).size).toBeLessThan(1_000);
});

test('the contact sheet shows a row for each state and a column for each size and language', () => {
	const sheet = contactSheet([
		'cash.L.id.png',
		'cash.P.id.png',
		'home.L.id.png',
		'home.L.en.png',
		'owner-page.png',
		'cash.L.id.difference.png',
	]);
	expect([...sheet.matchAll(/<th scope="col">([^<]*)/g)].map(([, name]) => name)).toEqual(['L id', 'L en', 'P id']);
	expect([...sheet.matchAll(/<th scope="row">([^<]*)/g)].map(([, name]) => name)).toEqual(['cash', 'home']);
	expect(sheet.match(/<img /g)).toHaveLength(5);
	expect(sheet).toContain('owner-page');
});
