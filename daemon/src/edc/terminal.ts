import type { Rupiah } from '@kiosk/contract/money';

/** Requests of the kiosk to any card terminal. */
export type TerminalRequest =
	| { type: 'sale'; amount: Rupiah }
	/** `invoice`: the terminal's own number of the sale, from its response. */
	| { type: 'void'; amount: Rupiah; invoice: string }
	| { type: 'settlement' }
	| { type: 'echo' }
	/** Prints the slip again; the response contains its details. */
	| { type: 'reprint'; invoice: string }
	| { type: 'qris'; amount: Rupiah }
	/** `reference`: the twelve digits that the terminal gave for the QR code. */
	| { type: 'qris_inquiry'; amount: Rupiah; reference: string };

/**
 * A terminal's response, without data that identifies a card. Its times come from the terminal's
 * own clock.
 */
export interface TerminalResponse {
	type: TerminalRequest['type'];
	/** Two characters; only "00" is success. */
	code: string;
	/** Rupiah; null if the terminal omitted it, as it does on failures. */
	amount: Rupiah | null;
	/** At most the first six and last four digits; `*` replaces the others. */
	masked_pan: string;
	rrn: string;
	approval: string;
	/** YYYYMMDD and HHMMSS, or ''. */
	date: string;
	time: string;
	merchant_id: string;
	terminal_id: string;
	/** The terminal's number of the sale: the key for void and reprint. */
	invoice: string;
	batch: string;
	issuer_id: string;
}

/** Reports of a card terminal's driver to the card desk. They are the same for every protocol. */
export type TerminalReport =
	/** `silent`: the line is open, but the terminal does not answer. */
	| { kind: 'state'; state: 'disconnected' | 'starting' | 'silent' | 'ready' | 'busy' }
	/**
	 * The first byte of the request is being sent. `clock`: the latest possible time of the
	 * terminal's clock now, as in `slipTime`; null if not known. `terminal_id`: id of the terminal
	 * with this clock, or ''.
	 */
	| { kind: 'begun'; request_id: string; clock: number | null; terminal_id: string }
	/**
	 * The terminal has received the request and carries it out. If the request was reported as
	 * `not_begun` before, that report was wrong: the request has begun.
	 */
	| { kind: 'acked'; request_id: string }
	/**
	 * The request counts as not begun: it was not sent, the terminal refused it, or the terminal has
	 * sent no byte since the line was opened. In the last case a later `acked` or `answer` may
	 * disprove the report.
	 */
	| { kind: 'not_begun'; request_id: string; why: string }
	/**
	 * A complete, checked response. The terminal keeps the response until `acknowledge`, which the
	 * card desk calls when the response is on disk. `request_id`: the request that it answers, even
	 * after the time limit; null if no request fits.
	 */
	| { kind: 'answer'; request_id: string | null; response: TerminalResponse }
	/**
	 * No response came within the limit, or the line was lost after the first byte: the outcome is
	 * unknown. A late `answer` may follow.
	 */
	| { kind: 'silent'; request_id: string; why: string };

export interface CardTerminal {
	/**
	 * Sends a request. Only one request may be open; a second request before the end of the first is
	 * a bug. `request_id` identifies the request in reports.
	 */
	request(request: TerminalRequest, request_id: string): void;
	/** Ends this request as `not_begun` if its sending has not begun. */
	withdraw(request_id: string): void;
	/** Lets the terminal discard a reported response, which is now on disk or changes nothing. */
	acknowledge(response: TerminalResponse): void;
	stop(): void;
}

/**
 * @returns the time of a response on the terminal's clock, ms, comparable only with other such
 * times; null if the response has no time
 */
export function slipTime({ date, time }: Pick<TerminalResponse, 'date' | 'time'>): number | null {
	const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(date + time);
	if (!parts) return null;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
	return Date.UTC(year, month - 1, day, hour, minute, second);
}
