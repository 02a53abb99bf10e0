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

type Known = { id: Id; noinvoice?: string | undefined };
const isNumbered = ({ noinvoice }: Known): boolean => noinvoice !== undefined && noinvoice !== '';

/**
 * A back office may give an id to another invoice, and may leave out the number in one answer.
 * @returns whether both are the same invoice; where either has no number the id decides
 */
export const isSameInvoice = (a: Known | null, b: Known | null): boolean =>
	a !== null && b !== null && sameId(a.id, b.id) && (!isNumbered(a) || !isNumbered(b) || a.noinvoice === b.noinvoice);
