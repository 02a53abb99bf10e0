import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { cookieOf, tokenOf } from '../back-office/proxy.ts';
import type { OutletToken } from '../back-office/token.ts';
import { replaceFile } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';
import type { Log } from '../log/log.ts';
import { addSession, type SessionBook, withoutSession } from './session-book.ts';

/** Maximum age of the cookies, from the specification. */
const COOKIE_AGE_S = 8_640_000;
/** The specification's cookie, which the page reads: present while an outlet is logged in. */
const OUTLET_COOKIE = 'fww_client';
/** Cookie with the page's session, even while no outlet is logged in. Scripts cannot read it. */
const SCREEN_COOKIE = 'kiosk_screen';
/** Length of a session's key: 256 bits cannot be guessed. */
const KEY_BYTES = 32;
/**
 * Minimum length of a start secret: an empty or truncated file must not be accepted. The launcher's
 * secrets are longer.
 */
const SHORTEST_SECRET = 32;

const Hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const Stored = v.strictObject({
	sessions: v.array(v.strictObject({ hash: Hash, kind: v.picklist(['browser', 'login']) })),
	usedSecret: v.nullable(Hash),
});
/** The part of the specification's cookie that the daemon reads. */
const OutletCookie = v.looseObject({ token: v.string() });

/**
 * The session of a page that may make calls. `key` is the secret in the cookie. `id` identifies the
 * session in the daemon, and is useless to an attacker.
 */
export interface ScreenSession {
	id: string;
	key: string;
}

/**
 * The sessions of the pages that may make calls. A page gets a key of the daemon, never the
 * outlet's token.
 */
export interface ScreenSessions {
	/**
	 * @returns the session that the request names in its Authorization header or else in its cookies;
	 * null if there is no valid session
	 */
	of(request: IncomingMessage): ScreenSession | null;
	/** @returns the session with this key, or null */
	withKey(key: string): ScreenSession | null;
	/**
	 * Makes a session for the browser that systemd started, in exchange for its start secret. A
	 * secret works only once. Ends the session of the previous browser.
	 * @returns null if the secret is wrong, used or not expected
	 */
	start(secret: string): ScreenSession | null;
	/**
	 * Replaces the page's session after a log-in.
	 * @returns the new session
	 */
	renew(before: ScreenSession | null): ScreenSession;
	/** Whether this is the session of the browser started by systemd. */
	isBrowser(id: string): boolean;
	end(id: string): void;
	/** Ends all sessions except this one, e.g. when the outlet logs out. */
	endOthers(id: string): void;
	/** Registers a listener that gets the id of each ended session. */
	onEnd(listener: (id: string) => void): void;
	/** Sets or clears the cookies of the outlet and of the page's session. */
	setCookies(request: IncomingMessage, response: ServerResponse, session: ScreenSession | null): void;
}

/**
 * @param of.directory the daemon's state directory: hashes of the sessions are saved there, so that
 * a page survives a restart of the daemon
 * @param of.secretFile file with the launcher's start secret; null without a launcher
 */
export function openScreenSessions(of: {
	directory: string;
	secretFile: string | null;
	outlet: Pick<OutletToken, 'current'>;
	log: Log;
}): ScreenSessions {
	const file = join(of.directory, 'screen-sessions.json');
	const listeners: ((id: string) => void)[] = [];
	let book = load(file);

	/** Saves the new book and calls the listeners for each session that has been removed. */
	function keep(next: SessionBook): void {
		const before = book;
		book = next;
		try {
			mkdirSync(of.directory, { recursive: true, mode: 0o700 });
			replaceFile(file, JSON.stringify(next));
		} catch (error) {
			of.log.event('screen.sessions_not_stored', { reason: messageOf(error) });
		}
		const kept = new Set(next.sessions.map(({ hash }) => hash));
		for (const { hash } of before.sessions) if (!kept.has(hash)) for (const listener of listeners) listener(idOf(hash));
	}

	function open(kind: 'browser' | 'login', before: SessionBook): ScreenSession {
		const key = randomBytes(KEY_BYTES).toString('base64url');
		const hash = hashOf(key);
		keep(addSession(before, { hash, kind }));
		return { id: idOf(hash), key };
	}

	const withKey = (key: string): ScreenSession | null => {
		const hash = hashOf(key);
		return book.sessions.some((session) => session.hash === hash) ? { id: idOf(hash), key } : null;
	};

	return {
		of(request) {
			const key = keyIn(request);
			return key === null ? null : withKey(key);
		},
		withKey,
		start(secret) {
			const hash = hashOf(secret);
			const expected = readSecret(of.secretFile);
			if (expected === null || hash !== hashOf(expected) || hash === book.usedSecret) {
				of.log.event('screen.start_refused', { reason: expected === null ? 'no secret is expected' : 'the secret is wrong or used' });
				return null;
			}
			return open('browser', { ...book, usedSecret: hash });
		},
		renew(before) {
			const hash = before && hashOf(before.key);
			const kind = book.sessions.find((session) => session.hash === hash)?.kind ?? 'login';
			return open(kind, hash === null ? book : withoutSession(book, hash));
		},
		isBrowser: (id) => book.sessions.some(({ hash, kind }) => kind === 'browser' && idOf(hash) === id),
		end(id) {
			const session = book.sessions.find(({ hash }) => idOf(hash) === id);
			if (session) keep(withoutSession(book, session.hash));
		},
		endOthers(id) {
			keep({ ...book, sessions: book.sessions.filter(({ hash }) => idOf(hash) === id) });
		},
		onEnd: (listener) => void listeners.push(listener),
		setCookies(request, response, session) {
			const outlet = of.outlet.current();
			const known = session !== null && outlet !== null && !outlet.refused;
			const shown = known ? encodeURIComponent(JSON.stringify({ token: session.key, development: outlet.account.development })) : null;
			const set = (name: string, value: string | null, flags: string): void => {
				if (value !== null)
					response.appendHeader('Set-Cookie', `${name}=${value}; Path=/; Max-Age=${COOKIE_AGE_S}; SameSite=Strict${flags}`);
				else if (cookieOf(request, name) !== null)
					response.appendHeader('Set-Cookie', `${name}=; Path=/; Max-Age=0; SameSite=Strict${flags}`);
			};
			set(OUTLET_COOKIE, shown, '');
			set(SCREEN_COOKIE, session?.key ?? null, '; HttpOnly');
		},
	};
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
/** @returns the id of a session: enough characters of the hash to distinguish a few sessions */
const idOf = (hash: string): string => hash.slice(0, 16);

/**
 * @returns the key in a request. An Authorization header overrides the cookies: a page with an old
 * token must not be admitted by the cookie of another session.
 */
function keyIn(request: IncomingMessage): string | null {
	if (request.headers.authorization !== undefined) return tokenOf(request);
	return cookieOf(request, SCREEN_COOKIE) ?? outletCookieKey(request);
}

function outletCookieKey(request: IncomingMessage): string | null {
	try {
		const parsed = v.safeParse(OutletCookie, JSON.parse(decodeURIComponent(cookieOf(request, OUTLET_COOKIE) ?? '')));
		return parsed.success ? parsed.output.token : null;
	} catch {
		return null;
	}
}

function readSecret(file: string | null): string | null {
	try {
		const text = file === null ? '' : readFileSync(file, 'utf8').trim();
		return text.length >= SHORTEST_SECRET ? text : null;
	} catch {
		return null;
	}
}

function load(file: string): SessionBook {
	try {
		return v.parse(Stored, JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		// Without a valid file all pages lose their sessions. A page gets a new one when the browser is
		// restarted or when staff log in.
		return { sessions: [], usedSecret: null };
	}
}
