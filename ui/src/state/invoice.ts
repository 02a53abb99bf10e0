import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import type { LookUpFailure } from '../lib/lookup-failure.ts';
import { visitEnded } from './visit.ts';

type InvoiceState = {
	/** The invoice that the invoice panel shows. */
	detail: CustomerDetail | null;
	/**
	 * The last invoice found in this visit. It stays even after a failed look-up, because money,
	 * payment and account in the other slices belong to it.
	 */
	known: CustomerDetail | null;
	/**
	 * Why the last look-up found no invoice; null before the first look-up and if an invoice was
	 * found.
	 */
	unavailable: LookUpFailure | null;
};

const initialState: InvoiceState = { detail: null, known: null, unavailable: null };

const slice = createSlice({
	name: 'invoice',
	initialState,
	reducers: {
		invoiceFound: (_, { payload }: PayloadAction<CustomerDetail>) => ({ detail: payload, known: payload, unavailable: null }),
		invoiceUnavailable: ({ known }, { payload }: PayloadAction<LookUpFailure>) => ({ detail: null, known, unavailable: payload }),
	},
	extraReducers: (builder) => {
		builder.addCase(visitEnded, () => initialState);
	},
});

export const { invoiceFound, invoiceUnavailable } = slice.actions;
export const invoiceReducer = slice.reducer;
