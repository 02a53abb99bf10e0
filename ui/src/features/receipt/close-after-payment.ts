import { sameId } from '@kiosk/contract/same-id';
import { closeAnswered } from '../../state/cash.ts';
import type { AppThunk } from '../../state/store.ts';

/**
 * Closes the acceptor after the payment. If a note is already on its way into the cashbox, it is
 * still credited.
 */
export const closeAfterPayment =
	(): AppThunk<Promise<void>> =>
	async (dispatch, getState, { api }) => {
		const { id } = getState().cash;
		if (id === null) return;
		const answer = await api.closeCash(id);
		if (answer.ok && sameId(getState().cash.id, id)) dispatch(closeAnswered(answer.value));
	};
