/**
 * Maximum number of sessions of kind `login`: enough for the pages of a developer or technician.
 * Above this number, the oldest session of this kind is removed.
 */
const MOST_LOGINS = 8;

/**
 * `browser`: the browser that systemd started. `login`: a page that logged in without a start
 * secret.
 */
export interface KnownSession {
	/** SHA-256 of the key, hex. */
	hash: string;
	kind: 'browser' | 'login';
}

/** The sessions, oldest first. */
export interface SessionBook {
	sessions: readonly KnownSession[];
	/** SHA-256 of the last used start secret, hex. A secret can be used only once. */
	usedSecret: string | null;
}

/**
 * @returns the book with this session added. A new `browser` session replaces the previous
 * `browser` session. A new `login` session removes only the oldest `login` session above the limit.
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
