import { sameId } from '@kiosk/contract/back-office';
import { paymentInUse } from '@kiosk/contract/open-payment';
import { type CustomerDetail, customerDetailOf } from '../../lib/customer-detail.ts';
import { readDetail, readHp, writeDetail } from '../../lib/visit-storage.ts';
import { heldByCard } from '../../state/edc.ts';
import { invoiceFound, invoiceUnavailable } from '../../state/invoice.ts';
import { loadingSet } from '../../state/loading.ts';
import { paymentDone } from '../../state/paid.ts';
import type { AppThunk } from '../../state/store.ts';
import { text } from '../../text/screens.ts';

/**
 * An unreachable back office answers after 50 s; an invoice that is already stored does not wait
 * for it.
 */
const LOOKUP_PATIENCE_MS = 3_000;

/** Resolves when a stored invoice should wait no longer. */
const patience = () => new Promise<void>((done) => setTimeout(done, LOOKUP_PATIENCE_MS));

/**
 * Next step of the method screen: `cash`, `card` and `non_cash` continue a started payment,
 * `choose` offers the methods, `stay` shows what happened.
 */
export type LookUpOutcome = 'cash' | 'card' | 'non_cash' | 'choose' | 'stay';

/** Looks up the invoice of the entered number for the method screen. */
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
			// It was unpaid on this screen a moment ago, so the open code or account has just been
			// paid.
			const fresh = sameId(known?.id, detail.id) && known?.is_paid === false;
			dispatch(paymentDone({ id: String(detail.id), how: fresh ? 'fresh' : 'before' }));
			return 'stay';
		}
		if (heldByCard(getState().edc, detail.id)) return 'card';
		if ((detail.list_pembayaran ?? []).length > 0) return 'cash';
		return paymentInUse(detail) ? 'non_cash' : 'choose';
	};

/** Numbers look-ups in the order of their requests, so that late answers can be dropped. */
let asked = 0;
let heard = 0;

/**
 * Looks up the invoice again; a failure changes nothing.
 * @param signal aborts it
 * @returns whether it was found
 */
export const refreshInvoice =
	(signal?: AbortSignal): AppThunk<Promise<boolean>> =>
	async (dispatch, getState, { api }) => {
		const hp = readHp();
		if (hp === '') return false;
		asked += 1;
		const mine = asked;
		const answer = await api.invoiceInfo(hp, signal);
		// The customer may have left meanwhile, and the next one may be here.
		if (!answer.ok || signal?.aborted || readHp() !== hp) return false;
		const current = getState().invoice.detail;
		if (mine < heard || (current !== null && !sameId(current.id, answer.value.results.id))) return false;
		heard = mine;
		dispatch(invoiceFound(customerDetailOf(answer.value)));
		return true;
	};

/**
 * Enters a payment screen, also after a reload. A failed look-up is silent where the invoice is
 * stored.
 * @returns the invoice, or null without a number or an invoice to pay
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
