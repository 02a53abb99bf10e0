import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** `refused` PINs in a row; no further one is taken before `until`, ms of the page's monotonic clock, 0 when none is waited for. */
type PinLock = { refused: number; until: number };

const FREE_TRIES = 3;
const FIRST_LOCK_MS = 30_000;
/** A PIN of six digits outlasts any guessing at this pace, and staff are not shut out for a day by a child's play. */
const LONGEST_LOCK_MS = 15 * 60_000;

/** @returns ms without a further try after so many wrong PINs in a row */
export const lockMs = (refused: number): number =>
	refused < FREE_TRIES ? 0 : Math.min(FIRST_LOCK_MS * 2 ** (refused - FREE_TRIES), LONGEST_LOCK_MS);

const initialState: PinLock = { refused: 0, until: 0 };

/** Outlives the screen and the visit: leaving does not give new tries. */
const slice = createSlice({
	name: 'pinLock',
	initialState,
	reducers: {
		/** @param payload when, ms of `performance.now()` */
		pinRefused: (state, { payload }: PayloadAction<number>) => {
			state.refused += 1;
			const wait = lockMs(state.refused);
			state.until = wait === 0 ? 0 : payload + wait;
		},
		pinWaited: (state) => {
			state.until = 0;
		},
		pinAccepted: () => initialState,
	},
});

export const { pinRefused, pinWaited, pinAccepted } = slice.actions;
export const pinLockReducer = slice.reducer;
