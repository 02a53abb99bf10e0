import type { Rupiah } from '../../contract/money.ts';

/** What the kiosk may ask of any card terminal. */
export type TerminalRequest =
	| { type: 'sale'; amount: Rupiah }
	/** `invoice`: the terminal's own number of the sale, from its response. */
	| { type: 'void'; amount: Rupiah; invoice: string }
	| { type: 'settlement' }
	| { type: 'echo' }
	/** Prints the slip again and tells its details. */
	| { type: 'reprint'; invoice: string }
	| { type: 'qris'; amount: Rupiah }
	/** `reference`: the twelve digits that the terminal gave for the QR. */
	| { type: 'qris_inquiry'; amount: Rupiah; reference: string };

/** What a terminal answered, without anything that could identify a card. Times are the terminal's own clock. */
export interface TerminalResponse {
	type: TerminalRequest['type'];
	/** Two characters; "00" is success, anything else is not. */
	code: string;
	/** Rupiah; null where the terminal left it out, as it does on failures. */
	amount: Rupiah | null;
	/** At most the first six and last four digits; the rest is `*`. */
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

/** What any card terminal tells the card desk, in meanings; no bytes pass this line. */
export type TerminalReport =
	/** `silent`: the line is open and the terminal does not answer. */
	| { kind: 'state'; state: 'disconnected' | 'starting' | 'silent' | 'ready' | 'busy' }
	/**
	 * The first byte goes out. `clock`: the terminal's own clock at this moment at the latest, in the measure of `slipTime`; null
	 * when it is not known.
	 */
	| { kind: 'begun'; request_id: string; clock: number | null }
	/** The terminal has the request; from now on the customer acts there. After `not_begun`: it has begun after all. */
	| { kind: 'acked'; request_id: string }
	/**
	 * The request never began: the line was closed before its first byte, the terminal refused it, or no terminal has said a
	 * byte since the line opened. In the last case an `acked` or `answer` may follow and prove the contrary.
	 */
	| { kind: 'not_begun'; request_id: string; why: string }
	/**
	 * A whole, checked answer. It waits for `acknowledge`, because the answer must be durable before the terminal forgets it.
	 * `request_id`: the request it belongs to, also when its limit has passed; null when no request explains it.
	 */
	| { kind: 'answer'; request_id: string | null; response: TerminalResponse }
	/** No answer within the limit, or the line was lost after the first byte: what happened is unknown. A late `answer` may follow. */
	| { kind: 'silent'; request_id: string; why: string };

export interface CardTerminal {
	/** One request at a time; a second one before the first has ended is a bug. `request_id` names it in reports. */
	request(request: TerminalRequest, request_id: string): void;
	/** The last answer is durable: the terminal may forget it. */
	acknowledge(): void;
	stop(): void;
}

/** @returns the second that an answer names on the terminal's clock, in ms on a scale of its own; null when it names none */
export function slipTime({ date, time }: Pick<TerminalResponse, 'date' | 'time'>): number | null {
	const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(date + time);
	if (!parts) return null;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
	return Date.UTC(year, month - 1, day, hour, minute, second);
}
