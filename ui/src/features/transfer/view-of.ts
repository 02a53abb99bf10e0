import { openPaymentOf, type QrisPayment, type VaPayment } from '@kiosk/contract/open-payment';
import { type CustomerDetail, virtualAccountApplies } from '../../lib/customer-detail.ts';

/** The view of the screen. `code` is null until the code has been created. */
export type NonCashView =
	| { view: 'standby' }
	| { view: 'is_paid' }
	| { view: 'list_va' }
	| { view: 'qris'; code: QrisPayment | null }
	| { view: 'va_selected'; va: VaPayment };

/**
 * @param detail null before the look-up
 * @param chosen the account created on this screen, until the invoice reports it
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
