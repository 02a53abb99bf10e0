/**
 * Masks sensitive values in log fields, as a second line of defence after `Secret`. pino's `redact`
 * masks fields by their names only, so patterns in free text are masked here.
 */
import type { LogFields } from './events.ts';

/** Fields of these names are masked by pino. */
export const SECRET_NAMES = ['token', 'password', 'pin', 'authorization', 'access_token', 'cookie'];
/**
 * Ids, references, hashes and file names: their long digit sequences are not card or telephone
 * numbers, so they are not masked.
 */
const OWN_NAMES = new Set([
	...['invoice', 'payment_id', 'note_id', 'attempt_id', 'print_id', 'action_id', 'request_id', 'lock_id'],
	...['folder', 'file', 'address', 'period', 'hash'],
]);

/** Patterns in free text from other programs, the page or the back office. */
const PRIVATE: readonly (readonly [RegExp, string])[] = [
	[/\b(token|bearer|password|authorization)(["']?\s*[:= ]\s*["']?)[^\s"',;&]+/gi, '$1$2***'],
	[/(\/ws\/)[^/\s?"']+/g, '$1***'],
	// Printed card numbers, and telephone numbers with or without country code.
	[/\b\d{4}(?:[ -]\d{4}){2,3}(?:[ -]\d{1,3})?\b/g, '****'],
	[/(?:\+?62|\b0)[ -]?8(?:[ -]?\d){7,11}/g, '08***'],
	[/\d{9,}/g, '****'],
];

/** @returns the fields without tokens, card numbers and telephone numbers in their texts */
export const masked = (fields: LogFields): LogFields =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskedValue(name, value)]));

function maskedValue(name: string, value: unknown): unknown {
	if (typeof value === 'string') return OWN_NAMES.has(name) ? value : maskedText(value);
	if (Array.isArray(value)) return value.map((one) => maskedValue(name, one));
	if (typeof value !== 'object' || value === null) return value;
	return 'toJSON' in value ? maskedText(String(value)) : masked(value as LogFields);
}

const maskedText = (text: string): string => PRIVATE.reduce((sofar, [pattern, instead]) => sofar.replace(pattern, instead), text);
