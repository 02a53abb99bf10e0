import type { Fields } from '../http.ts';
import type { Call } from './calls.ts';
import type { Invoice } from './invoice.ts';

/** The answer to a call, as it is sent. */
export interface WrittenAnswer {
	status: number;
	body: string;
	type: string;
	/** Target of a redirect. */
	location?: string;
}

/**
 * Another server with the same contract. Addresses, notation, timing and live socket differ; the
 * books are the same.
 */
export interface Dialect {
	/** Paths of calls; `{id}` stands for an id. */
	paths: Partial<Record<Call, string>>;
	/** The invoices that the server starts with. */
	invoices: Invoice[];
	newToken(): string;
	/** Path of the live socket, with the parameter that holds the token. */
	socket: { path: string; parameter: string };
	/** The first message on a new live socket. */
	greeting: string;
	delayMs(): number;
	/** How often the server announces that an invoice is paid. */
	announcements(): number;
	/** Converts the fields of a call to the names and keys of the books. */
	reads(fields: Fields): Fields;
	writes(call: Call, answer: { status: number; body: unknown }, about: Invoice | undefined): WrittenAnswer;
	/** Converts a live message to text. */
	says(text: Fields): string;
}
