import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/**
 * This page's staff mode, as the daemon reports it. `open`: whether the staff screens are unlocked.
 * `until`: when the daemon accepts a PIN again, ms of `performance.now()`; 0 if it does so now.
 */
type PinLock = { open: boolean; until: number };

const initialState: PinLock = { open: false, until: 0 };

const slice = createSlice({
	name: 'pinLock',
	initialState,
	reducers: {
		/**
		 * @param payload.now the present time, ms of `performance.now()`
		 * @param payload.waitMs how long the daemon accepts no PIN; 0 if it accepts one now
		 */
		pinDelayed: (state, { payload }: PayloadAction<{ now: number; waitMs: number }>) => {
			state.until = payload.waitMs > 0 ? payload.now + payload.waitMs : 0;
		},
		pinWaited: (state) => {
			state.until = 0;
		},
		staffOpened: () => ({ open: true, until: 0 }),
		staffClosed: (state) => {
			state.open = false;
		},
	},
});

export const { pinDelayed, pinWaited, staffOpened, staffClosed } = slice.actions;
export const pinLockReducer = slice.reducer;
