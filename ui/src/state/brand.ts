import type { VaBank } from '@kiosk/contract/back-office';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { invoiceFound } from './invoice.ts';
import { loggedIn, loggedOut } from './session.ts';

/**
 * Addresses of the pictures that the back office names for the logged-in outlet. They stay when a
 * visit ends. `logo`: the dealer's logo; '' until an invoice names it. `named`: how often an
 * invoice has named a logo. `banks`: the banks' logos by bank code.
 */
type Brand = { logo: string; named: number; banks: Record<string, string> };

const initialState: Brand = { logo: '', named: 0, banks: {} };

const slice = createSlice({
	name: 'brand',
	initialState,
	reducers: {
		banksSeen: (state, { payload }: PayloadAction<readonly VaBank[]>) => {
			for (const bank of payload) state.banks[bank.script_kode.toLowerCase()] = bank.logo;
		},
	},
	extraReducers: (builder) => {
		builder.addCase(invoiceFound, (state, { payload }) => {
			if (payload.logo === '') return;
			state.logo = payload.logo;
			state.named += 1;
		});
		builder.addCase(loggedIn, () => initialState);
		builder.addCase(loggedOut, () => initialState);
	},
});

export const { banksSeen } = slice.actions;
export const brandReducer = slice.reducer;
