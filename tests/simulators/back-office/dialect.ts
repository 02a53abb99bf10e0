import type { Fields } from '../http.ts';
import type { Call } from './calls.ts';
import type { Invoice } from './invoice.ts';

/** A call's answer as it goes on the wire. */
export interface WrittenAnswer {
	status: number;
	body: string;
	type: string;
	/** Target of a redirect. */
	location?: string;
}

/**
 * Another server behind the same contract: addresses, notation, timing and live socket differ, the
 * books are the same.
 */
export interface Dialect {
	/** Addresses of calls; `{id}` stands for an id. */
	paths: Partial<Record<Call, string>>;
	/** The invoices it begins with. */
	invoices: Invoice[];
	newToken(): string;
	/** Address of its live socket with the parameter that holds the token. */
	socket: { path: string; parameter: string };
	/** The first message on a new live socket. */
	greeting: string;
	delayMs(): number;
	/** How often it announces that an invoice is paid. */
	announcements(): number;
	/** A call's fields with its own keys replaced by those of the books. */
	reads(fields: Fields): Fields;
	writes(call: Call, answer: { status: number; body: unknown }, about: Invoice | undefined): WrittenAnswer;
	/** A live message as text. */
	says(text: Fields): string;
}
