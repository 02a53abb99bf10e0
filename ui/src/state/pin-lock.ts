import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/**
 * Staff mode of this page, as the daemon reports it. `open`: staff screens are unlocked. `until`:
 * end of the PIN delay, ms of the page's monotonic clock; 0 for no delay.
 */
type PinLock = { open: boolean; until: number };

const initialState: PinLock = { open: false, until: 0 };

const slice = createSlice({
	name: 'pinLock',
	initialState,
	reducers: {
		/**
		 * @param payload.now ms of `performance.now()`
		 * @param payload.waitMs 0 if a PIN can be entered now
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
