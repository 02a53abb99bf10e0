import { type Fields, isFields } from '../http.ts';

const MULTIPART = 'multipart/form-data';
const FORM_TYPES = [MULTIPART, 'application/x-www-form-urlencoded'];

/** The form of a call. `names` are the names of the sent fields. */
export type Form = { multipart: boolean; names: string[] } & (
	| { ok: true; fields: Fields }
	| { ok: false; status: 400 | 415; message: string }
);

/** Reads a multipart or URL-encoded form. Its field `formData` is a JSON object as text. */
export async function readForm(body: Buffer, contentType: string): Promise<Form> {
	const form: Form = { multipart: contentType.startsWith(MULTIPART), names: [], ok: true, fields: {} };
	const refuse = (status: 400 | 415, message: string): Form => ({ ...form, ok: false, status, message });
	if (!FORM_TYPES.some((type) => contentType.startsWith(type))) return refuse(415, `Unsupported media type "${contentType}" in request.`);
	let text: unknown;
	try {
		const sent = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
		form.names = [...sent.keys()];
		text = sent.get('formData');
	} catch {
		return refuse(400, 'the form cannot be read');
	}
	if (typeof text !== 'string') return refuse(400, 'field formData is missing');
	try {
		const fields: unknown = JSON.parse(text);
		return isFields(fields) ? { ...form, ok: true, fields } : refuse(400, 'formData is not a JSON object');
	} catch {
		return refuse(400, 'formData is not JSON');
	}
}
