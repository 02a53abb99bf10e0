import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import type { Journal } from '../journal/journal.ts';
import { type Payment, paymentKey } from '../journal/records.ts';
import { CodeRequest, type Forwarded, fieldsOf } from './forward-request.ts';
import type { OPEN_REFUSALS } from './open-machine.ts';

/**
 * Judges requests for a QRIS code or a virtual account by the invoice that they name, or by the
 * current one. The server opens a code for what it knows: money that it does not know yet would be
 * paid again.
 * @returns why no code is opened now, or null
 */
export function codeGuard(deps: {
	invoices: Pick<InvoiceDesk, 'current' | 'findPayment' | 'balanceOf' | 'ask'>;
	journal: { money: Pick<Journal['money'], 'isReported'> };
	cash: Pick<CashDesk, 'isHeld'>;
	/** Whether the machine is about to restart; then no payment begins. */
	isRestarting: () => boolean;
}): (sent: Forwarded) => Promise<keyof typeof OPEN_REFUSALS | null> {
	const { invoices, journal, cash } = deps;
	/** Whether the back office has not confirmed all money of this kiosk for the invoice. */
	const isUntold = (payment: Payment): boolean => !journal.money.isReported(paymentKey(payment));

	return async (sent) => {
		const named = fieldsOf(CodeRequest, sent);
		const id = named?.payment_id ?? named?.results?.id;
		const find = (): Payment | null => (id === undefined ? (invoices.current()?.payment ?? null) : invoices.findPayment(id));
		const before = find();
		// Notes are sent first.
		if (before && isUntold(before)) await invoices.ask();
		if (deps.isRestarting()) return 'restarting';
		const payment = find();
		if (payment === null) return null;
		if (isUntold(payment) || invoices.balanceOf(paymentKey(payment)).state === 'dispute') return 'dispute';
		// As with cash: its card sale may have taken the money already.
		return cash.isHeld(payment) ? 'held' : null;
	};
}
