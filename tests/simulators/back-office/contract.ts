import type { IncomingMessage } from 'node:http';
import type { Fields } from '../http.ts';
import type { Call } from './calls.ts';
import type { Form } from './form.ts';
import type { Invoice } from './invoice.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Checks that a call of the kiosk fits the contract. @returns violations as sentences */
export function complaintsAbout(request: IncomingMessage, form: Form, call: Call): string[] {
	const where = `${request.method} ${request.url}`;
	const { authorization = '', accept = '', cookie = '' } = request.headers;
	const csrf = request.headers['x-csrftoken'];
	const found: string[] = [];
	if (call !== 'login' && !/^Token \S+$/.test(authorization)) found.push(`${where}: Authorization is "${authorization}"`);
	if (!accept.includes('application/json')) found.push(`${where}: Accept is "${accept}"`);
	// The CSRF header must repeat the CSRF cookie.
	if (csrf !== undefined && !cookie.includes(`csrftoken=${csrf}`)) found.push(`${where}: only one of CSRF cookie and header`);
	if (cookie.includes('fww_client')) found.push(`${where}: the session cookie was sent`);
	// A resend may have any contents, because the specification does not define them.
	if (request.method === 'POST' && !form.multipart && call !== 'resend_callback') found.push(`${where}: not multipart/form-data`);
	if (form.names.length > 0 && form.names.join() !== 'formData') found.push(`${where}: fields ${form.names.join()}`);
	return found;
}

export function complaintsAboutNote(note: Fields, invoice: Invoice | undefined): string[] {
	const fits =
		UUID.test(String(note.note_id)) &&
		invoice !== undefined &&
		note.odoo_id === invoice.odoo_id &&
		note.noinvoice === invoice.noinvoice &&
		Number.isSafeInteger(note.nominal) &&
		TIME.test(String(note.time));
	return fits ? [] : [`a note violates the contract: ${JSON.stringify(note)}`];
}
