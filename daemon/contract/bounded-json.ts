/**
 * JSON from the outside, bounded in shape: a text of some kilobytes can describe an array that is nested deeply enough to overflow the
 * stack of whatever walks it (JSON.stringify does), and one of some megabytes millions of objects.
 */

/** The answers of the specification are nested some eight levels deep. */
const DEEPEST = 64;
/** A page of the staff's list with a hundred lines in each invoice has some ten thousand values. */
const MOST_VALUES = 200_000;

/** @returns why the text is not worth parsing, or null; whether it is JSON at all is not checked */
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @returns where the string ends that begins at `start`; a quote behind an odd number of backslashes belongs to it */
function endOfString(text: string, start: number): number {
	for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
		let escapes = 0;
		while (at - escapes - 1 > start && text.charCodeAt(at - escapes - 1) === BACKSLASH) escapes += 1;
		if (escapes % 2 === 0) return at;
	}
	return text.length;
}

/** @returns the parsed value; throws on text that is not JSON or that exceeds the bounds */
export function parseBoundedJson(text: string): unknown {
	const problem = jsonShapeProblem(text);
	if (problem !== null) throw new SyntaxError(problem);
	return JSON.parse(text);
}
