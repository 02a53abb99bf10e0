import { openPaymentOf, paymentInUse, type VaPayment } from '@kiosk/contract/open-payment';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import { invoiceFound } from './invoice.ts';
import { visitEnded } from './visit.ts';

/** The state of a QRIS or virtual account payment, as far as the invoice does not contain it. */
export type NonCash = {
	/** A call that changes the payment is running. A second call is ignored. */
	busy: boolean;
	/** An account created here that no look-up has reported yet. */
	created: VaPayment | null;
	/** Whether the shown code or account has expired. */
	expired: boolean;
	/** The amount was sent to the back office. */
	told: boolean;
};

const initialState: NonCash = { busy: false, created: null, expired: false, told: false };

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
		expirySeen: (state, { payload }: PayloadAction<boolean>) => {
			state.expired = payload;
		},
		amountTold: (state) => {
			state.told = true;
		},
		/** The open payment can no longer be paid. */
		paymentCancelled: (state) => {
			state.created = null;
		},
	},
	extraReducers: (builder) => {
		builder.addCase(invoiceFound, (state, { payload }) => {
			if (openPaymentOf(payload)?.kind === 'va') state.created = null;
		});
		builder.addCase(visitEnded, () => initialState);
	},
});

export const { busySet, vaCreated, expirySeen, amountTold, paymentCancelled } = slice.actions;
export const nonCashReducer = slice.reducer;

/**
 * @returns whether the customer can still pay this invoice by a code or account, which blocks other
 * methods
 */
export const isOpen = (nonCash: NonCash, detail: CustomerDetail): boolean => nonCash.created !== null || paymentInUse(detail);
