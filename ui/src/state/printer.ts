import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/**
 * `trouble`: why no receipt can be expected, as a key of `print.reasons`; null if one can be
 * expected. A lost connection to the daemon says nothing about the printer, so the last report
 * stays valid until the next one.
 */
type Printer = { trouble: string | null };

const initialState: Printer = { trouble: null };

const slice = createSlice({
	name: 'printer',
	initialState,
	reducers: {
		printerHeard: (_, { payload }: PayloadAction<string | null>): Printer => ({ trouble: payload }),
	},
});

/** @returns whether the screen may announce a printed receipt */
export const mayPromisePaper = ({ settings, printer }: { settings: { print: string } | null; printer: Printer }): boolean =>
	settings?.print === 'printer' && printer.trouble === null;

export const { printerHeard } = slice.actions;
export const printerReducer = slice.reducer;
