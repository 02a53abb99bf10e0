import type { EdcResponse, LiveText } from '@kiosk/contract/live';
import { type Rupiah, rupiah } from '@kiosk/contract/money';
import { isSameInvoice, sameId } from '@kiosk/contract/same-id';
import { isAwaited, saleAnswered, saleReported } from './edc.ts';
import { paymentDone } from './paid.ts';
import type { AppThunk } from './store.ts';

/**
 * An approval covers the amount of its sale, but the invoice may have grown since the sale began.
 * @returns the amount still due after the approval, rupiah; null if the invoice is paid
 */
const leftAfter = ({ paid = true, due }: { paid?: boolean | undefined; due?: Rupiah | undefined }): Rupiah | null =>
	paid ? null : (due ?? rupiah(0));

/** Handles the daemon's report about the current sale, an earlier sale or a refusal. */
export const saleHeard =
	(heard: Extract<LiveText, { type: 'kiosk_edc_sale' }>): AppThunk =>
	(dispatch, getState) => {
		const { id, noinvoice, attempt_id, phase, amount, method, reason, total } = heard;
		const left = leftAfter(heard);
		const { detail } = getState().invoice;
		// The invoice on the screen has the same id but another number: the back office has used the id
		// again, and the sale belongs to an earlier invoice.
		if (sameId(id, detail?.id) && !isSameInvoice(heard, detail)) return;
		dispatch(saleReported({ id, noinvoice, attempt_id, phase, amount, method, reason: reason ?? null, left, total }));
		if (!isSameInvoice(heard, detail)) return;
		// The invoice counts as paid even if the customer has left the card screen.
		if (phase === 'approved' && left === null) dispatch(paymentDone({ id: String(id), noinvoice, how: 'fresh' }));
		if (reason === 'already_paid') dispatch(paymentDone({ id: String(id), noinvoice, how: 'before' }));
	};

/**
 * Handles the terminal's first response to the sale on the screen and, if it is an approval,
 * reports it to the back office. Repeated responses and responses to other sales are ignored.
 */
export const responseHeard =
	(response: EdcResponse): AppThunk =>
	(dispatch, getState, { live }) => {
		const { data } = response;
		const left = leftAfter(response);
		const { edc, invoice, session } = getState();
		const { detail } = invoice;
		if (detail === null || !sameId(edc.id, detail.id) || !isAwaited(edc, data.attempt_id)) return;
		dispatch(saleAnswered({ code: data.respCode, attempt: data.attempt_id, retry: data.retry, left }));
		if (data.respCode !== '00') return;
		// If this message is lost, the daemon reports the approval without it.
		live.say({
			message: {
				type: 'payment_edc_bca_notification',
				event: 'transaction_approve',
				data: { no_invoice: detail.noinvoice ?? '', access_token: session?.token ?? '', json_success_payment: data },
			},
		});
		if (left === null) dispatch(paymentDone({ id: String(detail.id), noinvoice: detail.noinvoice, how: 'fresh' }));
	};
