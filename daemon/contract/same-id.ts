import type { Id } from './back-office.ts';

/** @returns whether two ids name the same payment, as number or string */
export const sameId = (a: Id | null | undefined, b: Id | null | undefined): boolean =>
	a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);

/**
 * @param text a message about a payment; without a number its id decides
 * @returns whether it is about this invoice
 */
export const isAbout = (text: { id: Id; noinvoice?: string | undefined }, invoice: { id: Id; noinvoice: string } | null): boolean =>
	invoice !== null && sameId(text.id, invoice.id) && (text.noinvoice === undefined || text.noinvoice === invoice.noinvoice);
