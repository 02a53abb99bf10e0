import type { Id } from './back-office.ts';

/** @returns whether both ids are given and equal as text: 7 equals "7" */
export const sameId = (a: Id | null | undefined, b: Id | null | undefined): boolean =>
	a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);

interface Named {
	id: Id;
	noinvoice?: string | undefined;
}
const isNumbered = ({ noinvoice }: Named): boolean => noinvoice !== undefined && noinvoice !== '';

/**
 * Compares ids and invoice numbers, because a back office may use one id for two invoices. Answers
 * and messages of the back office may lack the number.
 * @returns whether both are the same invoice; if either has no number, the id decides
 */
export const isSameInvoice = (a: Named | null, b: Named | null): boolean =>
	a !== null && b !== null && sameId(a.id, b.id) && (!isNumbered(a) || !isNumbered(b) || a.noinvoice === b.noinvoice);
