/** What the card desk's machine knows and may be told; the rules are in card-machine.ts, card-answers.ts and card-staff.ts. */
import type { EdcState, LiveText, SaleMethod, SalePhase, SaleRefusal } from '../../contract/live.ts';
import type { Rupiah } from '../../contract/money.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { JournalError } from '../journal/journal.ts';
import type { JournalRecord, Payment } from '../journal/records.ts';
import type { EventId, LogFields } from '../log/log.ts';
import type { TerminalReport, TerminalRequest, TerminalResponse } from './terminal.ts';

/** What the owner allows; from the settings. */
export interface CardPolicy {
	/** Answers that leave open whether the card was charged, beside silence. */
	unknownCodes: ReadonlySet<string>;
	/** Codes after which the screen may begin again by itself. */
	retryCodes: ReadonlySet<string>;
	/** Whether the terminal's last slip may be asked for when a sale is unknown. */
	inquiry: 'none' | 'reprint';
	/** How a QR code on the terminal is watched: first look after `firstMs`, then every `everyMs`, `looks` times in all. */
	qris: { firstMs: number; everyMs: number; looks: number };
}

export interface Sale {
	readonly attempt_id: string;
	readonly payment: Payment;
	readonly amount: Rupiah;
	readonly method: SaleMethod;
	/** How often this invoice was tried, from 1. */
	readonly attempt: number;
	/** ISO 8601 */
	readonly time: string;
}

/** What a person of the staff asks for; `action_id` names the wish and its answer. */
export type StaffAsk = { action_id: string; by: string; why: string; time: string } & (
	| { action: 'echo' }
	| { action: 'settlement' }
	| { action: 'void'; sale: CardSale }
	| { action: 'reprint'; sale: CardSale }
	| { action: 'settle'; sale: CardSale; outcome: 'charged' | 'not_charged' }
);

/** `not_possible`, `busy`, `not_ready`, `journal`: nothing was asked of the terminal. `unknown`: it may or may not have done it. */
export interface StaffAnswer {
	code: 'done' | 'declined' | 'unknown' | 'not_begun' | 'not_possible' | 'busy' | 'not_ready' | 'journal';
	/** For a person. */
	text: string;
	response: TerminalResponse | null;
}

/** A QR code that the terminal shows: what it said of it, and how often it was asked since. */
export interface ShownQr {
	readonly response: TerminalResponse;
	readonly looks: number;
}

/**
 * What the terminal is busy with for the kiosk. `request_id`: of the request that is out; null between two looks at a QR code.
 * `heard`: its answer is being written down.
 */
export type Open =
	| {
			readonly kind: 'sale';
			readonly request_id: string | null;
			readonly sale: Sale;
			readonly acked: boolean;
			readonly heard: boolean;
			readonly qr: ShownQr | null;
	  }
	| { readonly kind: 'staff'; readonly request_id: string; readonly ask: StaffAsk; readonly heard: boolean }
	/** The terminal is asked about a sale that nobody knows the end of. */
	| { readonly kind: 'inquiry'; readonly request_id: string; readonly sale: CardSale };

export type OpenSale = Extract<Open, { kind: 'sale' }>;

/** A sale of which a screen may have heard, and how far it is. */
export interface Known {
	readonly sale: Pick<Sale, 'attempt_id' | 'payment' | 'amount' | 'method'>;
	readonly phase: SalePhase;
}

export interface CardState {
	readonly terminal: Extract<EdcState, 'not_configured' | 'disconnected' | 'starting' | 'silent' | 'ready' | 'busy'>;
	readonly open: Open | null;
	/** Sales that a person has to settle, as the journal has them. While there is one, nobody pays by card. */
	readonly unresolved: readonly CardSale[];
	/** Answers that were heard but could not be written; the terminal still waits for its acknowledgement. */
	readonly unwritten: readonly { readonly request_id: string | null; readonly response: TerminalResponse }[];
	/** Unknown card sales whose last slip was asked for in this run; once is enough. */
	readonly inquired: readonly string[];
	/** The newest sale whose first byte went out in this run, and the terminal's clock then (`slipTime`), where it is known. */
	readonly begun: { readonly attempt_id: string; readonly clock: number | null } | null;
	/** The newest sale, for a screen that reloads. */
	readonly last: Known | null;
	readonly trouble: JournalError['code'] | null;
	readonly shown: EdcState | null;
}

export type CardEvent =
	/** The screen asks for a sale. `refusal`: what the books say against it. `before`: the invoice's newest sale. */
	| { kind: 'start'; sale: Sale; refusal: SaleRefusal | null; before: CardSale | null }
	/**
	 * `sale`: what the journal knows of the request the report names. `known`: this very approval is in the books already.
	 * `fresh_id` and `time` (ISO 8601) are used only if a record has to be made.
	 */
	| { kind: 'terminal'; report: TerminalReport; sale: CardSale | null; known: boolean; fresh_id: string; time: string }
	| { kind: 'written'; record: JournalRecord; unresolved: readonly CardSale[] }
	| { kind: 'not_written'; record: JournalRecord; error: JournalError }
	/** How the journal is. `known`: as above, for the first of the answers that could not be written. */
	| {
			kind: 'journal';
			trouble: JournalError['code'] | null;
			unresolved: readonly CardSale[];
			known: boolean;
			fresh_id: string;
			time: string;
	  }
	| { kind: 'staff'; ask: StaffAsk }
	/** Time to look at the QR code again; `request_id` is fresh. */
	| { kind: 'look_due'; request_id: string }
	/** A quiet moment: an unknown sale may be asked about. */
	| { kind: 'quiet'; request_id: string };

export type CardEffect =
	/** Answered by `written` or `not_written` before anything else happens. */
	| { kind: 'write'; record: JournalRecord }
	| { kind: 'request'; request: TerminalRequest; request_id: string }
	| { kind: 'acknowledge' }
	/** Send `look_due` after this. */
	| { kind: 'look_later'; ms: number }
	| { kind: 'tell'; text: LiveText }
	/** The back office is to hear of an approval, soon. */
	| { kind: 'relay' }
	| { kind: 'staff_answer'; action_id: string; answer: StaffAnswer }
	| { kind: 'log'; id: EventId; fields: LogFields };

export type Step = { state: CardState; effects: CardEffect[] };

/** @returns the phase that a screen is told for a sale of the journal that is not in hand */
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
