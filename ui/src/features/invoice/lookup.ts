import { paymentInUse } from '@kiosk/contract/open-payment';
import { isSameInvoice } from '@kiosk/contract/same-id';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { lookUpFailureOf } from '../../lib/lookup-failure.ts';
import { readHp } from '../../lib/visit-storage.ts';
import { heldByCard } from '../../state/edc.ts';
import { invoiceFound, invoiceUnavailable } from '../../state/invoice.ts';
import { loadingSet } from '../../state/loading.ts';
import { paymentDone } from '../../state/paid.ts';
import type { AppThunk } from '../../state/store.ts';
import { visitEnded } from '../../state/visit.ts';

/**
 * What the method screen does next: `cash`, `card` and `non_cash` continue a started payment,
 * `choose` offers the methods, `stay` shows what happened.
 */
export type LookUpOutcome = 'cash' | 'card' | 'non_cash' | 'choose' | 'stay';

/** Looks up the invoice of the entered number for the method screen. */
export const lookUpInvoice =
	(signal: AbortSignal): AppThunk<Promise<LookUpOutcome>> =>
	async (dispatch, getState, { api }) => {
		const { known } = getState().invoice;
		dispatch(loadingSet(true));
		const answer = await api.invoiceInfo(readHp(), signal);
		dispatch(loadingSet(false));
		if (signal.aborted) return 'stay';
		if (!answer.ok) {
			dispatch(invoiceUnavailable(lookUpFailureOf(answer)));
			return 'stay';
		}
		const detail = customerDetailOf(answer.value);
		// The typed number now leads to another invoice of the customer, so the data of the previous
		// invoice are cleared.
		if (known !== null && !isSameInvoice(known, detail)) dispatch(visitEnded());
		dispatch(invoiceFound(detail));
		if (detail.is_paid) {
			// If this visit has already seen the invoice unpaid, it has just been paid.
			const fresh = isSameInvoice(known, detail) && known?.is_paid === false;
			dispatch(paymentDone({ id: String(detail.id), noinvoice: detail.noinvoice, how: fresh ? 'fresh' : 'before' }));
			return 'stay';
		}
		if (heldByCard(getState().edc, detail.id)) return 'card';
		if ((detail.list_pembayaran ?? []).length > 0) return 'cash';
		return paymentInUse(detail) ? 'non_cash' : 'choose';
	};
