import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import type { LookUpFailure } from '../lib/lookup-failure.ts';
import { visitEnded } from './visit.ts';

/** The invoice in the right-hand panel; `unavailable` is why the look-up found none. */
type InvoiceState = { detail: CustomerDetail | null; unavailable: LookUpFailure | null };

const initialState: InvoiceState = { detail: null, unavailable: null };

const slice = createSlice({
	name: 'invoice',
	initialState,
	reducers: {
		invoiceFound: (_, { payload }: PayloadAction<CustomerDetail>) => ({ detail: payload, unavailable: null }),
		invoiceUnavailable: (_, { payload }: PayloadAction<LookUpFailure>) => ({ detail: null, unavailable: payload }),
	},
	extraReducers: (builder) => {
		builder.addCase(visitEnded, () => initialState);
	},
});

export const { invoiceFound, invoiceUnavailable } = slice.actions;
export const invoiceReducer = slice.reducer;
