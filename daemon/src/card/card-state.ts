/**
 * State, events and effects of the card payments' state machine; the rules are in card-machine.ts,
 * card-responses.ts and card-staff.ts.
 */
import type { EdcState, LiveText, SaleMethod, SalePhase, SaleRefusal } from '@kiosk/contract/live';
import type { Rupiah } from '@kiosk/contract/money';
import type { TerminalReport, TerminalRequest, TerminalResponse } from '../edc/terminal.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { JournalRecord, Payment } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import type { LogEffect } from '../log/event-fields.ts';

/** The owner's rules, from the settings. */
export interface CardPolicy {
	/** Response codes that leave open whether the card was charged. */
	unknownCodes: ReadonlySet<string>;
	/** Codes after which the screen may retry the sale automatically. */
	retryCodes: ReadonlySet<string>;
	/** Whether the terminal's last slip may be requested for an unknown sale. */
	inquiry: 'none' | 'reprint';
	/**
	 * Inquiries about a QR code on the terminal: the first after `firstMs`, then every `everyMs`,
	 * `looks` in total.
	 */
	qris: { firstMs: number; everyMs: number; looks: number };
}

export interface Sale {
	readonly attempt_id: string;
	readonly payment: Payment;
	readonly amount: Rupiah;
	readonly method: SaleMethod;
	/** Number of this sale among the sales of the invoice, from 1. */
	readonly attempt: number;
	/** ISO 8601 */
	readonly time: string;
}

/** A staff request; `action_id` identifies request and answer. */
export type StaffAsk = { action_id: string; by: string; why: string; time: string } & (
	| { action: 'echo' }
	| { action: 'settlement' }
	| { action: 'void'; sale: CardSale }
	| { action: 'reprint'; sale: CardSale }
	/** `slip`: the amount on the slip of the charge, if staff have entered it. */
	| { action: 'settle'; sale: CardSale; outcome: 'charged' | 'not_charged'; slip?: Rupiah | null }
);

/**
 * `not_possible`, `other_amount`, `busy`, `not_ready`, `journal`: nothing was sent to the terminal.
 * `unknown`: the terminal may have carried the request out.
 */
export interface StaffAnswer {
	code: 'done' | 'declined' | 'unknown' | 'not_begun' | 'not_possible' | 'other_amount' | 'busy' | 'not_ready' | 'journal';
	/** A sentence for staff. */
	text: string;
	response: TerminalResponse | null;
}

/** A QR code on the terminal: the terminal's response, and the number of inquiries after it. */
export interface ShownQr {
	readonly response: TerminalResponse;
	readonly looks: number;
}

/**
 * The terminal's current work for the kiosk. `request_id`: the pending request; null between two QR
 * inquiries.
 */
export type Open =
	| {
			readonly kind: 'sale';
			readonly request_id: string | null;
			readonly sale: Sale;
			readonly acked: boolean;
			readonly qr: ShownQr | null;
	  }
	| { readonly kind: 'staff'; readonly request_id: string; readonly ask: StaffAsk }
	/** An inquiry about a sale with unknown outcome. */
	| { readonly kind: 'inquiry'; readonly request_id: string; readonly sale: CardSale };

export type OpenSale = Extract<Open, { kind: 'sale' }>;

/**
 * A report of the terminal that could not be written: a response, or the complete record of a
 * report. `response`: to be acknowledged when the report is on disk; null if the report has none.
 */
export type KeptWord =
	| {
			readonly request_id: string | null;
			readonly response: TerminalResponse;
			/** Whether no request was open when the response came. */
			readonly isIdle: boolean;
			readonly record?: undefined;
	  }
	| { readonly record: Extract<JournalRecord, { kind: 'card_evidence' | 'card_unknown' }>; readonly response: TerminalResponse | null };

/** A sale that a screen may have seen, and its phase. */
export interface Known {
	readonly sale: Pick<Sale, 'attempt_id' | 'payment' | 'amount' | 'method'>;
	readonly phase: SalePhase;
}

export interface CardState {
	readonly terminal: Extract<EdcState, 'not_configured' | 'disconnected' | 'starting' | 'silent' | 'ready' | 'busy'>;
	readonly open: Open | null;
	/**
	 * Unknown sales in the journal, to be settled by staff. While the list is not empty, no card is
	 * taken.
	 */
	readonly unresolved: readonly CardSale[];
	/** Reports of the terminal that could not be written to the journal, oldest first. */
	readonly unwritten: readonly KeptWord[];
	/**
	 * Unknown card sales for which this run has requested the last slip; a second request would show
	 * nothing new.
	 */
	readonly inquired: readonly string[];
	/**
	 * The newest sale whose first byte was sent in this run, with the terminal's clock at that time
	 * (`slipTime`) and the terminal's id, if known.
	 */
	readonly begun: { readonly attempt_id: string; readonly clock: number | null; readonly terminal_id: string } | null;
	/** The newest sale; a screen that reloads gets it again. */
	readonly last: Known | null;
	readonly trouble: JournalError['code'] | null;
	readonly shown: EdcState | null;
}

/** @param configured whether the settings name a terminal */
export const initialCardState = (configured: boolean): CardState => ({
	terminal: configured ? 'disconnected' : 'not_configured',
	open: null,
	unresolved: [],
	unwritten: [],
	inquired: [],
	begun: null,
	last: null,
	trouble: null,
	shown: null,
});

/**
 * The journal's data about a response. `sale`: the sale of the request, void or inquiry that the
 * response answers. `known`: the journal already contains this approval. `isOtherListed`: a charge
 * without an invoice has the numbers of the response that `sale` already has. `voided`: the sale
 * whose charge the response gave back. While the journal is closed, all are null or false.
 */
export interface Recalled {
	readonly sale: CardSale | null;
	readonly known: boolean;
	readonly isOtherListed: boolean;
	readonly voided: CardSale | null;
}

export type CardEvent =
	/**
	 * The screen requests a sale. `refusal`: why the sale must be refused, if the reason lies outside
	 * this state; else null. `before`: the newest sale that has paid the invoice or may have paid it.
	 */
	| { kind: 'start'; sale: Sale; refusal: SaleRefusal | null; before: CardSale | null }
	/**
	 * `isClosed`: the journal is closed. `fresh_id` and `time` (ISO 8601) are for a record that may
	 * be written.
	 */
	| ({ kind: 'terminal'; report: TerminalReport; isClosed: boolean; fresh_id: string; time: string } & Recalled)
	/**
	 * `heard`: the response that is now on disk. `done`: the kept report of which this was the last
	 * record.
	 */
	| {
			kind: 'written';
			record: JournalRecord;
			heard?: TerminalResponse | null;
			done?: KeptWord | undefined;
			unresolved: readonly CardSale[];
	  }
	/** `heard`, `word`: the response or kept report of which this was a record. */
	| {
			kind: 'not_written';
			record: JournalRecord;
			heard?: TerminalResponse | null;
			error: JournalError;
			word?: KeptWord | undefined;
	  }
	/** State of the journal. `last`: the sale of `CardState.last`, as it is in the journal. */
	| { kind: 'journal'; trouble: JournalError['code'] | null; unresolved: readonly CardSale[]; last: CardSale | null }
	/** The oldest unwritten report can be handled again. `Recalled` is about this report. */
	| ({ kind: 'retry'; fresh_id: string; time: string } & Recalled)
	| { kind: 'staff'; ask: StaffAsk }
	/** The next QR inquiry is due; `request_id` is its new id. */
	| { kind: 'look_due'; request_id: string }
	/** The next inquiry about an unknown sale is due; `request_id` is its new id. */
	| { kind: 'quiet'; request_id: string };

/**
 * Writes a record. The runner answers with `written` or `not_written` before any other event.
 * `heard`: the response of which this is a record; it is acknowledged after the last of its writes.
 * `word`: the report of which this is a record; it is kept if the write fails. `next`: to be
 * written only if this write succeeds.
 */
export interface WriteEffect {
	kind: 'write';
	record: JournalRecord;
	heard?: TerminalResponse | null;
	word?: KeptWord;
	next?: WriteEffect;
}

export type CardEffect =
	| WriteEffect
	| { kind: 'request'; request: TerminalRequest; request_id: string }
	| { kind: 'acknowledge'; response: TerminalResponse }
	/** Sends `look_due` after this time. */
	| { kind: 'look_later'; ms: number }
	/**
	 * `about`: the payment that the text names. The text is sent only while the id in the text still
	 * refers to this payment.
	 */
	| { kind: 'tell'; text: LiveText; about?: Payment }
	/** Informs screens that the payment is paid, if no amount is due. */
	| { kind: 'tell_paid'; payment: Payment }
	/** Reports approvals to the back office soon. */
	| { kind: 'relay' }
	| { kind: 'staff_answer'; action_id: string; answer: StaffAnswer }
	| LogEffect;

/** The next state and the effects, to be run in this order. */
export type Step = { state: CardState; effects: CardEffect[] };

/** Lets the terminal discard a response that is on disk or changes nothing. */
export const acknowledge = (response: TerminalResponse | null | undefined): CardEffect[] =>
	response ? [{ kind: 'acknowledge', response }] : [];

/** Why a sale that counted as not begun became unknown. */
export const BEGUN_AFTER_ALL = 'the terminal took the request after the kiosk had given it up';

/** @returns the phase that the screen shows for a sale of the journal that is not in progress */
export function phaseOf(state: CardSale['state']): SalePhase {
	switch (state) {
		case 'approved':
		case 'declined':
			return state;
		case 'sent':
		case 'unknown':
			return 'unknown';
		case 'not_begun':
		case 'not_charged':
		case 'voided':
			return 'declined';
		default:
			return state satisfies never;
	}
}
