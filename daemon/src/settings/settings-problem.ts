import * as v from 'valibot';

/** @returns a sentence with the key, and with line, value and expected form where they apply */
export function problemSentence(issue: v.BaseIssue<unknown>, source: string): string {
	const key = v.getDotPath(issue) ?? '';
	const line = lineOf(source, issue.path?.map(({ key }) => String(key)) ?? []);
	return `${line === null ? '' : `line ${line}: `}${key}${complaint(issue)}`;
}

function complaint(issue: v.BaseIssue<unknown>): string {
	if (issue.type === 'strict_object' && issue.expected === 'never') return ': there is no such setting; check its spelling and its section';
	if (issue.received === 'undefined') return ': is missing';
	const wanted = issue.message.startsWith('Invalid') ? `expected ${issue.expected}` : `expected ${issue.message}`;
	// A table has no single value to show.
	return issue.received === 'Object' ? `: ${wanted}` : ` = ${issue.received}: ${wanted}`;
}

/**
 * Finds the line of a setting in valid TOML. A name inside an inline table or array gets the line
 * of the whole value. A missing setting gets the line of its section.
 * @returns the line, from 1; null if the section is also missing
 */
function lineOf(source: string, path: readonly string[]): number | null {
	let section: string[] = [];
	let found: { line: number; depth: number } | null = null;
	for (const [index, text] of source.split('\n').entries()) {
		const header = /^\s*\[([^\]]+)\]/.exec(text);
		if (header) section = names(header[1] ?? '');
		const key = header ? [] : names(/^\s*((?:[\w-]+|"[^"]*")(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*=/.exec(text)?.[1] ?? '');
		const here = [...section, ...key];
		if ((!header && key.length === 0) || !here.every((name, depth) => name === path[depth])) continue;
		if (found === null || here.length > found.depth) found = { line: index + 1, depth: here.length };
	}
	return found?.line ?? null;
}

const names = (dotted: string): string[] => [...dotted.matchAll(/"([^"]*)"|[\w-]+/g)].map(([whole, quoted]) => quoted ?? whole);
