import { openPaymentOf, paymentInUse, type VaPayment } from '@kiosk/contract/open-payment';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import { invoiceFound } from './invoice.ts';
import { visitEnded } from './visit.ts';

/** What the invoice does not say about a payment by QRIS or virtual account. */
export type NonCash = {
	/**
	 * Whether a call that changes the payment is running. Until it ends, further calls are ignored.
	 */
	busy: boolean;
	/** The virtual account that was created on this screen and that no look-up has reported yet. */
	created: VaPayment | null;
	/** Whether the shown code or account has expired. */
	expired: boolean;
	/** Whether the amount was sent to the back office. */
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
 * @returns whether the customer can still pay this invoice by an open code or account. If so, other
 * methods are blocked.
 */
export const isOpen = (nonCash: NonCash, detail: CustomerDetail): boolean => nonCash.created !== null || paymentInUse(detail);
