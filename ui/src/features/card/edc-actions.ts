import type { SaleMethod } from '@kiosk/contract/live';
import { sameId } from '@kiosk/contract/same-id';
import { alreadyPaidIn } from '../../lib/customer-detail.ts';
import { readHp } from '../../lib/visit-storage.ts';
import { cardEntered, saleAsked } from '../../state/edc.ts';
import { paymentDone, paymentOnScreen } from '../../state/paid.ts';
import { enterPayment } from '../../state/refresh-invoice.ts';
import type { AppThunk } from '../../state/store.ts';

/**
 * Enters the card screen, even after a reload.
 * @param asked the chosen method; if a sale of this invoice is running or unknown, its method
 * applies instead
 * @param signal aborted when the customer leaves the screen
 * @returns false if no number is stored or no invoice is known
 */
export const enterCard =
	(asked: SaleMethod, signal: AbortSignal): AppThunk<Promise<boolean>> =>
	async (dispatch, getState) => {
		const { lastSale: before } = getState().edc;
		const entered = readHp() === '' ? null : await dispatch(enterPayment());
		if (signal.aborted) return true;
		if (entered === null) return false;
		const { detail, isCorrected } = entered;
		if (detail.is_paid) return true;
		const { lastSale } = getState().edc;
		// The sale may have been voided since its approval, or the invoice may have grown. An answer
		// that the daemon has corrected by its journal outweighs an earlier report, and so does a
		// larger total.
		const hasGrown = lastSale?.total !== undefined && detail.total > lastSale.total;
		const isOutdated = lastSale === before && (isCorrected || hasGrown);
		const isOver = lastSale?.phase === 'declined' || (lastSale?.phase === 'approved' && (isOutdated || lastSale.left !== null));
		const known = lastSale !== null && sameId(lastSale.id, detail.id) && !isOver ? lastSale : null;
		const method = known?.method ?? asked;
		if (known?.phase === 'approved') dispatch(paymentDone({ id: String(detail.id), noinvoice: detail.noinvoice, how: 'fresh' }));
		// An invoice that is partly paid is refused, because the terminal would charge the whole total.
		else dispatch(cardEntered({ id: detail.id, method, refused: alreadyPaidIn(detail) > 0 ? 'cash_inside' : null }));
		return true;
	};

/**
 * Requests a sale for the invoice on the screen, unless one without a result exists. Does nothing
 * while the socket is closed or the terminal cannot take a sale.
 */
export const startSale =
	(): AppThunk =>
	(dispatch, getState, { live }) => {
		const { edc, invoice, connection } = getState();
		const { detail } = invoice;
		if (detail === null || !sameId(edc.id, detail.id) || paymentOnScreen(getState()) !== null) return;
		if (edc.leaving || edc.sale.at !== 'none' || edc.terminal !== 'ready' || !connection.socket) return;
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
