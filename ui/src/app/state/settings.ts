import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { ScreenSettings } from '../../../../daemon/contract/kiosk-api.ts';

/** What the daemon says of its settings; null until it has answered. */
const slice = createSlice({
	name: 'settings',
	initialState: null as ScreenSettings | null,
	reducers: {
		settingsKnown: (_, { payload }: PayloadAction<ScreenSettings>) => payload,
	},
});

export const { settingsKnown } = slice.actions;
export const settingsReducer = slice.reducer;
