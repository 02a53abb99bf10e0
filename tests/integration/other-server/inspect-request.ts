import type { IncomingMessage } from 'node:http';
import { type Fields, isFields } from '../../simulators/http.ts';
import type { Call } from './calls.ts';

/** Checks the kiosk's part of the contract for every call. @returns violations as sentences */
export function complaintsAbout(request: IncomingMessage, form: FormData | null, call: Call): string[] {
	const where = `${request.method} ${request.url}`;
	const { authorization = '', accept = '', cookie = '' } = request.headers;
	const csrf = request.headers['x-csrftoken'];
	const found: string[] = [];
	if (call !== 'login' && !/^Token \S+$/.test(authorization)) found.push(`${where}: Authorization is "${authorization}"`);
	if (!accept.includes('application/json')) found.push(`${where}: Accept is "${accept}"`);
	// This server sets no such cookie; a client that sends one must send the header too.
	if (csrf !== undefined && !cookie.includes(`csrftoken=${csrf}`)) found.push(`${where}: half a pair against cross-site requests`);
	if (cookie.includes('fww_client')) found.push(`${where}: the session cookie came along`);
	// The specification does not say what resend carries.
	if (request.method === 'POST' && form === null && call !== 'resend_callback') found.push(`${where}: no multipart/form-data`);
	if (form !== null && [...form.keys()].join() !== 'formData') found.push(`${where}: fields ${[...form.keys()].join()}`);
	return found;
}

/** @returns the form of a multipart body, or null for another body */
export async function readForm(request: IncomingMessage, body: Buffer): Promise<FormData | null> {
	const type = request.headers['content-type'] ?? '';
	if (!type.startsWith('multipart/form-data')) return null;
	return new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData().catch(() => null);
}

/** @returns the JSON object in the field `formData`, or `{}` */
export function formFields(form: FormData | null): Fields {
	try {
		const value: unknown = JSON.parse(String(form?.get('formData')));
		return isFields(value) ? value : {};
	} catch {
		return {};
	}
}
