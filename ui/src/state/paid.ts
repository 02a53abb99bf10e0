import type { Id } from '@kiosk/contract/back-office';
import type { TakeAlong } from '@kiosk/contract/kiosk-api';
import type { PRINT_STATES } from '@kiosk/contract/live';
import { isSameInvoice } from '@kiosk/contract/same-id';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { visitEnded } from './visit.ts';

export type PrintReport = { state: (typeof PRINT_STATES)[number]; reason: string | null };

/**
 * `fresh`: the invoice was just paid, so the screen prints and goes home automatically. `before`:
 * it was already paid when it was found. `noinvoice`: its number, which some live messages do not
 * contain.
 */
type Payment = { id: string; noinvoice?: string | undefined; how: 'fresh' | 'before' };

type Paid = {
	payment: Payment | null;
	/**
	 * The payment whose receipt was printed automatically; it is remembered, so that this happens
	 * only once.
	 */
	autoPrinted: string | null;
	/** Whether a print was requested and the daemon has not answered yet. */
	asking: boolean;
	printId: string | null;
	/**
	 * The receipt's code for the customer's phone. null until the daemon has made it, and if the
	 * kiosk has no key for receipt codes.
	 */
	take: TakeAlong | null;
	/** Why the print was refused before it became a job; null if it was not. */
	refused: string | null;
	/**
	 * The reports about prints, by print id. All are kept, because a report may arrive before the
	 * answer that contains the id.
	 */
	reports: Record<string, PrintReport>;
};

const initialState: Paid = { payment: null, autoPrinted: null, asking: false, printId: null, take: null, refused: null, reports: {} };

const slice = createSlice({
	name: 'paid',
	initialState,
	reducers: {
		paymentDone: (state, { payload }: PayloadAction<Payment>) => {
			if (!isSameInvoice(state.payment, payload)) state.payment = payload;
		},
		autoPrintStarted: (state, { payload }: PayloadAction<string>) => {
			state.autoPrinted = payload;
		},
		printAsked: (state) => {
			state.asking = true;
			state.printId = null;
			state.refused = null;
		},
		/**
		 * The daemon has accepted the print. `null` instead of a print id: the browser prints the
		 * receipt.
		 */
		printAccepted: (state, { payload }: PayloadAction<string | null>) => {
			state.asking = false;
			state.printId = payload;
		},
		takeKnown: (state, { payload }: PayloadAction<TakeAlong | null>) => {
			state.take = payload;
		},
		printRefused: (state, { payload }: PayloadAction<string>) => {
			state.asking = false;
			state.refused = payload;
		},
		printReported: (state, { payload }: PayloadAction<{ print_id: string } & PrintReport>) => {
			state.reports[payload.print_id] = { state: payload.state, reason: payload.reason };
		},
	},
	extraReducers: (builder) => {
		builder.addCase(visitEnded, () => initialState);
	},
});

export const { paymentDone, autoPrintStarted, printAsked, printAccepted, takeKnown, printRefused, printReported } = slice.actions;
export const paidReducer = slice.reducer;

type Shown = { paid: Paid; invoice: { detail: { id: Id; noinvoice: string } | null } };

/**
 * @returns the payment of the invoice on the screen; null before it is paid. The last payment may
 * be of an earlier invoice, because a phone number can lead to the customer's next invoice.
 */
export const paymentOnScreen = ({ paid: { payment }, invoice }: Shown): Payment | null =>
	isSameInvoice(payment, invoice.detail) ? payment : null;

/** @returns the state of the print that was requested last; null if none was requested */
export function printFate(paid: Paid): PrintReport | null {
	if (paid.refused !== null) return { state: 'failed', reason: paid.refused };
	if (paid.asking) return { state: 'printing', reason: null };
	if (paid.printId === null) return null;
	return paid.reports[paid.printId] ?? { state: 'printing', reason: null };
}

/**
 * @returns the state of the receipt that the customer waits for. A known printer fault counts even
 * before the print is requested.
 */
export function awaitedFate({ paid, printer }: { paid: Paid; printer: { trouble: string | null } }): PrintReport | null {
	const fate = printFate(paid);
	const isOpen = fate === null || (fate.state === 'printing' && fate.reason === null);
	return isOpen && printer.trouble !== null ? { state: 'printing', reason: printer.trouble } : fate;
}

/** @returns whether no receipt can come out for now */
export const isWithoutPaper = (fate: PrintReport | null): boolean =>
	fate?.state === 'failed' || (fate?.state === 'printing' && fate.reason !== null);
