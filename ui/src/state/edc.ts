import type { Id } from '@kiosk/contract/back-office';
import type { EdcState, SaleMethod, SalePhase, SaleRefusal } from '@kiosk/contract/live';
import type { Rupiah } from '@kiosk/contract/money';
import { isSameInvoice, sameId } from '@kiosk/contract/same-id';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { type AfterDecline, afterDecline, type Refusal } from '../lib/card-decline.ts';
import { socketClosed } from './connection.ts';
import { invoiceFound } from './invoice.ts';
import { visitEnded } from './visit.ts';

/**
 * The daemon's report about a sale. `reason`: why the terminal got no request. `attempt_id` is ''
 * if there was no attempt.
 */
type SaleReport = {
	id: Id;
	/** The number of the sale's invoice, if the daemon names it. */
	noinvoice?: string | undefined;
	attempt_id: string;
	phase: SalePhase;
	amount: Rupiah;
	method: SaleMethod;
	reason: SaleRefusal | null;
	/** The amount still due if the approval did not cover the invoice, rupiah; otherwise null. */
	left: Rupiah | null;
	/** The invoice's total at the approval, rupiah, if the daemon names it. */
	total?: Rupiah | undefined;
};

/**
 * The one sale on the screen, by card or by a QRIS code on the terminal.
 * - `none`: no request. `asked`: the daemon was asked and has not answered yet.
 * - `sent`, `acked`, `unknown`, `approved`: as the daemon reports it. After `acked` the terminal
 *   waits for the customer.
 * - `short`: approved, but the invoice is not paid, because it has grown since the sale began.
 * - `declined`: not approved. `code` is null if only the daemon reported the decline. `late`: the
 *   sale was unknown or lost before.
 * - `refused`: the terminal got no request.
 * - `lost`: the screen missed the daemon's answer or the result.
 */
export type CardSale =
	| { at: 'none' }
	| { at: 'asked' }
	| { at: 'sent' | 'acked' | 'unknown'; attempt: string; amount: Rupiah }
	| { at: 'approved'; attempt: string | null }
	| { at: 'short'; attempt: string; left: Rupiah }
	| { at: 'declined'; attempt: string | null; code: string | null; late: boolean; next: AfterDecline }
	| { at: 'refused'; reason: Refusal }
	| { at: 'lost'; attempt: string | null };

/**
 * What the screen knows about the card terminal and the sale of this visit. If the daemon's journal
 * differs, the journal is right.
 */
export type Edc = {
	/** null until the daemon has reported the terminal's state. */
	terminal: EdcState | null;
	/** The sale that the daemon reported last; it can be another customer's. */
	lastSale: SaleReport | null;
	/** Id of the invoice that is paid by card; null outside the card screen. */
	id: Id | null;
	/** The method of the running sale or, if there is none, of the next one. */
	method: SaleMethod;
	sale: CardSale;
	/** Number of declined sales in this visit. */
	declines: number;
	/**
	 * The attempts whose response was handled. They are kept, because a response may come three
	 * times.
	 */
	answered: string[];
	/**
	 * Whether the socket was lost while the terminal had the request, and the daemon has not reported
	 * the sale since.
	 */
	missed: boolean;
	/**
	 * Whether the customer has left and the next screen is not drawn yet. In this time no sale may
	 * begin.
	 */
	leaving: boolean;
};

const initialState: Edc = {
	terminal: null,
	lastSale: null,
	id: null,
	method: 'card',
	sale: { at: 'none' },
	declines: 0,
	answered: [],
	missed: false,
	leaving: false,
};

const FAR = { sent: 0, acked: 1, unknown: 2 };

const isOpen = (phase: SalePhase): phase is keyof typeof FAR => phase in FAR;
const attemptOf = (sale: CardSale): string | null => ('attempt' in sale ? sale.attempt : null);

/** @returns the sale after this report of the daemon. A repeated or late report changes nothing. */
function follow(sale: CardSale, report: SaleReport, ended: boolean): CardSale {
	const { attempt_id: attempt, amount, phase } = report;
	const same = attemptOf(sale) === attempt;
	// After the screen has shown a sale as paid, it never takes this back.
	if (sale.at === 'approved') return sale;
	switch (phase) {
		case 'approved':
			return report.left === null ? { at: 'approved', attempt } : { at: 'short', attempt, left: report.left };
		case 'declined':
			if (report.reason !== null) {
				const mine = attempt === '' ? sale.at === 'asked' || sale.at === 'sent' : same && isOpenSale(sale);
				if (!mine) return sale;
				return report.reason === 'already_paid' ? { at: 'approved', attempt: null } : { at: 'refused', reason: report.reason };
			}
			// A sale that paid only a part of the invoice may have been voided since.
			if (!same || !(isOpenSale(sale) || sale.at === 'lost' || sale.at === 'short')) return sale;
			return { at: 'declined', attempt, code: null, late: !(sale.at === 'sent' || sale.at === 'acked'), next: 'choose' };
		case 'sent':
		case 'acked':
		case 'unknown':
			if (same && isOpenSale(sale) && FAR[phase] <= FAR[sale.at]) return sale;
			// A report does not make a finished sale run again, but a later answer or a void can make it
			// unknown.
			return ended && phase !== 'unknown' ? sale : { at: phase, attempt, amount };
		default:
			return phase satisfies never;
	}
}

type OpenSale = Extract<CardSale, { at: keyof typeof FAR }>;

/** @returns whether the terminal has the request or the outcome is unknown */
const isOpenSale = (sale: CardSale): sale is OpenSale => sale.at in FAR;

/**
 * @returns whether a card sale of this invoice is running or unknown. If so, every other method is
 * blocked.
 */
export const heldByCard = ({ lastSale }: Edc, id: Id): boolean => lastSale !== null && sameId(lastSale.id, id) && isOpen(lastSale.phase);

/**
 * @param attempt the attempt that the response names; undefined if it names none, because it
 * belongs to the running sale
 * @returns whether this response is the first one to the sale on the screen
 */
export function isAwaited({ sale, answered }: Edc, attempt: string | undefined): boolean {
	if (attempt === undefined) return sale.at === 'asked' || sale.at === 'sent' || sale.at === 'acked';
	return attemptOf(sale) === attempt && !answered.includes(attempt);
}

const slice = createSlice({
	name: 'edc',
	initialState,
	reducers: {
		terminalReported: (state, { payload }: PayloadAction<EdcState>) => {
			const cameBack = payload === 'ready' && state.terminal !== 'ready';
			state.terminal = payload;
			// The terminal is free, so the sale has ended. The report of its end was missed, because the
			// socket was closed.
			if (cameBack && state.missed && isOpenSale(state.sale)) state.sale = { at: 'lost', attempt: state.sale.attempt };
			if (cameBack && state.sale.at === 'refused' && state.sale.reason === 'not_ready') state.sale = { at: 'none' };
			if (cameBack) state.missed = false;
		},
		saleReported: (state, { payload }: PayloadAction<SaleReport>) => {
			if (payload.reason === null) state.lastSale = payload;
			if (!sameId(state.id, payload.id)) return;
			state.missed = false;
			const sale = follow(state.sale, payload, state.answered.includes(payload.attempt_id));
			// A void of an earlier sale changes neither the sale on the screen nor its method.
			if (sale !== state.sale && payload.attempt_id !== '') state.method = payload.method;
			state.sale = sale;
		},
		/** The terminal has responded to this sale for the first time. Code "00" means approved. */
		saleAnswered: (
			state,
			{ payload }: PayloadAction<{ code: string; attempt: string | undefined; retry: boolean | undefined; left: Rupiah | null }>,
		) => {
			const { sale } = state;
			const { code, retry, left } = payload;
			const attempt = payload.attempt ?? attemptOf(sale);
			if (attempt !== null) state.answered.push(attempt);
			if (state.lastSale?.attempt_id === attempt) Object.assign(state.lastSale, { phase: code === '00' ? 'approved' : 'declined', left });
			if (code === '00') {
				state.sale = left === null ? { at: 'approved', attempt } : { at: 'short', attempt: attempt ?? '', left };
			} else if (sale.at !== 'approved') {
				state.declines += 1;
				// If the sale was unknown before the decline, the customer decides about a retry.
				const late = sale.at === 'unknown' || (sale.at === 'declined' && sale.late);
				state.sale = { at: 'declined', attempt, code, late, next: late ? 'choose' : afterDecline(code, state.declines, retry) };
			}
		},
		/**
		 * The customer has entered the card screen for this invoice. A running or unknown sale of the
		 * invoice is resumed.
		 */
		cardEntered: (state, { payload }: PayloadAction<{ id: Id; method: SaleMethod; refused: Refusal | null }>) => {
			const { terminal, lastSale } = state;
			const { id, method } = payload;
			if (sameId(state.id, id)) return;
			Object.assign(state, initialState, { terminal, lastSale, id, method });
			if (payload.refused !== null) state.sale = { at: 'refused', reason: payload.refused };
			if (lastSale !== null && sameId(lastSale.id, payload.id) && isOpen(lastSale.phase)) {
				state.sale = { at: lastSale.phase, attempt: lastSale.attempt_id, amount: lastSale.amount };
			}
		},
		cardLeft: (state) => {
			state.leaving = true;
		},
		saleAsked: (state) => {
			state.sale = { at: 'asked' };
		},
		/** The daemon's answer or report did not come in time. */
		saleUnheard: (state) => {
			if (state.sale.at === 'asked') state.sale = { at: 'lost', attempt: null };
			else if (isOpenSale(state.sale)) state.sale = { ...state.sale, at: 'unknown' };
		},
		/** Prepares the next sale, if the state allows a retry. */
		triedAgain: (state) => {
			const { sale } = state;
			const again = sale.at === 'declined' ? sale.next === 'retry' || sale.next === 'choose' : sale.at === 'refused' || sale.at === 'lost';
			if (again) state.sale = { at: 'none' };
		},
	},
	extraReducers: (builder) => {
		builder.addCase(invoiceFound, (state, { payload }) => {
			const { lastSale } = state;
			// This invoice has the same id but another number: the back office has used the id again, and
			// the sale belongs to an earlier invoice.
			if (sameId(lastSale?.id, payload.id) && lastSale !== null && !isSameInvoice(lastSale, payload)) state.lastSale = null;
		});
		builder.addCase(visitEnded, ({ terminal, lastSale }) => ({
			...initialState,
			terminal,
			// The report of a running or unknown sale is kept, because the customer may return to the
			// same invoice.
			lastSale: lastSale !== null && isOpen(lastSale.phase) ? lastSale : null,
		}));
		builder.addCase(socketClosed, (state) => {
			state.terminal = null;
			state.lastSale = null;
			state.missed = isOpenSale(state.sale);
			// After a reconnect, the daemon reports a sale that it has begun. If it reports none, the
			// request never arrived.
			if (state.sale.at === 'asked') state.sale = { at: 'none' };
		});
	},
});

export const { terminalReported, saleReported, saleAnswered, cardEntered, cardLeft, saleAsked, saleUnheard, triedAgain } = slice.actions;
export const edcReducer = slice.reducer;
