import { sameId } from '../../../daemon/contract/back-office.ts';
import { paymentText } from '../text/payment.ts';
import { alreadyPaidIn } from './customer-detail.ts';
import { enterPayment } from './lookup.ts';
import { cardEntered, saleAsked } from './state/edc.ts';
import { methodUsed } from './state/non-cash.ts';
import { paymentDone } from './state/paid.ts';
import type { AppThunk } from './store.ts';
import { readHp } from './visit-storage.ts';

/**
 * Enters the card screen, also after a reload of the page.
 * @param signal the screen was left @returns false when there is no number or no invoice to pay
 */
export const enterCard =
	(signal: AbortSignal): AppThunk<Promise<boolean>> =>
	async (dispatch, getState) => {
		const detail = readHp() === '' ? null : await dispatch(enterPayment());
		if (signal.aborted) return true;
		if (detail === null) return false;
		if (detail.is_paid) return true;
		// The receipt will name it, whenever and wherever the approval is heard.
		dispatch(methodUsed(paymentText.method.debit));
		const { lastSale } = getState().edc;
		const approved = lastSale?.phase === 'approved' && sameId(lastSale.id, detail.id);
		if (approved) dispatch(paymentDone({ id: String(detail.id), how: 'fresh' }));
		// The card would be charged the whole total, whatever lies in the machine already.
		else dispatch(cardEntered({ id: detail.id, refused: alreadyPaidIn(detail) > 0 ? 'cash_inside' : null }));
		return true;
	};

/**
 * Asks the terminal for the invoice on the screen, at most once until something has become of it. Does nothing while the
 * socket is away or the terminal cannot take a sale.
 */
export const startSale =
	(): AppThunk =>
	(dispatch, getState, { live }) => {
		const { edc, invoice, paid, connection } = getState();
		const { detail } = invoice;
		if (detail === null || !sameId(edc.id, detail.id) || paid.payment !== null) return;
		if (edc.sale.at !== 'none' || edc.terminal !== 'ready' || !connection.socket) return;
		const said = live.say({
			message: {
				type: 'payment_edc_bca_notification',
				event: 'start_transaction',
				data: { amount: detail.total, id: detail.id, odoo_id: detail.odoo_id ?? null, noinvoice: detail.noinvoice ?? '' },
			},
		});
		if (said) dispatch(saleAsked());
	};
