/**
 * Maximum number of sessions of logged-in pages: the kiosk's own browser, and a few pages of a
 * developer or technician. Above this number the oldest is removed.
 */
const MOST_LOGINS = 8;

/** `browser`: started by systemd. `login`: a page that logged in without a start secret. */
export interface KnownSession {
	/** SHA-256 of the key, hex. */
	hash: string;
	kind: 'browser' | 'login';
}

/** Oldest first. */
export interface SessionBook {
	sessions: readonly KnownSession[];
	/** SHA-256 of the last exchanged start secret, hex: it cannot be used again. */
	usedSecret: string | null;
}

/**
 * @returns the book with this session added; at most one is a browser's, and log-ins never displace
 * it
 */
export function addSession(book: SessionBook, added: KnownSession): SessionBook {
	const others = book.sessions.filter(({ kind }) => added.kind === 'login' || kind === 'login');
	const sessions = [...others, added];
	const logins = sessions.filter(({ kind }) => kind === 'login');
	const tooOld = new Set(logins.slice(0, Math.max(0, logins.length - MOST_LOGINS)));
	return { ...book, sessions: sessions.filter((session) => !tooOld.has(session)) };
}

export const withoutSession = (book: SessionBook, hash: string): SessionBook => ({
	...book,
	sessions: book.sessions.filter((session) => session.hash !== hash),
});
