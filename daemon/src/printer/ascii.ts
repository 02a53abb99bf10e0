/**
 * @returns the text in characters that every printer has: receipt printers know ASCII for certain and every other character
 * only by code page, the fonts built into PDF readers know Latin-1. Control bytes never pass.
 */
export function ascii(text: string): string {
	return text
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/[‘’′]/gu, "'")
		.replace(/[“”″]/gu, '"')
		.replace(/[‐-―]/gu, '-')
		.replace(/×/gu, 'x')
		.replace(/\s/gu, ' ')
		.replace(/\p{Cc}/gu, '')
		.replace(/[^\x20-\x7e]/gu, '?')
		.trimEnd();
}
