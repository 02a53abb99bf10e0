import { sameId } from '../../../daemon/contract/back-office.ts';
import { paymentInUse } from '../../../daemon/contract/open-payment.ts';
import { text } from '../text/screens.ts';
import { type CustomerDetail, customerDetailOf } from './customer-detail.ts';
import { heldByCard } from './state/edc.ts';
import { invoiceFound, invoiceUnavailable } from './state/invoice.ts';
import { loadingSet } from './state/loading.ts';
import { paymentDone } from './state/paid.ts';
import type { AppThunk } from './store.ts';
import { readDetail, readHp, writeDetail } from './visit-storage.ts';

/** A back office that is away answers after 50 s; an invoice that was found a moment ago does not wait for it. */
const LOOKUP_PATIENCE_MS = 3_000;

/** @returns after as long as is waited for more about an invoice that is known */
const patience = () => new Promise<void>((done) => setTimeout(done, LOOKUP_PATIENCE_MS));

/**
 * What the method screen does next: `cash`, `card` and `non_cash` continue a payment that has begun, `choose` offers the methods,
 * `stay` shows what happened.
 */
export type LookUpOutcome = 'cash' | 'card' | 'non_cash' | 'choose' | 'stay';

/** Finds the invoice of the number that was entered, for the method screen. */
export const lookUpInvoice =
	(signal: AbortSignal): AppThunk<Promise<LookUpOutcome>> =>
	async (dispatch, getState, { api }) => {
		const known = getState().invoice.detail;
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
			// Unpaid a moment ago on this screen: the code or number that was shown has been paid.
			const fresh = sameId(known?.id, detail.id) && known?.is_paid === false;
			dispatch(paymentDone({ id: String(detail.id), how: fresh ? 'fresh' : 'before' }));
			return 'stay';
		}
		if (heldByCard(getState().edc, detail.id)) return 'card';
		if ((detail.list_pembayaran ?? []).length > 0) return 'cash';
		return paymentInUse(detail) ? 'non_cash' : 'choose';
	};

/** Look-ups by the order in which they were asked: an answer that comes after a later one is old. */
let asked = 0;
let heard = 0;

/** Looks the invoice up once more; a failure changes nothing. @param signal gives it up @returns whether it was found */
export const refreshInvoice =
	(signal?: AbortSignal): AppThunk<Promise<boolean>> =>
	async (dispatch, getState, { api }) => {
		const hp = readHp();
		if (hp === '') return false;
		asked += 1;
		const mine = asked;
		const answer = await api.invoiceInfo(hp, signal);
		// Meanwhile the customer may have left, and the next one may be here.
		if (!answer.ok || signal?.aborted || readHp() !== hp) return false;
		const current = getState().invoice.detail;
		if (mine < heard || (current !== null && !sameId(current.id, answer.value.results.id))) return false;
		heard = mine;
		dispatch(invoiceFound(customerDetailOf(answer.value)));
		return true;
	};

/**
 * Enters the screen of a payment, also after a reload of the page. A look-up that fails is silent where the invoice is known.
 * @returns the invoice, or null when there is no number or no invoice to pay
 */
export const enterPayment = (): AppThunk<Promise<CustomerDetail | null>> => async (dispatch, getState) => {
	if (readHp() === '') return null;
	const stored = getState().invoice.detail ?? readDetail();
	if (stored !== null) dispatch(invoiceFound(stored));
	const lookup = dispatch(refreshInvoice());
	await (stored === null ? lookup : Promise.race([lookup, patience()]));
	const { detail } = getState().invoice;
	if (detail === null) return null;
	writeDetail(detail);
	if (detail.is_paid) dispatch(paymentDone({ id: String(detail.id), how: 'before' }));
	return detail;
};
