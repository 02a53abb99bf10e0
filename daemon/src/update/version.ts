/** Image versions, ordered as systemd-boot and systemd-sysupdate order them. */

/**
 * Compares like systemd's `strverscmp_improved` (UAPI.10 version format); `systemd-analyze
 * compare-versions` gives the same order.
 * @returns below 0 if `one` is older, above 0 if it is newer
 */
export function compareVersions(one: string, other: string): number {
	let [a, b] = [one, other];
	for (;;) {
		// All characters but digits, letters, "~", "^", "." and "-" are separators.
		a = a.replace(/^[^0-9A-Za-z~^.-]+/, '');
		b = b.replace(/^[^0-9A-Za-z~^.-]+/, '');
		if (a[0] === '~' || b[0] === '~') {
			if (a[0] !== b[0]) return a[0] === '~' ? -1 : 1;
			[a, b] = [a.slice(1), b.slice(1)];
		}
		if (a === '' || b === '') return Number(a !== '') - Number(b !== '');
		for (const sign of ['-', '^', '.']) {
			if (a[0] !== sign && b[0] !== sign) continue;
			if (a[0] !== b[0]) return a[0] === sign ? -1 : 1;
			[a, b] = [a.slice(1), b.slice(1)];
		}
		const isNumber = /^\d/.test(a) || /^\d/.test(b);
		const [ofA, ofB] = [segment(a, isNumber), segment(b, isNumber)];
		const order = isNumber ? compareNumbers(ofA, ofB) : compareText(ofA, ofB);
		if (order !== 0) return order;
		[a, b] = [a.slice(ofA.length), b.slice(ofB.length)];
	}
}

const segment = (text: string, isNumber: boolean): string => (isNumber ? /^\d*/ : /^[A-Za-z]*/).exec(text)?.[0] ?? '';

/**
 * Compares two numbers; a number is newer than no number. The digits are compared as text, because
 * a date with a time can exceed the safe integers.
 */
function compareNumbers(a: string, b: string): number {
	if (a === '' || b === '') return a.length - b.length;
	const [short, other] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
	return short.length - other.length || compareText(short, other);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** @returns the newest version; null if there is none */
export const newest = (versions: readonly string[]): string | null => [...versions].sort(compareVersions).at(-1) ?? null;

/**
 * @returns whether a version can be published. systemd-sysupdate matches only these characters, and
 * the boot loader reads a final "+" with a number as a try counter
 */
export const isPublishable = (version: string): boolean =>
	/^[0-9A-Za-z][0-9A-Za-z.,_+-]{0,63}$/.test(version) && !/\+\d+(-\d+)?$/.test(version);
