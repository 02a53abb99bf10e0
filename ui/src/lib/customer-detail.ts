import type { Invoice, InvoiceInfo } from '@kiosk/contract/back-office';
import { type Rupiah, sumRupiah } from '@kiosk/contract/money';

/**
 * The invoice being paid, with the other parts of the look-up's answer that the screens need. It is
 * `customerDetail` in session storage.
 */
export type CustomerDetail = Invoice & Pick<InvoiceInfo, 'logo' | 'ahass_name' | 'max_to_va'>;

/** @param info the answer of the invoice look-up */
export const customerDetailOf = (info: InvoiceInfo): CustomerDetail => ({
	...info.results,
	logo: info.logo,
	ahass_name: info.ahass_name,
	max_to_va: info.max_to_va,
});

/** @returns rupiah that the back office already holds for this invoice */
export const alreadyPaidIn = (detail: Pick<Invoice, 'list_pembayaran'>): Rupiah =>
	sumRupiah((detail.list_pembayaran ?? []).map((payment) => payment.nominal));

/**
 * @returns whether this total is paid by virtual account. QRIS applies below the server's limit or
 * without a limit.
 */
export const virtualAccountApplies = (detail: CustomerDetail): boolean =>
	detail.max_to_va !== null && detail.max_to_va !== undefined && detail.total >= detail.max_to_va;
