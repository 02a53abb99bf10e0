import type { CallingScreen } from '@kiosk/contract/calling-screens';
import { callAsked, callFailed, callHeard } from './staff-call.ts';
import type { AppThunk } from './store.ts';

/** Calls staff. Until the call is answered, further presses do nothing. */
export const callStaff =
	(screen: CallingScreen): AppThunk<Promise<void>> =>
	async (dispatch, getState, { api }) => {
		const { staffCall, invoice } = getState();
		if (staffCall.asking || staffCall.since !== null) return;
		dispatch(callAsked());
		const answer = await api.callStaff(screen, invoice.detail?.id ?? null);
		dispatch(answer.ok ? callHeard(answer.value.since) : callFailed());
	};
