import type { Id } from '../../../daemon/contract/back-office.ts';
import type { Rupiah } from '../../../daemon/contract/money.ts';
import { type Receipt, receiptOf } from '../../../daemon/contract/receipt.ts';
import { paymentText } from '../text/payment.ts';
import { alreadyPaidIn, type CustomerDetail } from './customer-detail.ts';
import { receiptForPrinter } from './logo-raster.ts';
import { siteTime, tanggalOf } from './site-time.ts';
import { type Cash, receivedOf } from './state/cash.ts';
import { printAccepted, printAsked, printRefused } from './state/paid.ts';
import type { AppThunk } from './store.ts';
import { writeReceipt } from './visit-storage.ts';
import { siteTimeOf } from './written-time.ts';

/** @returns rupiah taken in cash for this invoice, or null when it was not paid in cash */
export function cashReceived(detail: CustomerDetail, cash: Cash): Rupiah | null {
	const received = cash.id === null ? alreadyPaidIn(detail) : receivedOf(cash);
	return received === 0 ? null : received;
}

/**
 * @param paidJustNow an older payment carries the date of its last entry, where the back office sent one
 * @param at when the receipt is made, and the zone of the site
 * @param method what the customer paid by on this screen, '' when that is not known; the back office knows best
 */
export function paidReceipt(
	detail: CustomerDetail,
	cash: Cash,
	paidJustNow: boolean,
	at: { now: Date; timezone: string },
	method = '',
): Receipt {
	const received = cashReceived(detail, cash);
	const last = siteTimeOf(at.timezone, detail.list_pembayaran?.at(-1)?.tanggal ?? '');
	return receiptOf({
		invoice: { ...detail, is_paid: true },
		logo: detail.logo ?? '',
		ahass: detail.ahass_name ?? '',
		tanggal: tanggalOf((paidJustNow ? null : last) ?? siteTime(at.timezone, at.now)),
		metode: detail.payment_type_display || (received !== null ? paymentText.receipt.tunai : method || paymentText.receipt.otherMethod),
		received,
	});
}

/**
 * Puts a receipt on paper.
 * @param made what it says, asked for only when it is printed
 * @returns `page` when the browser's own dialog on /cetak is the printer
 */
export const printOut =
	(id: Id, made: () => Receipt | Promise<Receipt>): AppThunk<Promise<'page' | 'sent'>> =>
	async (dispatch, getState, { api }) => {
		const { paid, settings } = getState();
		if (settings === null || paid.asking) return 'sent';
		if (settings.print === 'browser') {
			// The clock may have been set since the screen began.
			const [receipt, now] = await Promise.all([made(), api.settings()]);
			writeReceipt({ ...receipt, clock_in_doubt: now.ok && now.value.clock_in_doubt });
			return 'page';
		}
		dispatch(printAsked());
		const answer = await api.print(id, await receiptForPrinter(await made()));
		// Whoever stands here now has not asked for it.
		if (!getState().paid.asking) return 'sent';
		dispatch(answer.ok ? printAccepted(answer.value.print_id) : printRefused(answer.status === null ? 'offline' : 'refused'));
		return 'sent';
	};

/** Prints the receipt of the payment on the screen. @returns as `printOut` */
export const printReceipt = (): AppThunk<Promise<'page' | 'sent'>> => async (dispatch, getState) => {
	const { invoice, cash, nonCash, paid, settings } = getState();
	if (invoice.detail === null || settings === null) return 'sent';
	const at = { now: new Date(), timezone: settings.timezone };
	const receipt = paidReceipt(invoice.detail, cash, paid.payment?.how === 'fresh', at, nonCash.method);
	return dispatch(printOut(invoice.detail.id, () => receipt));
};
