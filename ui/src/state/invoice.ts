import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import { visitEnded } from './visit.ts';

/** The invoice in the right-hand panel; `unavailable` is the message why it cannot be paid. */
type InvoiceState = { detail: CustomerDetail | null; unavailable: string | null };

const initialState: InvoiceState = { detail: null, unavailable: null };

const slice = createSlice({
	name: 'invoice',
	initialState,
	reducers: {
		invoiceFound: (_, { payload }: PayloadAction<CustomerDetail>) => ({ detail: payload, unavailable: null }),
		invoiceUnavailable: (_, { payload }: PayloadAction<string>) => ({ detail: null, unavailable: payload }),
	},
	extraReducers: (builder) => {
		builder.addCase(visitEnded, () => initialState);
	},
});

export const { invoiceFound, invoiceUnavailable } = slice.actions;
export const invoiceReducer = slice.reducer;
