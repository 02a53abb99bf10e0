/**
 * @returns e.g. "B*** S******": the first letter of each word, and a star for each other letter.
 * This is enough to recognise one's own name.
 */
export const maskedName = (name: string): string =>
	name
		.split(/\s+/)
		.filter((word) => word !== '')
		.map((word) => {
			const [first = '', ...others] = word;
			return first + '*'.repeat(others.length);
		})
		.join(' ');
