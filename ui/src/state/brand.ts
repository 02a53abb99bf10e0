import { createSlice } from '@reduxjs/toolkit';
import { invoiceFound } from './invoice.ts';

/** The dealer's logo: an address, '' until an invoice has named it. It outlives visits. */
const slice = createSlice({
	name: 'brand',
	initialState: { logo: '' },
	reducers: {},
	extraReducers: (builder) => {
		builder.addCase(invoiceFound, (state, { payload }) => {
			if (payload.logo !== '') state.logo = payload.logo;
		});
	},
});

export const brandReducer = slice.reducer;
