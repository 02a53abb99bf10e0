import type { Id } from '@kiosk/contract/back-office';
import { sameId } from '@kiosk/contract/same-id';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import type { Journal } from '../journal/journal.ts';
import { type Payment, paymentKey } from '../journal/records.ts';
import { CodeRequest, type Forwarded, fieldsOf } from './forward-request.ts';
import type { OPEN_REFUSALS } from './open-machine.ts';

/**
 * Checks requests for a QRIS code or a virtual account. A request that names no invoice is for the
 * current one. The back office opens a code for the amount that it considers due, so the customer
 * would pay again what is not reported yet. The back office may use any id or number in a request,
 * and may read another spelling of an id as the same id. So all ids, all numbers and the total must
 * be exactly those of one invoice that the kiosk has looked up.
 * @returns why no code may be opened now; null if it may
 */
export function codeGuard(deps: {
	invoices: Pick<InvoiceDesk, 'current' | 'findPayment' | 'balanceOf' | 'ask'>;
	journal: Pick<Journal, 'hasOpenNote'> & { money: Pick<Journal['money'], 'isReported'> };
	cash: Pick<CashDesk, 'isHeld'>;
	/** Whether the kiosk is about to restart. If so, no payment begins. */
	isRestarting: () => boolean;
}): (sent: Forwarded) => Promise<keyof typeof OPEN_REFUSALS | null> {
	const { invoices, journal, cash } = deps;
	/**
	 * Whether this kiosk has taken money for the invoice that the back office has not confirmed yet.
	 */
	const isUntold = (payment: Payment): boolean => !journal.money.isReported(paymentKey(payment));

	return async (sent) => {
		const named = fieldsOf(CodeRequest, sent);
		if (named === null) return 'no_invoice';
		const ids = [named.payment_id, named.results?.id, named.id].filter((one) => one !== undefined);
		const [id] = ids;
		if (!ids.every((one) => sameId(one, id) && isPlain(one))) return 'no_invoice';
		const find = (): Payment | null => (id === undefined ? (invoices.current()?.payment ?? null) : invoices.findPayment(id));
		const before = find();
		// `ask` first sends the notes that the back office does not know yet.
		if (before && isUntold(before)) await invoices.ask();
		if (deps.isRestarting()) return 'restarting';
		const payment = find();
		// After a restart the kiosk knows no invoice, but the page may still show one, so the request
		// is allowed.
		if (payment === null) return invoices.current() === null ? null : 'no_invoice';
		if (!isNamed(payment, named) || (named.results && !isNamed(payment, named.results))) return 'no_invoice';
		if (named.results?.total !== undefined && named.results.total !== payment.total) return 'no_invoice';
		if (isUntold(payment) || journal.hasOpenNote(payment)) return 'dispute';
		if (invoices.balanceOf(paymentKey(payment)).state === 'dispute') return 'dispute';
		// An open or unknown card sale may already have taken the money, so neither a code nor cash is
		// offered.
		return cash.isHeld(payment) ? 'held' : null;
	};
}

/** @returns whether this id has only one reading; a server may read "07" as 7 */
function isPlain(id: Id): boolean {
	const text = String(id).normalize('NFKC').trim();
	return text === String(id) && (Number.isNaN(Number(text)) || String(Number(text)) === text);
}

/** @returns whether these numbers, where present, match this invoice */
const isNamed = (payment: Payment, { odoo_id, noinvoice }: Pick<CodeRequest, 'odoo_id' | 'noinvoice'>): boolean =>
	(odoo_id === null || sameId(odoo_id, payment.odoo_id)) && (noinvoice === '' || noinvoice === payment.noinvoice);
