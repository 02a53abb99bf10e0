/** For the test, the logo is scaled to a square of this side, pixels. */
const SIDE = 32;
/** A colour that is brighter than this is hard to see on white; 255 is white. */
const LIGHT = 180;
const OPAQUE = 255;

/**
 * @param pixels red, green, blue and opacity of each pixel
 * @returns whether the picture is hard to see on white: it is partly transparent, and what is drawn
 * is mostly too light
 */
export function isLight(pixels: ArrayLike<number>): boolean {
	let [drawn, light, count] = [0, 0, 0];
	for (let at = 0; at + 3 < pixels.length; at += 4) {
		const [red = 0, green = 0, blue = 0, opacity = 0] = [pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3]];
		drawn += opacity;
		if ((2 * red + 5 * green + blue) / 8 > LIGHT) light += opacity;
		count += 1;
	}
	return drawn < OPAQUE * count && light > drawn / 2;
}

/** @returns what `isLight` returns for the pixels of this picture, which must be loaded */
export function isLightPicture(picture: HTMLImageElement): boolean {
	const context = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE }).getContext('2d');
	if (context === null) return false;
	context.drawImage(picture, 0, 0, SIDE, SIDE);
	return isLight(context.getImageData(0, 0, SIDE, SIDE).data);
}
