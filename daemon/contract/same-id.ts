import type { Id } from './back-office.ts';

/** @returns whether two ids name the same payment, as number or string */
export const sameId = (a: Id | null | undefined, b: Id | null | undefined): boolean =>
	a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);

interface Named {
	id: Id;
	noinvoice?: string | undefined;
}
const isNumbered = ({ noinvoice }: Named): boolean => noinvoice !== undefined && noinvoice !== '';

/**
 * A back office may give an id to another invoice, and may leave out the number in one answer. A
 * message may have no number.
 * @returns whether both are the same invoice; where either has no number the id decides
 */
export const isSameInvoice = (a: Named | null, b: Named | null): boolean =>
	a !== null && b !== null && sameId(a.id, b.id) && (!isNumbered(a) || !isNumbered(b) || a.noinvoice === b.noinvoice);
