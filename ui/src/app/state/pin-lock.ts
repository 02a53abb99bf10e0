import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/**
 * What the daemon says of staff at this page: whether it holds the list open, and that it takes no PIN before `until`, ms of the page's
 * monotonic clock, 0 when none is waited for. The daemon counts and decides.
 */
type PinLock = { open: boolean; until: number };

const initialState: PinLock = { open: false, until: 0 };

const slice = createSlice({
	name: 'pinLock',
	initialState,
	reducers: {
		/** @param payload.now ms of `performance.now()`; @param payload.waitMs 0 when a PIN is taken */
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
