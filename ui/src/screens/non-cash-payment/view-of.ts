import { openPaymentOf, type QrisPayment, type VaPayment } from '../../../../daemon/contract/open-payment.ts';
import { type CustomerDetail, virtualAccountApplies } from '../../app/customer-detail.ts';

/** What the screen shows. `code` is null while no code is known: it is on its way, or has to be made. */
export type NonCashView =
	| { view: 'standby' }
	| { view: 'is_paid' }
	| { view: 'list_va' }
	| { view: 'qris'; code: QrisPayment | null }
	| { view: 'va_selected'; va: VaPayment };

/**
 * @param detail null until the invoice was looked up
 * @param chosen the account that was made on this screen, as long as the invoice does not tell of it
 */
export function viewOf(detail: CustomerDetail | null, chosen: VaPayment | null): NonCashView {
	if (detail === null) return { view: 'standby' };
	if (detail.is_paid) return { view: 'is_paid' };
	const open = openPaymentOf(detail);
	if (open?.kind === 'va') return { view: 'va_selected', va: open };
	if (chosen !== null) return { view: 'va_selected', va: chosen };
	if (open?.kind === 'qris') return { view: 'qris', code: open };
	return virtualAccountApplies(detail) ? { view: 'list_va' } : { view: 'qris', code: null };
}
