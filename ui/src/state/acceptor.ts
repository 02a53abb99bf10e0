import type { AcceptorState } from '@kiosk/contract/live';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { socketClosed } from './connection.ts';

/** The bill acceptor as the daemon last reported it; null while unknown. */
type Acceptor = { state: AcceptorState | null; is_ready: boolean };

const initialState: Acceptor = { state: null, is_ready: false };

const slice = createSlice({
	name: 'acceptor',
	initialState,
	reducers: {
		acceptorReported: (_, { payload }: PayloadAction<{ state: AcceptorState; is_ready: boolean }>) => ({
			state: payload.state,
			is_ready: payload.is_ready,
		}),
	},
	extraReducers: (builder) => {
		// While the daemon cannot be reached, the screen must not go on showing "Ready", which would
		// invite notes.
		builder.addCase(socketClosed, () => initialState);
	},
});

export const { acceptorReported } = slice.actions;
export const acceptorReducer = slice.reducer;

/** In these states the acceptor opens when the cash screen asks for it. */
const OPENS_ON_REQUEST: readonly (AcceptorState | null)[] = ['ready', 'inhibited', 'busy', 'bill_removed'];

/** @returns whether cash can be offered */
export const acceptsCash = (acceptor: Acceptor): boolean => OPENS_ON_REQUEST.includes(acceptor.state);
