import type { ServerResponse } from 'node:http';
import { ErrorAnswer, PaymentAnswer } from '@kiosk/contract/back-office';
import * as v from 'valibot';
import type { BackOfficeAnswer } from '../back-office/client.ts';
import { csrfCookieFor } from '../back-office/proxy.ts';
import { answerJson, parseJson } from '../http/handler.ts';
import type { Log } from '../log/log.ts';

/**
 * Sends an answer of the back office to the page unchanged, with its CSRF cookie.
 * @param csrfCookie name of the CSRF cookie
 */
export function forwardAnswer(response: ServerResponse, answer: BackOfficeAnswer, csrfCookie: string): void {
	passCsrfCookie(response, answer, csrfCookie);
	response.writeHead(answer.status, { 'Content-Type': answer.contentType, 'Cache-Control': 'no-store' });
	response.end(answer.body);
}

/** Adds the CSRF cookie of an answer to the response, and drops the answer's other cookies. */
export function passCsrfCookie(response: ServerResponse, answer: BackOfficeAnswer, csrfCookie: string): void {
	for (const cookie of csrfCookieFor(answer, csrfCookie)) response.appendHeader('Set-Cookie', cookie);
}

/**
 * Forwards only the message of an answer that does not match its contract, because the page must
 * not use the other fields.
 */
export function forwardMessage(response: ServerResponse, answer: BackOfficeAnswer): void {
	const said = parseJson(ErrorAnswer, answer.body);
	answerJson(response, answer.status, said.ok ? { message: said.value.message, detail: said.value.detail } : {});
}

/**
 * @returns whether the page treats this 2xx answer about a QRIS code or virtual account as a
 * refusal
 */
export function isRefused(answer: BackOfficeAnswer): boolean {
	const read = parseJson(v.unknown(), answer.body);
	return read.ok && !v.is(PaymentAnswer, read.value);
}

/**
 * @param call name of the call, for the log
 * @returns the parsed answer. If a field does not match, the mismatch is logged and the result is
 * null.
 */
export function readAnswer<const S extends v.GenericSchema>(
	schema: S,
	answer: BackOfficeAnswer,
	call: string,
	log: Log,
): v.InferOutput<S> | null {
	const parsed = parseJson(schema, answer.body);
	if (parsed.ok) return parsed.value;
	log.event('back_office.odd_answer', { call, path: answer.body.length === 0 ? 'the body is empty' : parsed.error.reason });
	return null;
}
