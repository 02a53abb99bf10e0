import { LONGEST_CODE } from '@kiosk/contract/slip-check';

/** Number of characters in a typed code and in each of its groups, as on paper. */
const CODE_LETTERS = 16;
const GROUP = 4;
/** The text of a QR code begins like this. A typed code cannot, because it contains no I or O. */
const SCANNED = /^KIOS-?K/;

/**
 * @param text content of the field after input from the screen's keys, a keyboard or a scanner
 * @returns the text to show: a typed code in groups, or the text of a QR code unchanged
 */
export function shownCode(text: string): string {
	const capitals = text.toUpperCase().trimStart();
	if (SCANNED.test(capitals)) return capitals.replace(SCANNED, 'KIOSK').slice(0, LONGEST_CODE);
	const letters = capitals.replace(/[^0-9A-Z]/g, '').slice(0, CODE_LETTERS);
	return letters.match(new RegExp(`.{1,${GROUP}}`, 'g'))?.join('-') ?? '';
}

/** @returns whether the field contains something to check: a scanned text or a complete code */
export const isComplete = (shown: string): boolean => SCANNED.test(shown) || shown.length === CODE_LETTERS + CODE_LETTERS / GROUP - 1;

/** @returns the field's content without its last character; a scanned text is removed as a whole */
export const withoutLast = (shown: string): string => (SCANNED.test(shown) ? '' : shownCode(shown.replace(/-?.$/, '')));
