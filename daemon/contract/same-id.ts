import type { Id } from './back-office.ts';

/** @returns whether two ids name the same payment, as number or string */
export const sameId = (a: Id | null | undefined, b: Id | null | undefined): boolean =>
	a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);
