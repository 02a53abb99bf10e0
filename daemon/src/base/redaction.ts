/** Removes secrets, card data and personal data from everything in a support bundle. */

/** Names of fields whose values are masked: in settings, log, journal and back office answers. */
const HIDDEN_NAMES =
	/^(token|access_token|outlet_token|password|pin|secret|authorization|cookie|csrf\w*token|psk|ssid|konsumen_name|nama|customer|nopol|hp|phone|telepon|masked_pan|pan|by|staff_name)$/i;
/** Values of `by` that name no person, so they stay readable. */
const NO_PERSON = new Set(['kiosk', 'back_office']);

/**
 * Patterns of sensitive texts, applied in this order; each pattern works on the result of the
 * previous one.
 */
const IN_TEXT: readonly (readonly [RegExp, string])[] = [
	[/(\bwss?:\/\/|\bhttps?:\/\/)[^\s/@"']+@/gi, '$1***@'],
	[/(\/ws\/)(?!\{token\})[^/\s?"'\\]+/g, '$1***'],
	[/\b(token|bearer|basic)(\s+)[\w.+/=-]{6,}/gi, '$1$2***'],
	[
		/("?\b\w*(?:token|password|passwd|secret|authorization|cookie|psk|ssid)\w*"?\s*[=:]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;&}]+)/gi,
		'$1"***"',
	],
	[
		/("?\b(?:pin|konsumen_name|nama|customer|nopol|hp|phone|telepon|masked_pan|pan)\b"?\s*[=:]\s*)("(?:[^"\\]|\\.)*"|[^\s,;&}]+)/gi,
		'$1"***"',
	],
	// Masked card numbers, complete card numbers, and telephone numbers with or without country code.
	[/\b\d{4,6}[ -]?\d{0,2}[*xX#]{2,}[*xX# -]*\d{2,4}\b/g, '****'],
	[/\b\d{4}(?:[ -]\d{4}){2,3}(?:[ -]\d{1,3})?\b/g, '****'],
	[/(?:\+?62|\b0)[ -]?8(?:[ -]?\d){7,11}\b/g, '08***'],
	// Tokens and hashes. Ids of notes and sales contain dashes, so this pattern does not match them.
	[/\b[0-9a-f]{32,}\b/gi, '***'],
	[/\d{9,}/g, '****'],
];

/** @returns the text without secrets, card numbers and telephone numbers */
export const cleanText = (text: string): string => IN_TEXT.reduce((sofar, [pattern, instead]) => sofar.replace(pattern, instead), text);

/** @returns a value of the same shape, masked by field names and by patterns in its texts */
export function cleanValue(value: unknown, name = ''): unknown {
	if (HIDDEN_NAMES.test(name) && value !== null && value !== '' && !NO_PERSON.has(String(value))) return '***';
	if (typeof value === 'string') return isId(value) ? value : cleanText(value);
	if (Array.isArray(value)) return value.map((one) => cleanValue(one, name));
	if (typeof value !== 'object' || value === null) return value;
	const fields = value as Record<string, unknown>;
	// The person named in `by` typed `why`. That text may contain personal data, so it is masked
	// completely.
	const signed = typeof fields.by === 'string' && !NO_PERSON.has(fields.by);
	return Object.fromEntries(Object.entries(fields).map(([key, inner]) => [key, signed && key === 'why' ? '***' : cleanValue(inner, key)]));
}

const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);

/** Events whose `why` contains the name of a person as well as the reason. */
const SIGNED_EVENTS = /"event":"(acceptor\.unlocked|journal\.set_aside)"|\b(acceptor\.unlocked|journal\.set_aside):/;

/** @param line of the log: JSON from a log file, or text from journald @returns the masked line */
export function cleanLine(line: string): string {
	const signed = SIGNED_EVENTS.test(line);
	try {
		const fields = JSON.parse(line) as Record<string, unknown>;
		return JSON.stringify(cleanValue(signed ? { ...fields, why: '***' } : fields));
	} catch {
		const words = line.replace(/\b(by|staff_name)=(?!kiosk\b|back_office\b)\S.*?(?= \w+=| \(|$)/g, '$1=***');
		return cleanText(signed ? words.replace(/\bwhy=.*?(?= \(|$)/, 'why=***') : words);
	}
}
