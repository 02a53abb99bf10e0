import { sameId } from '../../../daemon/contract/back-office.ts';
import type { SaleMethod } from '../../../daemon/contract/live.ts';
import { alreadyPaidIn } from './customer-detail.ts';
import { enterPayment } from './lookup.ts';
import { cardEntered, saleAsked } from './state/edc.ts';
import { paymentDone } from './state/paid.ts';
import type { AppThunk } from './store.ts';
import { readHp } from './visit-storage.ts';

/**
 * Enters the card screen, also after a reload of the page.
 * @param asked what the terminal shall do, unless a sale of this invoice is under way already
 * @param signal the screen was left @returns false when there is no number or no invoice to pay
 */
export const enterCard =
	(asked: SaleMethod, signal: AbortSignal): AppThunk<Promise<boolean>> =>
	async (dispatch, getState) => {
		const detail = readHp() === '' ? null : await dispatch(enterPayment());
		if (signal.aborted) return true;
		if (detail === null) return false;
		if (detail.is_paid) return true;
		const { lastSale } = getState().edc;
		const known = lastSale !== null && sameId(lastSale.id, detail.id) && lastSale.phase !== 'declined' ? lastSale : null;
		const method = known?.method ?? asked;
		if (known?.phase === 'approved') dispatch(paymentDone({ id: String(detail.id), how: 'fresh' }));
		// The terminal would take the whole total, whatever lies in the machine already.
		else dispatch(cardEntered({ id: detail.id, method, refused: alreadyPaidIn(detail) > 0 ? 'cash_inside' : null }));
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
				data: {
					amount: detail.total,
					id: detail.id,
					odoo_id: detail.odoo_id ?? null,
					noinvoice: detail.noinvoice ?? '',
					method: edc.method,
				},
			},
		});
		if (said) dispatch(saleAsked());
	};
