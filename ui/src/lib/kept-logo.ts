/**
 * Key of the dealer's logo address. A reloaded home screen shows the logo before an invoice names
 * it. The address is not customer data. It stays until the outlet's session ends.
 */
const LOGO = 'logo';

/** @returns the address of the last shown logo, '' if none */
export const readLogo = (): string => localStorage.getItem(LOGO) ?? '';

/** Keeps the address of a logo that has loaded. */
export function keepLogo(address: string): void {
	try {
		localStorage.setItem(LOGO, address);
	} catch {
		// An embedded picture may exceed the storage. The next invoice brings the picture again.
	}
}

export const forgetLogo = (): void => localStorage.removeItem(LOGO);
