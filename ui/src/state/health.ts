import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { socketClosed } from './connection.ts';

/** Whether the kiosk needs staff; null until the daemon has reported. */
type Health = 'ok' | 'look' | null;

const slice = createSlice({
	name: 'health',
	initialState: null as Health,
	reducers: {
		healthHeard: (_, { payload }: PayloadAction<'ok' | 'look'>): Health => payload,
	},
	extraReducers: (builder) => {
		// Without a connection to the daemon, its last report is no longer valid.
		builder.addCase(socketClosed, (): Health => null);
	},
});

export const { healthHeard } = slice.actions;
export const healthReducer = slice.reducer;
