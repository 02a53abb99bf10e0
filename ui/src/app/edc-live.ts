import { sameId } from '../../../daemon/contract/back-office.ts';
import type { EdcResponse, LiveText } from '../../../daemon/contract/live.ts';
import { isAwaited, saleAnswered, saleReported } from './state/edc.ts';
import { paymentDone } from './state/paid.ts';
import type { AppThunk } from './store.ts';

/** What the daemon says of a sale: of the one on the screen, of an earlier one, or why it asked nothing of the terminal. */
export const saleHeard =
	(heard: Extract<LiveText, { type: 'kiosk_edc_sale' }>): AppThunk =>
	(dispatch, getState) => {
		const { id, attempt_id, phase, amount, method, reason } = heard;
		dispatch(saleReported({ id, attempt_id, phase, amount, method, reason: reason ?? null }));
		if (!sameId(id, getState().invoice.detail?.id)) return;
		// The money is in, on whichever screen the customer stands now.
		if (phase === 'approved') dispatch(paymentDone({ id: String(id), how: 'fresh' }));
		if (reason === 'already_paid') dispatch(paymentDone({ id: String(id), how: 'before' }));
	};

/** Takes the first response of the sale on the screen. An approval is told to the back office; repeats and strangers change nothing. */
export const responseHeard =
	(data: EdcResponse['data']): AppThunk =>
	(dispatch, getState, { live }) => {
		const { edc, invoice, session } = getState();
		const { detail } = invoice;
		if (detail === null || !sameId(edc.id, detail.id) || !isAwaited(edc, data.attempt_id)) return;
		dispatch(saleAnswered({ code: data.respCode, attempt: data.attempt_id, retry: data.retry }));
		if (data.respCode !== '00') return;
		// The daemon tells it by itself where this does not reach it.
		live.say({
			message: {
				type: 'payment_edc_bca_notification',
				event: 'transaction_approve',
				data: { no_invoice: detail.noinvoice ?? '', access_token: session?.token ?? '', json_success_payment: data },
			},
		});
		dispatch(paymentDone({ id: String(detail.id), how: 'fresh' }));
	};
