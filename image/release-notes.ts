/** Extracts the notes of a release from CHANGELOG.md, in Indonesian and in English. */

const INDONESIAN = '### Bahasa Indonesia\n';

/**
 * @param changelog CHANGELOG.md: a section for each version, with the Indonesian summary in a
 *   separate part
 * @param version version of the release; a mark of a test image, such as "-testkeys", is ignored
 */
export function releaseNotes(changelog: string, version: string): { id: string; en: string } {
	const plain = version.replace(/-.*$/, '');
	const section = changelog.split(/^(?=## )/m).find((text) => text.startsWith(`## ${plain}\n`));
	if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${plain}"`);
	const parts = section.slice(section.indexOf('\n') + 1).split(/^(?=### )/m);
	const indonesian = parts.find((text) => text.startsWith(INDONESIAN));
	if (indonesian === undefined) throw new Error(`the section "## ${plain}" of CHANGELOG.md has no part "${INDONESIAN.trim()}"`);
	const english = parts.filter((text) => text !== indonesian).join('');
	return { id: `# ${plain}\n\n${indonesian.slice(INDONESIAN.length).trim()}\n`, en: `# ${plain}\n\n${english.trim()}\n` };
}
