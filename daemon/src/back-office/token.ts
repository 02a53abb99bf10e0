import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TokenSchema } from '@kiosk/contract/back-office';
import * as v from 'valibot';
import { replaceFile } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';
import { Secret } from '../base/secret.ts';
import { type Account, sameAccount, spelledAsBefore } from '../journal/records.ts';
import type { Log } from '../log/log.ts';

const Stored = v.strictObject({
	token: TokenSchema,
	development: v.boolean(),
	outlet: v.string(),
	server: v.string(),
	socket: v.string(),
	ca: v.string(),
});

/** The back office that issued a token. The token is sent only there. */
export interface TokenServer {
	/** Origin of the back office's URL. */
	server: string;
	/** Origin of its live socket, whose path contains the token. */
	socket: string;
	/**
	 * Digest of the certificate authority in the settings; '' if public authorities are trusted.
	 */
	ca: string;
}

/**
 * @param settings of the back office
 * @returns the servers to which tokens of this back office may be sent
 */
export function tokenServer(settings: { url: string; socket_url: string; ca_file?: string | undefined }): TokenServer {
	const ca = settings.ca_file ? createHash('sha256').update(readFileSync(settings.ca_file)).digest('hex') : '';
	return { server: new URL(settings.url).origin, socket: new URL(settings.socket_url.replace('{token}', '')).origin, ca };
}

export interface OutletSession {
	token: Secret;
	/** All money that is taken now belongs to this account. */
	account: Account;
	/**
	 * Whether the back office answered 401 to this token. If so, the pages count as logged out until
	 * the token works again or staff log in.
	 */
	refused: boolean;
}

/**
 * The logged-in outlet account. Its token stays in a file of mode 0600 until log-out, even across
 * restarts.
 */
export interface OutletToken {
	current(): OutletSession | null;
	/** @returns the account for a log-in of this outlet */
	accountOf(of: { outlet: string; development: boolean }): Account;
	keep(token: string, of: { outlet: string; development: boolean }): void;
	/**
	 * Called at the start and when the journal has reopened: spells the outlet's name as the records
	 * of earlier money do. A log-in while the journal was closed could not compare the spelling.
	 * @param known accounts of earlier money
	 */
	spellAsBefore(known: readonly Account[]): void;
	forget(): void;
	markRefused(token: string): void;
	markWorking(token: string): void;
	matches(token: string): boolean;
	/**
	 * Called after every change of the token.
	 * @param listener gets true if another account, or none, is logged in now
	 */
	onChange(listener: (isOtherAccount: boolean) => void): void;
}

/** @param directory the daemon's state directory; created if missing */
export function openOutletToken(directory: string, of: TokenServer, log: Log): OutletToken {
	const { server, socket, ca } = of;
	const file = join(directory, 'outlet-token.json');
	const listeners: ((isOtherAccount: boolean) => void)[] = [];
	let session = load(file, of, log);

	/** @param next the session from now on; null after a log-out */
	function change(next: OutletSession | null): boolean {
		const isOtherAccount = !sameAccount(session?.account ?? null, next?.account ?? null);
		session = next;
		return isOtherAccount;
	}
	const tell = (isOtherAccount: boolean): void => {
		for (const listener of listeners) listener(isOtherAccount);
	};
	const matches = (token: string): boolean => session?.token.reveal() === token;

	function store(token: string, { outlet, development }: Account): void {
		try {
			mkdirSync(directory, { recursive: true, mode: 0o700 });
			replaceFile(file, JSON.stringify({ token, development, outlet, server, socket, ca } satisfies v.InferOutput<typeof Stored>));
		} catch (error) {
			log.event('session.not_stored', { reason: messageOf(error) });
		}
	}

	return {
		current: () => session,
		accountOf: ({ outlet, development }) => ({ server, outlet, development }),
		keep(token, { outlet, development }) {
			const account: Account = { server, outlet, development };
			if (session && matches(token) && sameAccount(session.account, account) && !session.refused) return;
			const isOtherAccount = change({ token: new Secret(token), account, refused: false });
			store(token, account);
			log.event('session.logged_in', { development });
			tell(isOtherAccount);
		},
		spellAsBefore(known) {
			if (!session) return;
			const account = spelledAsBefore(session.account, known);
			if (!change({ ...session, account })) return;
			store(session.token.reveal(), account);
			tell(true);
		},
		forget() {
			const isOtherAccount = change(null);
			try {
				rmSync(file, { force: true });
			} catch (error) {
				// The disk may be read-only. The log-out is then valid only until the next restart.
				log.event('session.not_removed', { reason: messageOf(error) });
			}
			log.event('session.logged_out', {});
			tell(isOtherAccount);
		},
		markRefused(token) {
			if (!session || !matches(token) || session.refused) return;
			session.refused = true;
			log.event('session.token_refused', {});
		},
		markWorking(token) {
			if (session && matches(token)) session.refused = false;
		},
		matches,
		onChange: (listener) => void listeners.push(listener),
	};
}

/**
 * @returns the stored session; null if the file is missing, unusable or of another server. The next
 * log-in replaces the file
 */
function load(file: string, { server, socket, ca }: TokenServer, log: Log): OutletSession | null {
	try {
		const stored = v.parse(Stored, JSON.parse(readFileSync(file, 'utf8')));
		if (stored.server !== server || stored.socket !== socket || stored.ca !== ca) {
			log.event('session.of_other_server', { server: stored.server, socket: stored.socket, ca_changed: stored.ca !== ca });
			return null;
		}
		const { outlet, development } = stored;
		return { token: new Secret(stored.token), account: { server, outlet, development }, refused: false };
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		// The error's message is not logged, because a parse error may quote the token.
		if (code !== 'ENOENT') log.event('session.stored_unusable', { reason: code ?? 'not a token of this kiosk' });
		return null;
	}
}
