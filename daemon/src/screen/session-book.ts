/** Beside the kiosk's own browser a few pages of a developer or a technician; the oldest gives way. */
const MOST_LOGINS = 8;

/** `browser`: the one that systemd started. `login`: a page that logged in without having been started. */
export interface KnownSession {
	/** SHA-256 of the key, hex. */
	hash: string;
	kind: 'browser' | 'login';
}

/** Oldest first. */
export interface SessionBook {
	sessions: readonly KnownSession[];
	/** SHA-256 of the start secret that was exchanged last, hex: it opens nothing again. */
	usedSecret: string | null;
}

/** @returns the book with one session more; at most one is a browser's, and log-ins never push that one out */
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
