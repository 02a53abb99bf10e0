import { isSameInvoice } from '@kiosk/contract/same-id';
import { type CustomerDetail, customerDetailOf } from '../lib/customer-detail.ts';
import { readDetail, writeDetail } from '../lib/stored-visit.ts';
import { readHp } from '../lib/visit-storage.ts';
import { invoiceFound } from './invoice.ts';
import { paymentDone } from './paid.ts';
import type { AppThunk } from './store.ts';

/**
 * If a look-up is not answered within this time, the stored invoice is shown, ms. Waiting for the
 * failure would be too long: a call to an unreachable back office fails only after 50 s.
 */
const LOOKUP_PATIENCE_MS = 3_000;

/** Resolves to false when the screen should wait no longer and show a stored invoice. */
const waitBriefly = () => new Promise<false>((done) => setTimeout(done, LOOKUP_PATIENCE_MS, false));

/**
 * Look-ups are numbered. `asked` is the number of the newest look-up, `heard` that of the newest
 * used answer. Older answers are dropped.
 */
let asked = 0;
let heard = 0;

/**
 * Looks up the invoice again. A failure changes nothing.
 * @param signal aborts the look-up
 * @returns whether the answer was used: it is about the same invoice and not outdated
 */
export const refreshInvoice =
	(signal?: AbortSignal): AppThunk<Promise<boolean>> =>
	async (dispatch, getState, { api }) => {
		const hp = readHp();
		if (hp === '') return false;
		asked += 1;
		const mine = asked;
		const answer = await api.invoiceInfo(hp, signal);
		// Meanwhile, the customer may have left and the next customer may have arrived.
		if (!answer.ok || signal?.aborted || readHp() !== hp) return false;
		// A switch to the customer's next invoice must clear the state of the present invoice. Only the
		// look-up of the method screen does this.
		const { known } = getState().invoice;
		if (mine < heard || (known !== null && !isSameInvoice(known, answer.value.results))) return false;
		heard = mine;
		dispatch(invoiceFound(customerDetailOf(answer.value)));
		return true;
	};

/** Looks up the invoice again, but resolves after a few seconds even without an answer. */
export const refreshBriefly = (): AppThunk<Promise<void>> => async (dispatch) => {
	await Promise.race([dispatch(refreshInvoice()), waitBriefly()]);
};

/**
 * Checks by a look-up whether the payment on the screen was completed, because the message about it
 * may be lost.
 * @param signal aborts the look-up
 */
export const checkPayment =
	(signal?: AbortSignal): AppThunk<Promise<boolean>> =>
	async (dispatch, getState) => {
		const found = await dispatch(refreshInvoice(signal));
		const { detail } = getState().invoice;
		if (found && detail?.is_paid) dispatch(paymentDone({ id: String(detail.id), noinvoice: detail.noinvoice, how: 'fresh' }));
		return found;
	};

/**
 * Looks up the invoice for a payment screen, even after a reload. If the look-up fails or is slow,
 * the stored invoice is used.
 * @returns the invoice, and whether it is an answer that the daemon has corrected by its journal;
 * null if there is no number or no invoice, or if the visit has ended meanwhile
 */
export const enterPayment =
	(): AppThunk<Promise<{ detail: CustomerDetail; isCorrected: boolean } | null>> => async (dispatch, getState) => {
		if (readHp() === '') return null;
		const stored = getState().invoice.detail ?? readDetail();
		if (stored !== null) dispatch(invoiceFound(stored));
		const { visit } = getState();
		const lookup = dispatch(refreshInvoice());
		const isAnswered = await (stored === null ? lookup : Promise.race([lookup, waitBriefly()]));
		const { detail } = getState().invoice;
		// The customer may have left, and the invoice may be the next customer's.
		if (detail === null || getState().visit !== visit) return null;
		writeDetail(detail);
		if (detail.is_paid) dispatch(paymentDone({ id: String(detail.id), noinvoice: detail.noinvoice, how: 'before' }));
		return { detail, isCorrected: isAnswered && detail.kiosk_uncorrected !== true };
	};
