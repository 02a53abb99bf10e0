/**
 * Parses untrusted JSON with limits. A few kilobytes can nest arrays deeply enough to overflow the
 * stack of a function that walks them, such as JSON.stringify. A few megabytes can hold millions of
 * objects.
 */

/** Maximum depth; the specification's answers have about eight levels. */
const DEEPEST = 64;
/**
 * Maximum number of values; a page of the staff list with a hundred lines per invoice has about ten
 * thousand values.
 */
const MOST_VALUES = 200_000;

/** @returns why the text exceeds the limits, or null. The text need not be valid JSON */
export function jsonShapeProblem(text: string): string | null {
	let depth = 0;
	let values = 0;
	for (let at = 0; at < text.length; at += 1) {
		switch (text.charCodeAt(at)) {
			case QUOTE:
				at = endOfString(text, at);
				break;
			case 0x5b:
			case 0x7b:
				depth += 1;
				values += 1;
				break;
			case 0x5d:
			case 0x7d:
				depth -= 1;
				break;
			case 0x2c:
				values += 1;
		}
		if (depth > DEEPEST) return `values nested more than ${DEEPEST} levels deep`;
		if (values > MOST_VALUES) return `more than ${MOST_VALUES} values`;
	}
	return null;
}

/**
 * @returns the index after the object or array at the beginning of the text; -1 if it is
 * incomplete; 0 if the text does not begin with one
 */
export function endOfJson(text: string): number {
	if (!/^\s*[[{]/.test(text)) return 0;
	let depth = 0;
	for (let at = 0; at < text.length; at += 1) {
		const character = text.charAt(at);
		if (character === '"') at = endOfString(text, at);
		else if (character === '[' || character === '{') depth += 1;
		else if ((character === ']' || character === '}') && --depth === 0) return at + 1;
	}
	return -1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * @returns the index of the closing quote, or the length of the text if there is none. A quote
 * after an odd number of backslashes is escaped
 * @param start index of the opening quote
 */
function endOfString(text: string, start: number): number {
	for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
		let escapes = 0;
		while (at - escapes - 1 > start && text.charCodeAt(at - escapes - 1) === BACKSLASH) escapes += 1;
		if (escapes % 2 === 0) return at;
	}
	return text.length;
}

/** @returns the parsed value; throws on invalid JSON and on text that exceeds the limits */
export function parseBoundedJson(text: string): unknown {
	const problem = jsonShapeProblem(text);
	if (problem !== null) throw new SyntaxError(problem);
	return JSON.parse(text);
}
