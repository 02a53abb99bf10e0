/**
 * Handles the pictures of the browser tests in FOLDER. `pictures.ts sheet FOLDER` writes
 * FOLDER/index.html. `pictures.ts compare FOLDER` prints the changed key screens. `pictures.ts
 * accept FOLDER` makes their references.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptPictures, comparePictures } from './compare-pictures.ts';
import { contactSheet } from './contact-sheet.ts';
import { KEY_SCREENS } from './key-screens.ts';

const REFERENCES = join(import.meta.dirname, 'references');
const [act, folder = ''] = process.argv.slice(2);
const say = (lines: readonly string[]): void => void process.stdout.write(lines.map((line) => `${line}\n`).join(''));

if (act === 'sheet') {
	writeFileSync(join(folder, 'index.html'), contactSheet(readdirSync(folder)));
	say([`${readdirSync(folder).filter((file) => file.endsWith('.png')).length} pictures: ${join(folder, 'index.html')}`]);
} else if (act === 'compare') {
	const changes = comparePictures(folder, REFERENCES, KEY_SCREENS);
	say(
		changes.length === 0
			? ['The key screens look like their references.']
			: ['Changed key screens:', ...changes.map((line) => `  ${line}`)],
	);
} else if (act === 'accept') say(acceptPictures(folder, REFERENCES, KEY_SCREENS));
else throw new Error('pictures.ts sheet|compare|accept FOLDER');
