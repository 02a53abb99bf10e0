import { InvoiceInfo } from '../../contract/back-office.ts';
import type { Clock } from '../clock.ts';
import { parseJson } from '../screen/http.ts';
import { type CallBackOffice, formDataOf, ownHeaders } from './client.ts';
import type { OutletToken } from './token.ts';

/** @returns what looks an invoice up for the daemon itself, within `limitMs`; null without a usable answer in time */
export function invoiceAsker(parts: {
	call: CallBackOffice;
	token: OutletToken;
	settings: { csrf_cookie: string; csrf_header: string; paths: { invoice_info: string } };
	clock: Clock;
}): (noinvoice: string, limitMs: number) => Promise<InvoiceInfo | null> {
	const { call, token, settings, clock } = parts;
	return async (noinvoice, limitMs) => {
		const held = token.current();
		if (!held) return null;
		const { body, contentType } = formDataOf({ noinvoice });
		const headers = { ...ownHeaders(held.token.reveal(), settings), 'Content-Type': contentType };
		const ending = new AbortController();
		const cancelLimit = clock.after(limitMs, () => ending.abort());
		const answer = await call({ method: 'POST', path: settings.paths.invoice_info, headers, body, signal: ending.signal });
		cancelLimit();
		if (!answer.ok || answer.value.status >= 300) return null;
		const info = parseJson(InvoiceInfo, answer.value.body);
		return info.ok ? info.value : null;
	};
}
