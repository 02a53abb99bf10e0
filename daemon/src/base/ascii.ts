/**
 * @returns the text in ASCII, without control bytes. Receipt printers need a code page for other
 * characters. The fonts built into PDF readers have only Latin-1.
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
