/** Reads the back office's answer to a note. A status of 2xx alone does not confirm the note. */
import { ErrorAnswer, FlagSchema } from '@kiosk/contract/back-office';
import { endOfJson } from '@kiosk/contract/bounded-json';
import * as v from 'valibot';
import type { BackOfficeAnswer } from './client.ts';

/** Number of bytes at the beginning of an answer that are searched for a web page. */
const PAGE_BEGINS = 1_024;

/**
 * An answer with status 2xx that does not confirm the note. `perhaps`: the answer may not be about
 * this note.
 */
export interface NotTaken {
	text: string;
	refused: 'yes' | 'perhaps';
}

/**
 * Some servers answer every call with 200. They report a refused note or a failure with these
 * fields.
 */
const RefusedAnswer = v.looseObject({
	success: v.union([v.literal(false), v.literal(0), v.pipe(v.string(), v.trim(), v.regex(/^(false|0)$/i))]),
});
const NotEmpty = v.union([
	v.pipe(v.array(v.unknown()), v.nonEmpty()),
	v.pipe(
		v.looseObject({}),
		v.check((fields) => Object.keys(fields).length > 0),
	),
	v.literal(true),
	v.pipe(v.string(), v.trim(), v.nonEmpty()),
]);
const FailedAnswer = v.union([
	v.looseObject({ error: NotEmpty }),
	v.looseObject({ errors: NotEmpty }),
	v.looseObject({ status: v.pipe(v.string(), v.trim(), v.regex(/^(error|fail|failed)$/i)) }),
]);

/** Fields that may accompany a confirmation. */
const TakenAnswer = v.looseObject({ is_paid: FlagSchema });

/**
 * @param answer with a status of 2xx
 * @returns whether the invoice is paid, or why the note is not confirmed
 */
export function readNoteAnswer(answer: BackOfficeAnswer): { is_paid: boolean } | NotTaken {
	const { status, body } = answer;
	const perhaps = (text: string): NotTaken => ({ text: `${text} (${status})`, refused: 'perhaps' });
	if (isWebPage(body)) return perhaps('a web page was answered, not the back office’s confirmation');
	// If the answer has no declared length, only its text shows that a part is missing. That part may
	// be a refusal.
	if (endOfJson(body.toString('utf8')) === -1) return perhaps('the answer was cut off');
	if (isUnreadable(body)) return perhaps('the answer cannot be read');
	const refused = refusalIn(body);
	if (refused !== null) return { text: `the back office refused it and answered ${describeAnswer(answer)}`, refused };
	return { is_paid: isPaidAnswer(body) };
}

/**
 * A network’s log-in page or a proxy’s error page may have status 200, although the note is not
 * booked.
 */
const isWebPage = (body: Buffer): boolean => /^\s*</.test(body.toString('utf8', 0, PAGE_BEGINS));

/**
 * @returns the JSON of an answer; undefined if the answer contains none. Ignores text after the
 * JSON, for example a warning of the server's script
 */
function jsonIn(body: Buffer): unknown {
	const text = body.toString('utf8');
	const end = endOfJson(text);
	try {
		return JSON.parse(end > 0 ? text.slice(0, end) : text);
	} catch {
		return undefined;
	}
}

/**
 * @returns whether the answer may be an unreadable refusal: compressed text, UTF-16, or JSON after
 * a script's warning. Plain words such as OK are readable. The pattern for a list stays within one
 * line: across blank lines its time would grow with the square of their number
 */
const isUnreadable = (body: Buffer): boolean =>
	jsonIn(body) === undefined && /[{<\ufeff\ufffd]|^[^\S\r\n\u2028\u2029]*\[|[^\P{Cc}\t\r\n]/mu.test(body.toString('utf8'));

/** @returns whether the answer certainly or perhaps refuses the note; null for a confirmation */
function refusalIn(body: Buffer): 'yes' | 'perhaps' | null {
	const parts = answerParts(jsonIn(body));
	if (parts.some((part) => v.is(RefusedAnswer, part))) return 'yes';
	return parts.some((part) => v.is(FailedAnswer, part)) ? 'perhaps' : null;
}

const WrappedAnswer = v.looseObject({
	result: v.optional(v.unknown()),
	results: v.optional(v.unknown()),
	data: v.optional(v.unknown()),
});

/**
 * @returns the answer and the answers inside it: in a string, in a list, in `result` (JSON-RPC), in
 * `results` or in `data`
 */
function answerParts(said: unknown): unknown[] {
	const inner = typeof said === 'string' ? jsonIn(Buffer.from(said)) : said;
	return [inner].flat().flatMap((part) => (v.is(WrappedAnswer, part) ? [part, part.result, part.results, part.data] : [part]));
}

/**
 * @returns whether the answer reports the invoice as paid. The contract does not require `is_paid`,
 * so an answer without a readable `is_paid` counts as not paid
 */
function isPaidAnswer(body: Buffer): boolean {
	const said = v.safeParse(TakenAnswer, jsonIn(body));
	return said.success && said.output.is_paid;
}

/** @returns the status of an answer, and its message if it has one */
export function describeAnswer(answer: BackOfficeAnswer): string {
	try {
		const { message, detail } = v.parse(ErrorAnswer, JSON.parse(answer.body.toString('utf8')));
		return `${answer.status}: ${message ?? detail ?? ''}`;
	} catch {
		return String(answer.status);
	}
}
