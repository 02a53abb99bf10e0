import type { ScreenSettings } from '@kiosk/contract/kiosk-api';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** The settings that the daemon has reported; null until then. */
const slice = createSlice({
	name: 'settings',
	initialState: null as ScreenSettings | null,
	reducers: {
		settingsKnown: (_, { payload }: PayloadAction<ScreenSettings>) => payload,
		settingsUnfit: () => null,
		// The dealer's film can change while the page is open.
		promoChanged(state, { payload }: PayloadAction<string | null>) {
			if (state !== null) state.promo_video = payload;
		},
		setupHeard(state, { payload }: PayloadAction<Pick<ScreenSettings, 'unconfirmed' | 'held_money'>>) {
			if (state !== null) Object.assign(state, payload);
		},
	},
});

export const { settingsKnown, settingsUnfit, promoChanged, setupHeard } = slice.actions;
export const settingsReducer = slice.reducer;
