import { sameId } from '../../../daemon/contract/back-office.ts';
import { text } from '../text/screens.ts';
import { customerDetailOf } from './customer-detail.ts';
import { invoiceFound, invoiceUnavailable } from './state/invoice.ts';
import { loadingSet } from './state/loading.ts';
import { paymentDone } from './state/paid.ts';
import type { AppThunk } from './store.ts';
import { readHp } from './visit-storage.ts';

/** What the method screen does next: `cash` continues a payment in cash, `choose` offers the methods, `stay` shows what happened. */
export type LookUpOutcome = 'cash' | 'choose' | 'stay';

/** Finds the invoice of the number that was entered, for the method screen. */
export const lookUpInvoice =
	(signal: AbortSignal): AppThunk<Promise<LookUpOutcome>> =>
	async (dispatch, _, { api }) => {
		dispatch(loadingSet(true));
		const answer = await api.invoiceInfo(readHp(), signal);
		dispatch(loadingSet(false));
		if (signal.aborted) return 'stay';
		if (!answer.ok) {
			dispatch(invoiceUnavailable(answer.message ?? text.gangguan));
			return 'stay';
		}
		const detail = customerDetailOf(answer.value);
		dispatch(invoiceFound(detail));
		if (detail.is_paid) {
			dispatch(paymentDone({ id: String(detail.id), how: 'before' }));
			return 'stay';
		}
		return (detail.list_pembayaran ?? []).length > 0 ? 'cash' : 'choose';
	};

/** Looks the invoice up once more; a failure changes nothing. @returns whether it was found */
export const refreshInvoice =
	(): AppThunk<Promise<boolean>> =>
	async (dispatch, getState, { api }) => {
		const hp = readHp();
		if (hp === '') return false;
		const answer = await api.invoiceInfo(hp);
		// Meanwhile the customer may have left, and the next one may be here.
		if (!answer.ok || readHp() !== hp) return false;
		const current = getState().invoice.detail;
		if (current !== null && !sameId(current.id, answer.value.results.id)) return false;
		dispatch(invoiceFound(customerDetailOf(answer.value)));
		return true;
	};
