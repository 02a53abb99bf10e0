import type { Id } from '@kiosk/contract/back-office';
import type { Rupiah } from '@kiosk/contract/money';
import type { VaPayment } from '@kiosk/contract/open-payment';
import { sameId } from '@kiosk/contract/same-id';
import { type InvoiceDesk, SHORT_LOOK_UP_MS } from '../back-office/invoice-desk.ts';
import { customerText } from '../base/customer-text.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { paymentKey } from '../journal/records.ts';
import type { PaperRow } from './receipt-rows.ts';
import { type ReceiptRefusal, siteDate } from './receipts.ts';
import { accountSlipRows } from './slip-rows.ts';

/**
 * Makes the slip with the open virtual account of the invoice looked up last. The screen sends only
 * the id of the invoice: account number, bank and amount come from the kiosk's own look-up.
 */
export function accountSlips(deps: {
	invoices: Pick<InvoiceDesk, 'current' | 'refresh' | 'balanceOf'>;
	ahass: string;
	/** e.g. "Asia/Jakarta" */
	timezone: string;
	/** The current time as DD-MM-YYYY HH:mm in `timezone`. */
	tanggal: () => string;
}): (id: Id) => Promise<Result<{ id: Id; rows: PaperRow[] }, ReceiptRefusal>> {
	const { invoices } = deps;

	/** @returns the account of this invoice, as last looked up; null if none is open */
	function openAccount(id: Id): { va: VaPayment; noinvoice: string; total: Rupiah } | null {
		const current = invoices.current();
		if (!current || !sameId(current.payment.id, id)) return null;
		const { open } = current;
		return open?.kind === 'va' ? { va: open, noinvoice: current.payment.noinvoice, total: current.view.total } : null;
	}

	return async (id) => {
		const current = invoices.current();
		if (!current || !sameId(current.payment.id, id)) return fail(UNKNOWN);
		// Since the last look-up the account may have been opened or replaced by another one.
		await invoices.refresh(current.payment, SHORT_LOOK_UP_MS);
		const found = openAccount(id);
		// The customer would pay again what is paid already.
		const { state } = invoices.balanceOf(paymentKey(current.payment));
		if (!found || (state !== 'open' && state !== 'partial')) return fail(UNKNOWN);
		const { va, noinvoice, total } = found;
		const rows = accountSlipRows({
			ahass: deps.ahass,
			tanggal: deps.tanggal(),
			noinvoice,
			bank: customerText.method.va(va.bank),
			company: va.bank === 'mandiri' ? va.company_code : '',
			number: va.no_va,
			total,
			before: siteDate(deps.timezone, va.expiry) ?? va.expiry,
		});
		return ok({ id, rows });
	};
}

const UNKNOWN: ReceiptRefusal = { code: 'unknown_payment', reason: 'no virtual account of this invoice is open' };
