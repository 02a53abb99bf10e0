/** Reads the back office's answer to a note. A status of 2xx alone does not confirm the note. */
import { ErrorAnswer, FlagSchema } from '@kiosk/contract/back-office';
import { endOfJson } from '@kiosk/contract/bounded-json';
import * as v from 'valibot';
import type { BackOfficeAnswer } from './client.ts';

/** A web page is recognised within this many bytes. */
const PAGE_BEGINS = 1_024;

/** An answer with status 2xx that confirms no note. `perhaps`: it may not be about this note. */
export interface NotTaken {
	text: string;
	refused: 'yes' | 'perhaps';
}

/**
 * Fields by which a server that answers every call with 200 reports a failure or a note that is not
 * booked.
 */
const RefusedAnswer = v.looseObject({
	success: v.union([v.literal(false), v.literal(0), v.pipe(v.string(), v.trim(), v.regex(/^(false|0)$/i))]),
});
const FailedAnswer = v.looseObject({ error: v.union([v.looseObject({}), v.literal(true), v.pipe(v.string(), v.trim(), v.nonEmpty())]) });

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
	// Without a declared length only the text shows that the rest is missing, and that rest may be
	// a refusal.
	if (endOfJson(body.toString('utf8')) === -1) return perhaps('the answer was cut off');
	if (isUnreadable(body)) return perhaps('the answer cannot be read');
	const refused = refusalIn(body);
	if (refused !== null) return { text: `the back office refused it and answered ${describeAnswer(answer)}`, refused };
	return { is_paid: isPaidAnswer(body) };
}

/**
 * The log-in page of a network, or a proxy’s error page, may come with status 200: the note is not
 * booked.
 */
const isWebPage = (body: Buffer): boolean => /^\s*</.test(body.toString('utf8', 0, PAGE_BEGINS));

/**
 * @returns the JSON of an answer; undefined if it contains none. Text after the JSON, such as a
 * warning of the server's script, is ignored
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
 * @returns whether the answer may be a refusal that cannot be read: compressed text, UTF-16, or
 * JSON after the warning of a script. Plain words such as OK can be read
 */
const isUnreadable = (body: Buffer): boolean =>
	jsonIn(body) === undefined && /[{<\ufeff\ufffd]|^\s*\[|[^\P{Cc}\t\r\n]/mu.test(body.toString('utf8'));

/** @returns whether the answer refuses the note, for certain or perhaps; null for a confirmation */
function refusalIn(body: Buffer): 'yes' | 'perhaps' | null {
	const parts = answerParts(jsonIn(body));
	if (parts.some((part) => v.is(RefusedAnswer, part))) return 'yes';
	return parts.some((part) => v.is(FailedAnswer, part)) ? 'perhaps' : null;
}

const WrappedAnswer = v.looseObject({ result: v.optional(v.unknown()), data: v.optional(v.unknown()) });

/**
 * @returns the answer, and the answers wrapped in it as text, in a list, or in a JSON-RPC result
 */
function answerParts(said: unknown): unknown[] {
	const inner = typeof said === 'string' ? jsonIn(Buffer.from(said)) : said;
	return [inner].flat().flatMap((part) => (v.is(WrappedAnswer, part) ? [part, part.result, part.data] : [part]));
}

/**
 * @returns whether the answer says that the invoice is paid. The contract requires only a status of
 * 2xx, so an answer without a readable `is_paid` says nothing about it and counts as no
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
