import type { Clock } from '../base/clock.ts';
import type { PaymentKey } from '../journal/records.ts';
import { isAnswered, type Refreshed } from './invoice-calls.ts';
import { remember } from './recent.ts';
import type { OutletToken } from './token.ts';

/**
 * After this many unanswered look-ups of an invoice (about two minutes), its notes are sent anyway,
 * because all later notes wait behind them. A look-up does not count if the server cannot be
 * reached or refuses the token.
 */
const MOST_FAILURES = 3;
/**
 * Failures within this time count as one. Each look-up by a customer causes a retry, and a server
 * that restarts answers with errors for a minute or two.
 */
const COUNTED_EVERY_MS = 30_000;

const NOT_LOOKED_UP = 'could not be looked up before its note is sent';
const WAITS = {
	unreachable: `the server cannot be reached, so the invoice ${NOT_LOOKED_UP}`,
	refused: `the back office answered 401, so the invoice ${NOT_LOOKED_UP}`,
};

/** Looks an invoice up before one of its notes is sent. @returns why the note waits, or null */
export type LookUpFirst = (key: PaymentKey) => Promise<string | null>;

/** @param lookUp looks the invoice up if a message about the invoice may be lost */
export function lookUpBeforeNotes(deps: {
	clock: Clock;
	token: Pick<OutletToken, 'current' | 'markRefused'>;
	lookUp: (key: PaymentKey) => Promise<Refreshed>;
	onUnreachable: () => void;
}): LookUpFirst {
	const { clock, token } = deps;
	/**
	 * Failures are counted per invoice, because all look-ups of an invoice fail for the same reason.
	 * `at`: when the last failure was counted, monotonic ms.
	 */
	const failures = new Map<PaymentKey, { count: number; at: number }>();

	function countFailure(key: PaymentKey): number {
		const before = failures.get(key) ?? { count: 0, at: Number.NEGATIVE_INFINITY };
		if (clock.now() - before.at < COUNTED_EVERY_MS) return before.count;
		remember(failures, key, { count: before.count + 1, at: clock.now() });
		return before.count + 1;
	}

	return async (key) => {
		const asking = token.current()?.token.reveal();
		const refreshed = await deps.lookUp(key);
		if (isAnswered(refreshed)) {
			failures.delete(key);
			return null;
		}
		if (refreshed === 'unreachable') deps.onUnreachable();
		if (refreshed === 'refused' && asking !== undefined) token.markRefused(asking);
		if (refreshed === 'unreachable' || refreshed === 'refused') return WAITS[refreshed];
		return countFailure(key) < MOST_FAILURES ? `the invoice ${NOT_LOOKED_UP}` : null;
	};
}
