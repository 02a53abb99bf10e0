import type { Rupiah } from '../../../daemon/contract/money.ts';
import { type Receipt, receiptOf } from '../../../daemon/contract/receipt.ts';
import { paymentText } from '../text/payment.ts';
import { alreadyPaidIn, type CustomerDetail } from './customer-detail.ts';
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
 */
export function paidReceipt(detail: CustomerDetail, cash: Cash, paidJustNow: boolean, at: { now: Date; timezone: string }): Receipt {
	const received = cashReceived(detail, cash);
	const last = siteTimeOf(at.timezone, detail.list_pembayaran?.at(-1)?.tanggal ?? '');
	return receiptOf({
		invoice: { ...detail, is_paid: true },
		logo: detail.logo ?? '',
		ahass: detail.ahass_name ?? '',
		tanggal: tanggalOf((paidJustNow ? null : last) ?? siteTime(at.timezone, at.now)),
		metode: received === null ? paymentText.receipt.otherMethod : paymentText.receipt.tunai,
		received,
	});
}

/** Prints the receipt of the payment on the screen. @returns `page` when the browser's own dialog on /cetak is the printer */
export const printReceipt =
	(): AppThunk<Promise<'page' | 'sent'>> =>
	async (dispatch, getState, { api }) => {
		const { invoice, cash, paid, settings } = getState();
		if (invoice.detail === null || settings === null || paid.asking) return 'sent';
		const receipt = paidReceipt(invoice.detail, cash, paid.payment?.how === 'fresh', {
			now: new Date(),
			timezone: settings.timezone,
		});
		if (settings.print === 'browser') {
			writeReceipt(receipt);
			return 'page';
		}
		dispatch(printAsked());
		const answer = await api.print(invoice.detail.id, receipt);
		dispatch(answer.ok ? printAccepted(answer.value.print_id) : printRefused(answer.status === null ? 'offline' : 'refused'));
		return 'sent';
	};
