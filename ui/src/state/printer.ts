import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { socketClosed } from './connection.ts';

/** Why no receipt can be expected, as a code of `print.reasons`; null if one can. */
type Printer = { trouble: string | null };

const initialState: Printer = { trouble: null };

const slice = createSlice({
	name: 'printer',
	initialState,
	reducers: {
		printerHeard: (_, { payload }: PayloadAction<string | null>): Printer => ({ trouble: payload }),
	},
	extraReducers: (builder) => {
		// The daemon sends the state again after each connection.
		builder.addCase(socketClosed, () => initialState);
	},
});

export const { printerHeard } = slice.actions;
export const printerReducer = slice.reducer;
