import { type Fields, isFields } from '../http.ts';

const FORM_TYPES = ['multipart/form-data', 'application/x-www-form-urlencoded'];

export type Form = { ok: true; fields: Fields } | { ok: false; status: 400 | 415; message: string };

const refuse = (status: 400 | 415, message: string): Form => ({ ok: false, status, message });

/** Reads the field `formData` of every call: a JSON object as text, in either kind of HTML form. */
export async function readForm(body: Buffer, contentType: string): Promise<Form> {
	if (!FORM_TYPES.some((type) => contentType.startsWith(type))) return refuse(415, `Unsupported media type "${contentType}" in request.`);
	let text: unknown;
	try {
		const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
		text = form.get('formData');
	} catch {
		return refuse(400, 'the form cannot be read');
	}
	if (typeof text !== 'string') return refuse(400, 'field formData is missing');
	try {
		const fields: unknown = JSON.parse(text);
		return isFields(fields) ? { ok: true, fields } : refuse(400, 'formData is not a JSON object');
	} catch {
		return refuse(400, 'formData is not JSON');
	}
}
