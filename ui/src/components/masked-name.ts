/** @returns "B*** S******": the first letter of each word, a star for every other; enough to know one's own name by */
export const maskedName = (name: string): string =>
	name
		.split(/\s+/)
		.filter((word) => word !== '')
		.map((word) => {
			const [first = '', ...others] = word;
			return first + '*'.repeat(others.length);
		})
		.join(' ');
