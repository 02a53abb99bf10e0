import type { Fields } from '../http.ts';
import type { Call } from './calls.ts';
import type { Invoice } from './invoice.ts';

/** An answer to a call, ready to be sent. */
export interface WrittenAnswer {
	status: number;
	body: string;
	type: string;
	/** Target of a redirect. */
	location?: string;
}

/**
 * Makes the simulator act as another server, with the same contract but with other addresses,
 * notation, timing and live socket.
 */
export interface Dialect {
	/** Paths of calls; `{id}` stands for an id. */
	paths: Partial<Record<Call, string>>;
	/** The invoices that the server starts with. */
	invoices: Invoice[];
	newToken(): string;
	/** Path of the live socket, and the query parameter with the token. */
	socket: { path: string; parameter: string };
	/** The first message on a new live socket. */
	greeting: string;
	delayMs(): number;
	/** @returns how often the server announces that an invoice is paid */
	announcements(): number;
	/** Converts the fields of a call to the names and keys of the books. */
	reads(fields: Fields): Fields;
	writes(call: Call, answer: { status: number; body: unknown }, about: Invoice | undefined): WrittenAnswer;
	/** Converts a live message to text. */
	says(text: Fields): string;
}
