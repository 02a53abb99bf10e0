import type { PrintRequest } from '@kiosk/contract/kiosk-api';
import type { Rupiah } from '@kiosk/contract/money';
import { alreadyPaidIn, type CustomerDetail } from '../../lib/customer-detail.ts';
import { writeReceipt } from '../../lib/stored-visit.ts';
import { type Cash, receivedOf } from '../../state/cash.ts';
import { printAccepted, printAsked, printRefused, takeKnown } from '../../state/paid.ts';
import type { AppThunk } from '../../state/store.ts';

/**
 * @returns the received amount, rupiah: in the cash session or, if there is none, according to the
 * back office's list of payments. null if nothing was received.
 */
export function cashReceived(detail: CustomerDetail, cash: Cash): Rupiah | null {
	const received = cash.id === null ? alreadyPaidIn(detail) : receivedOf(cash);
	return received === 0 ? null : received;
}

/**
 * Asks the daemon to print a receipt, an account number or a sample. The daemon decides the
 * contents.
 * @returns `page` if the browser must print the receipt on /cetak. In this case the receipt is
 * stored for that page.
 */
export const printOut =
	(wish: PrintRequest): AppThunk<Promise<'page' | 'sent'>> =>
	async (dispatch, getState, { api }) => {
		const { paid, visit } = getState();
		if (paid.asking) return 'sent';
		dispatch(printAsked());
		const answer = await api.print(wish);
		// If the visit has ended meanwhile, the next customer may already wait for another receipt.
		if (getState().visit !== visit) return 'sent';
		if (!answer.ok) dispatch(printRefused(answer.status === null ? 'offline' : (answer.code ?? 'refused')));
		else if ('receipt' in answer.value) {
			dispatch(printAccepted(null));
			writeReceipt(answer.value.receipt);
			return 'page';
		} else {
			dispatch(printAccepted(answer.value.print_id));
			dispatch(takeKnown(answer.value.take ?? null));
		}
		return 'sent';
	};

/** Prints the receipt of the payment on the screen. @returns the same as `printOut` */
export const printReceipt = (): AppThunk<Promise<'page' | 'sent'>> => async (dispatch, getState) => {
	const { detail } = getState().invoice;
	return detail === null ? 'sent' : dispatch(printOut({ id: detail.id, of: 'invoice' }));
};
