/**
 * Reports number and hash of the journal's newest record to the owner. If the journal is rewritten
 * later, it contradicts this report.
 */
import { type CallBackOffice, formDataOf, ownHeaders } from './back-office/client.ts';
import type { OutletToken } from './back-office/token.ts';
import { type Clock, every } from './base/clock.ts';
import type { Anchor } from './journal/anchors.ts';
import type { Journal } from './journal/journal.ts';
import type { Log } from './log/log.ts';

const EVERY_MS = 15 * 60_000;

/**
 * An anchor, and what the next cashbox count should find: `notes` banknotes, together `expected`
 * rupiah. `period`: number of the last cashbox period that this count includes.
 */
export type ToldAnchor = Anchor & { period: number; notes: number; expected: number };

export interface JournalAnchors {
	/**
	 * Logs an anchor, and sends it to the back office if the settings name a call for anchors and an
	 * outlet is logged in. Does nothing while the journal reports trouble.
	 */
	tell(): void;
	/** The last anchor logged; null before the first. */
	last(): ToldAnchor | null;
	stop(): void;
}

/**
 * Logs and sends an anchor every 15 minutes.
 * @param deps.path `[back_office] paths.anchor`; '' if the back office has no call for anchors
 * @param deps.timestamp the present time, ISO 8601 with the site's offset
 */
export function startAnchors(deps: {
	journal: Pick<Journal, 'trouble' | 'newest' | 'cashbox'>;
	call: CallBackOffice;
	token: Pick<OutletToken, 'current'>;
	path: string;
	csrf: { csrf_cookie: string; csrf_header: string };
	clock: Clock;
	timestamp: () => string;
	log: Log;
}): JournalAnchors {
	const { journal, call, token, path, csrf, log } = deps;
	let last: ToldAnchor | null = null;

	/**
	 * Sends an anchor. A failed send is not retried, because the next anchor also covers these
	 * records.
	 */
	async function send(anchor: ToldAnchor): Promise<void> {
		const session = token.current();
		if (path === '' || session === null) return;
		const { body, contentType } = formDataOf({ ...anchor, time: deps.timestamp() });
		const headers = { ...ownHeaders(session.token.reveal(), csrf), 'Content-Type': contentType };
		const answer = await call({ method: 'POST', path, headers, body });
		const status = answer.ok ? answer.value.status : 0;
		if (status >= 200 && status < 300) return;
		log.event('journal.anchor_not_sent', { record: anchor.record, reason: answer.ok ? `status ${status}` : answer.error.message });
	}

	function tell(): void {
		if (journal.trouble() !== null) return;
		const due = journal.cashbox.due(null);
		const notes = due?.notes.reduce((sum, { count }) => sum + count, 0) ?? 0;
		last = { ...journal.newest(), period: due?.number ?? 0, notes, expected: due?.expected ?? 0 };
		log.event('journal.anchor', last);
		void send(last);
	}

	const stop = every(deps.clock, EVERY_MS, tell);
	return { tell, last: () => last, stop };
}
