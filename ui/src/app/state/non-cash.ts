import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { openPaymentOf, paymentInUse, type VaPayment } from '../../../../daemon/contract/open-payment.ts';
import type { CustomerDetail } from '../customer-detail.ts';
import { invoiceFound } from './invoice.ts';
import { visitEnded } from './visit.ts';

/** A payment by QRIS or virtual account. What is open on the invoice stands in the invoice; this is what the screen adds. */
export type NonCash = {
	/** Counts the visits: an answer that comes after its customer has left belongs to nobody. */
	visit: number;
	/** A call that changes the payment is under way; a second one is ignored. */
	busy: boolean;
	/** An account that was made here and that no look-up has told of yet. */
	created: VaPayment | null;
	/** The back office was told the amount. */
	told: boolean;
};

const initialState: NonCash = { visit: 0, busy: false, created: null, told: false };

const slice = createSlice({
	name: 'nonCash',
	initialState,
	reducers: {
		busySet: (state, { payload }: PayloadAction<boolean>) => {
			state.busy = payload;
		},
		vaCreated: (state, { payload }: PayloadAction<VaPayment>) => {
			state.created = payload;
		},
		amountTold: (state) => {
			state.told = true;
		},
		/** What was open can no longer be paid. */
		paymentCancelled: (state) => {
			state.created = null;
		},
	},
	extraReducers: (builder) => {
		builder.addCase(invoiceFound, (state, { payload }) => {
			if (openPaymentOf(payload)?.kind === 'va') state.created = null;
		});
		builder.addCase(visitEnded, (state) => ({ ...initialState, visit: state.visit + 1 }));
	},
});

export const { busySet, vaCreated, amountTold, paymentCancelled } = slice.actions;
export const nonCashReducer = slice.reducer;

/** @returns whether this invoice could be paid from elsewhere at this moment, so that nobody may pay it here by other means */
export const isOpen = (nonCash: NonCash, detail: CustomerDetail): boolean => nonCash.created !== null || paymentInUse(detail);
