/**
 * The address of the dealer's logo, so that a reloaded home screen shows it before any invoice
 * names it. It outlives visits, because it is not customer data, and ends with the outlet's
 * session.
 */
const LOGO = 'logo';

/** @returns the address of the logo that was shown last, '' when none */
export const readLogo = (): string => localStorage.getItem(LOGO) ?? '';

/** Keeps the address of a logo that has loaded. */
export function keepLogo(address: string): void {
	try {
		localStorage.setItem(LOGO, address);
	} catch {
		// An embedded picture may exceed the storage; the next invoice names it again.
	}
}

export const forgetLogo = (): void => localStorage.removeItem(LOGO);
