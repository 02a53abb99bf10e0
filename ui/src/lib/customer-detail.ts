import type { Invoice, InvoiceInfo } from '@kiosk/contract/back-office';
import { type Rupiah, sumRupiah } from '@kiosk/contract/money';

/**
 * The invoice that the customer pays, and the other parts of the look-up's answer that the screens
 * need. In session storage it is `customerDetail`.
 */
export type CustomerDetail = Invoice & Pick<InvoiceInfo, 'logo' | 'ahass_name' | 'max_to_va'>;

/** @param info the answer to the look-up of the invoice */
export const customerDetailOf = (info: InvoiceInfo): CustomerDetail => ({
	...info.results,
	logo: info.logo,
	ahass_name: info.ahass_name,
	max_to_va: info.max_to_va,
});

/** @returns the amount that the back office has already received for this invoice, rupiah */
export const alreadyPaidIn = (detail: Pick<Invoice, 'list_pembayaran'>): Rupiah =>
	sumRupiah((detail.list_pembayaran ?? []).map((payment) => payment.nominal));

/**
 * @returns whether an invoice with this total is paid by virtual account. Below the back office's
 * limit, and if there is no limit, it is paid by QRIS.
 */
export const virtualAccountApplies = (detail: CustomerDetail): boolean =>
	detail.max_to_va !== null && detail.max_to_va !== undefined && detail.total >= detail.max_to_va;
