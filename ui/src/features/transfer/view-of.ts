import { openPaymentOf, type QrisPayment, type VaPayment } from '@kiosk/contract/open-payment';
import { type CustomerDetail, virtualAccountApplies } from '../../lib/customer-detail.ts';

/** What the screen shows. `code` is null until the QRIS code has been created. */
export type NonCashView =
	| { view: 'standby' }
	| { view: 'is_paid' }
	| { view: 'list_va' }
	| { view: 'qris'; code: QrisPayment | null }
	| { view: 'va_selected'; va: VaPayment };

/**
 * @param detail the invoice; null before the look-up
 * @param chosen the virtual account that was created on this screen and that no look-up has
 * reported yet; null: none
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
