import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { socketClosed } from './connection.ts';

/** Whether staff should look after the kiosk; null while the daemon has not said. */
type Health = 'ok' | 'look' | null;

const slice = createSlice({
	name: 'health',
	initialState: null as Health,
	reducers: {
		healthHeard: (_, { payload }: PayloadAction<'ok' | 'look'>): Health => payload,
	},
	extraReducers: (builder) => {
		// A daemon that does not speak is not well.
		builder.addCase(socketClosed, (): Health => null);
	},
});

export const { healthHeard } = slice.actions;
export const healthReducer = slice.reducer;
