/**
 * @returns the text in ASCII: receipt printers know other characters only by code page, and the
 * fonts built into PDF readers only Latin-1. Control bytes are removed.
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
