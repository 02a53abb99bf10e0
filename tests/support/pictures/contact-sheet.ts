/** A picture of a screen's state is named STATE.SIZE.LANGUAGE.png. */
const STATE = /^([\w-]+)\.([A-Z]+)\.([a-z]+)\.png$/;

/**
 * @param files file names of pictures in one folder
 * @returns an HTML page for that folder: a row for each state, a column for each size and language,
 * and below them all other pictures
 */
export function contactSheet(files: readonly string[]): string {
	const pictures = files.filter((file) => file.endsWith('.png') && !file.endsWith('.difference.png')).sort();
	const states = pictures.flatMap((file) => {
		const [, state = '', size = '', language = ''] = STATE.exec(file) ?? [];
		return state === '' ? [] : [{ file, state, column: `${size} ${language}` }];
	});
	// Indonesian comes first, because it is the specification's language.
	const order = (column: string) => column.replace(' id', ' ');
	const columns = [...new Set(states.map(({ column }) => column))].sort((a, b) => (order(a) < order(b) ? -1 : 1));
	const rows = [...new Set(states.map(({ state }) => state))].map((state) => {
		const cells = columns.map((column) => {
			const found = states.find((one) => one.state === state && one.column === column);
			return `<td>${found ? picture(found.file) : ''}</td>`;
		});
		return `<tr><th scope="row">${state}</th>${cells.join('')}</tr>`;
	});
	const others = pictures
		.filter((file) => !STATE.test(file))
		.map((file) => `<figure>${picture(file)}<figcaption>${file.replace('.png', '')}</figcaption></figure>`);
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Screens of the kiosk</title>
<style>
	body { margin: 1rem; font: 1rem system-ui, sans-serif; background: #888; }
	th { padding: 0.5rem; background: #fff; position: sticky; left: 0; top: 0; }
	img { display: block; max-width: 24rem; max-height: 24rem; }
	div { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: 2rem; }
	figure { margin: 0; }
	figcaption { max-width: 24rem; background: #fff; overflow-wrap: anywhere; }
</style>
<table>
<tr><td></td>${columns.map((column) => `<th scope="col">${column}</th>`).join('')}</tr>
${rows.join('\n')}
</table>
<div>
${others.join('\n')}
</div>
</html>
`;
}

const picture = (file: string): string => `<a href="${encodeURI(file)}"><img src="${encodeURI(file)}" alt="" loading="lazy"></a>`;
