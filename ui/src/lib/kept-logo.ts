/**
 * Under this key the address of the dealer's logo is stored, so that a reloaded home screen shows
 * the logo before an invoice names it. The address is no customer's data, so it stays until the
 * outlet's session ends.
 */
const LOGO = 'logo';

/** @returns the address of the last shown logo; '' if there is none */
export const readLogo = (): string => localStorage.getItem(LOGO) ?? '';

/** Keeps the address of a logo that has loaded. */
export function keepLogo(address: string): void {
	try {
		localStorage.setItem(LOGO, address);
	} catch {
		// The address can contain the picture itself and be too large to store. The next invoice brings
		// it again.
	}
}

export const forgetLogo = (): void => localStorage.removeItem(LOGO);
