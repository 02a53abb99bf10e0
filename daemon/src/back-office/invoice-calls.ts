import type { InvoiceInfo } from '@kiosk/contract/back-office';
import type { Clock } from '../base/clock.ts';
import type { Journal } from '../journal/journal.ts';
import { type Payment, sameAccount } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import { type CallBackOffice, formDataOf, ownHeaders } from './client.ts';
import { parseInfo } from './invoice-answer.ts';
import type { OutletToken } from './token.ts';

/**
 * Maximum time that a look-up waits until no note is being sent, so that its answer lists all sent
 * notes.
 */
const SETTLE_MS = 2_000;

/** HTTP statuses that mean that the server has no invoice with this number. */
const NOT_FOUND = new Set([400, 404, 409, 410, 422]);

/** Facts about the moment at which a look-up was sent. Answers are ordered by this moment. */
export interface Asked {
	account: Payment['account'];
	/** Number of the newest journal record at that moment. */
	seq: number;
	/** Whether the journal was readable at that moment. If not, `seq` is unknown. */
	readable: boolean;
	/** Monotonic ms. */
	at: number;
}

/**
 * How a look-up of a known payment ended. `no_invoice`: the server does not have the invoice, or
 * the outlet of the invoice is not logged in. `unreadable`: the journal was unreadable when the
 * answer came, so the answer is not used. `no_answer`: the server sent no answer in time, an error,
 * or an answer that is not an invoice. `refused`: the server refused the token. `unreachable`: no
 * connection was made.
 */
export type Refreshed = 'answered' | 'no_invoice' | 'unreadable' | 'no_answer' | 'refused' | 'unreachable';

/** @returns whether the look-up need not be repeated */
export const isAnswered = (refreshed: Refreshed): boolean => refreshed === 'answered' || refreshed === 'no_invoice';

/** The kiosk's own look-ups at the back office. */
export interface InvoiceCalls {
	/**
	 * Called before a look-up is sent. Resolves when no note is being sent, or after `SETTLE_MS`.
	 */
	ask(): Promise<Asked>;
	/** @param when `at_once`: does not wait for the notes being sent */
	lookUp(number: string, limitMs: number, when?: 'settled' | 'at_once'): Promise<LookedUp>;
}

export type LookedUp =
	| { code: 'found'; asked: Asked; info: InvoiceInfo }
	| { code: 'no_invoice' | 'no_answer' | 'refused' | 'unreachable' };

export interface InvoiceCallsDeps {
	journal: Journal;
	token: OutletToken;
	call: CallBackOffice;
	path: string;
	csrf: { csrf_cookie: string; csrf_header: string };
	clock: Clock;
	/** Resolves when no note is being sent. */
	whenSettled: () => Promise<void>;
	log: Log;
}

export function invoiceCalls(deps: InvoiceCallsDeps): InvoiceCalls {
	const { journal, token, clock } = deps;
	const account = (): Payment['account'] => token.current()?.account ?? null;

	async function ask(): Promise<Asked> {
		if (journal.waitingUploads().count > 0) await waitAtMost(SETTLE_MS, deps.whenSettled());
		return askNow();
	}

	const askNow = (): Asked => ({
		account: account(),
		seq: journal.money.position(),
		readable: !isClosed(journal.trouble()),
		at: clock.now(),
	});

	function waitAtMost(ms: number, promise: Promise<void>): Promise<void> {
		return new Promise((resolve) => {
			const cancel = clock.after(ms, resolve);
			void promise.then(() => {
				cancel();
				resolve();
			});
		});
	}

	return {
		ask,
		async lookUp(number, limitMs, when = 'settled') {
			const before = account();
			if (!before || number === '') return { code: 'no_invoice' };
			const asked = when === 'settled' ? await ask() : askNow();
			const session = token.current();
			// The number was entered for the previous outlet, and another outlet has logged in since.
			if (!session || !sameAccount(session.account, before)) return { code: 'no_invoice' };
			const { body, contentType } = formDataOf({ noinvoice: number });
			const headers = { ...ownHeaders(session.token.reveal(), deps.csrf), 'Content-Type': contentType };
			const ending = new AbortController();
			const cancel = clock.after(limitMs, () => ending.abort());
			const answer = await deps.call({ method: 'POST', path: deps.path, headers, body, signal: ending.signal });
			cancel();
			// Only a failed connection shows that the server is down. A missing answer does not: a server
			// may break the connection at each look-up of one particular invoice.
			if (!answer.ok) return { code: answer.error.unsent ? 'unreachable' : 'no_answer' };
			const { status } = answer.value;
			if (status === 401) return { code: 'refused' };
			if (status > 299) return { code: NOT_FOUND.has(status) ? 'no_invoice' : 'no_answer' };
			const info = parseInfo(answer.value.body);
			if (!info) deps.log.event('back_office.odd_answer', { call: 'invoice_info', path: 'the kiosk’s own look-up' });
			return info ? { code: 'found', asked, info } : { code: 'no_answer' };
		},
	};
}
