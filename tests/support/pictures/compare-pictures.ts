import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/**
 * If at least this share of its pixels has changed, a picture counts as changed. A clock, a time of
 * payment or a reference number changes fewer pixels; a moved button or another text size changes
 * more.
 */
const LEAST_CHANGE = 0.003;
/**
 * Colour values are rounded to multiples of this. Fewer colours make the references a third
 * smaller, without a visible difference.
 */
const STEP = 8;
/**
 * Without row filters and with zlib's default strategy, a file has half the bytes that pngjs'
 * defaults produce.
 */
const SMALLEST = { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 } as const;
/** If its colour differs by more than this, from 0 to 1, a pixel counts as changed. */
const LEAST_COLOUR = 0.1;

/**
 * Compares pictures with their references, both at half size. For each changed picture, writes
 * NAME.difference.png into `shots`.
 * @param names without ".png"
 * @returns a sentence for each changed or missing picture, which the caller only prints
 */
export function comparePictures(shots: string, references: string, names: readonly string[]): string[] {
	return names.flatMap((name) => {
		const [shot, reference] = [join(shots, `${name}.png`), join(references, `${name}.png`)];
		rmSync(join(shots, `${name}.difference.png`), { force: true });
		if (!existsSync(shot)) return [`${name}: the picture was not taken`];
		if (!existsSync(reference)) return [`${name}: no reference yet (make screenshots-accept)`];
		const [now, before] = [reduced(PNG.sync.read(readFileSync(shot))), PNG.sync.read(readFileSync(reference))];
		if (now.width !== before.width || now.height !== before.height) return [`${name}: another size than its reference`];
		const difference = new PNG({ width: now.width, height: now.height });
		const changed = pixelmatch(before.data, now.data, difference.data, now.width, now.height, { threshold: LEAST_COLOUR });
		const share = changed / (now.width * now.height);
		if (share < LEAST_CHANGE) return [];
		writeFileSync(join(shots, `${name}.difference.png`), PNG.sync.write(difference));
		return [`${name}: ${(share * 100).toFixed(1)} % of the picture differs (${name}.difference.png)`];
	});
}

/**
 * Replaces the references by the pictures. If a picture is missing, its reference stays.
 * @returns a sentence for each missing picture
 */
export function acceptPictures(shots: string, references: string, names: readonly string[]): string[] {
	mkdirSync(references, { recursive: true });
	return names.flatMap((name) => {
		const shot = join(shots, `${name}.png`);
		if (!existsSync(shot)) return [`${name}: the picture was not taken`];
		const small = reduced(PNG.sync.read(readFileSync(shot)));
		writeFileSync(join(references, `${name}.png`), PNG.sync.write(small, SMALLEST));
		return [];
	});
}

/**
 * @returns the picture at half its width and height, with few colours; each pixel is the mean of
 * four
 */
function reduced(picture: PNG): PNG {
	const small = new PNG({ width: Math.floor(picture.width / 2), height: Math.floor(picture.height / 2) });
	const row = picture.width * 4;
	for (let y = 0; y < small.height; y += 1)
		for (let x = 0; x < small.width; x += 1)
			for (let channel = 0; channel < 4; channel += 1) {
				const at = 2 * y * row + 8 * x + channel;
				const sum = [at, at + 4, at + row, at + row + 4].reduce((total, dot) => total + (picture.data[dot] ?? 0), 0);
				small.data[(y * small.width + x) * 4 + channel] = Math.min(255, Math.round(sum / 4 / STEP) * STEP);
			}
	return small;
}
