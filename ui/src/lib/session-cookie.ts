const NAME = 'fww_client';
/** How long the cookie lives, s. The specification gives 864e4, which is 100 days. */
const MAX_AGE = 8_640_000;

export type Session = { token: string; development: boolean };

/** @returns the page's session; null if no outlet is logged in or the cookie is invalid */
export function readSession(): Session | null {
	const pair = document.cookie.split('; ').find((part) => part.startsWith(`${NAME}=`));
	if (pair === undefined) return null;
	try {
		// Checked without a schema, because the first screen is loaded without schemas.
		const { token, development } = JSON.parse(decodeURIComponent(pair.slice(NAME.length + 1)));
		return typeof token === 'string' && token !== '' && typeof development === 'boolean' ? { token, development } : null;
	} catch {
		return null;
	}
}

/**
 * Keeps the key of this page's session and the development flag across reloads. The cookie never
 * contains the outlet's token.
 */
export function writeSession(session: Session): void {
	const value = encodeURIComponent(JSON.stringify({ token: session.token, development: session.development }));
	// The Cookie Store API would be too late: it is asynchronous, but the next call must send the
	// cookie.
	// biome-ignore lint/suspicious/noDocumentCookie: see above
	document.cookie = `${NAME}=${value}; max-age=${MAX_AGE}; path=/; SameSite=Strict`;
}

export function clearSession(): void {
	// biome-ignore lint/suspicious/noDocumentCookie: as above
	document.cookie = `${NAME}=; max-age=0; path=/; SameSite=Strict`;
}
