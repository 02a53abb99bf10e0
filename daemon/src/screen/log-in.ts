import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoginAnswer } from '@kiosk/contract/back-office';
import { formatRupiah, sumRupiah } from '@kiosk/contract/money';
import type { BackOfficeAnswer } from '../back-office/client.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { Clock } from '../base/clock.ts';
import { customerText } from '../base/customer-text.ts';
import { answerJson } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { type Account, sameAccount, spelledAsBefore } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import { forwardMessage, readAnswer } from './forward-answer.ts';
import type { ScreenSessions } from './sessions.ts';
import { refuseOtherOutlet } from './staff-calls.ts';

/**
 * While money of another account is unsent, a log-in is refused with a warning. A second log-in to
 * the same account within this time confirms the first and is accepted.
 */
const CONFIRM_MS = 60_000;

/** A log-in that has been sent but not answered, with the counts at the time of sending. */
export interface BegunLogIn {
	/** Sequence number of the log-in since the daemon's start. */
	readonly number: number;
	/** Number of account changes and log-outs before this log-in. */
	readonly accountChanges: number;
}

export interface LogIn {
	/** Call it before a log-in is sent to the back office. */
	begin(): BegunLogIn;
	/**
	 * Keeps the token of a successful log-in and answers the page. Instead of the token, the page
	 * gets a session of the daemon. Refuses a log-in that a log-out or another account has overtaken,
	 * or that staff must confirm. If the answer has no token, the page gets only the message.
	 * @param username the outlet as staff typed it
	 */
	answer(request: IncomingMessage, response: ServerResponse, answer: BackOfficeAnswer, username: string, begun: BegunLogIn): void;
}

export function startLogIn(deps: {
	token: OutletToken;
	journal: Pick<Journal, 'accounts' | 'waitingForOthers' | 'cards'>;
	sessions: ScreenSessions;
	clock: Clock;
	log: Log;
}): LogIn {
	const { token, journal, sessions, clock, log } = deps;
	/** Number of log-ins sent so far. */
	let logIns = 0;
	/** Sequence number of the newest log-in whose token was kept; 0 if there is none. */
	let kept = 0;
	/**
	 * The account whose log-in was refused because of another account's money. Its next log-in before
	 * `until` (monotonic ms) counts as confirmation. `logIns`: number of log-ins sent before the
	 * refusal, which cannot confirm it.
	 */
	let warned: { account: Account | null; until: number; logIns: number } = { account: null, until: 0, logIns: 0 };
	let accountChanges = 0;
	token.onChange((isOtherAccount) => {
		if (isOtherAccount) accountChanges += 1;
	});

	return {
		begin() {
			logIns += 1;
			return { number: logIns, accountChanges };
		},
		answer(request, response, answer, username, begun) {
			const login = readAnswer(LoginAnswer, answer, 'login', log);
			if (!login) return forwardMessage(response, answer);
			const { development } = login;
			const account = spelledAsBefore(token.accountOf({ outlet: username, development }), journal.accounts());
			const { outlet } = account;
			// A log-out or a newer log-in overtakes this answer, even a newer log-in of the same outlet.
			const isOvertaken = begun.accountChanges !== accountChanges || begun.number < kept;
			if (isOvertaken && !sameAccount(account, token.current()?.account ?? null)) return refuseOtherOutlet(response);
			const [notes, cards] = [journal.waitingForOthers(account), journal.cards.waitingForOthers(account)];
			const waiting = { count: notes.count + cards.count, total: sumRupiah([notes.total, cards.total]) };
			const isConfirmed = sameAccount(warned.account, account) && clock.now() < warned.until && begun.number > warned.logIns;
			if (waiting.count > 0 && !isConfirmed) {
				warned = { account, until: clock.now() + CONFIRM_MS, logIns };
				log.event('session.money_waits', { outlet, ...waiting });
				const message = customerText.moneyWaits(waiting.count, formatRupiah(waiting.total));
				return answerJson(response, 409, { code: 'money_waits', message });
			}
			// The token of an overtaken log-in is not kept, because the back office may have revoked it.
			if (!isOvertaken) {
				kept = begun.number;
				token.keep(login.token, { outlet, development });
			}
			const session = sessions.renew(sessions.of(request));
			sessions.setCookies(request, response, session);
			answerJson(response, 200, { token: session.key, development });
		},
	};
}
