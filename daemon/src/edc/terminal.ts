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
	| { kind: 'state'; state: 'disconnected' | 'starting' | 'ready' | 'busy' }
	/** The terminal has the request; from now on the customer acts there. */
	| { kind: 'acked'; request_id: string }
	/** The request certainly never began: the line was closed before its first byte, or the terminal refused it. */
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
