import type { Id } from '@kiosk/contract/back-office';
import { sameId } from '@kiosk/contract/same-id';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import type { Journal } from '../journal/journal.ts';
import { type Payment, paymentKey } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import { CodeRequest, type Forwarded, fieldsOf } from './forward-request.ts';
import type { OPEN_REFUSALS } from './open-machine.ts';

/** Why no code may be opened or cancelled now. */
export type CodeRefusal = keyof typeof OPEN_REFUSALS;

/**
 * Checks requests to open or cancel a QRIS code or a virtual account. A request that names no
 * invoice is for the current one. The back office may use any id or number in a request, and may
 * read another spelling of an id as the same id. So all ids, all numbers and the total must be
 * exactly those of one invoice that the kiosk has looked up.
 */
export interface CodeGuard {
	/**
	 * The back office opens a code for the amount that it considers due, so the customer would pay
	 * again what is not reported yet.
	 * @returns why no code may be opened now; null if it may
	 */
	refusalToOpen(sent: Forwarded): Promise<CodeRefusal | null>;
	/** @returns why no code may be cancelled now; null if it may */
	refusalToCancel(sent: Forwarded): CodeRefusal | null;
}

export function codeGuard(deps: {
	invoices: Pick<InvoiceDesk, 'current' | 'findPayment' | 'balanceOf' | 'ask'>;
	journal: Pick<Journal, 'hasOpenNote' | 'trouble'> & { money: Pick<Journal['money'], 'isReported'> };
	cash: Pick<CashDesk, 'isHeld'>;
	/** Whether the kiosk is about to restart. If so, no payment begins. */
	isRestarting: () => boolean;
}): CodeGuard {
	const { invoices, journal, cash } = deps;
	/**
	 * Whether this kiosk has taken money for the invoice that the back office has not confirmed yet.
	 */
	const isUntold = (payment: Payment): boolean => !journal.money.isReported(paymentKey(payment));

	/** @returns the invoice with the id of this request; null if the kiosk knows none */
	function find(named: CodeRequest): Payment | null {
		const [id] = idsOf(named);
		return id === undefined ? (invoices.current()?.payment ?? null) : invoices.findPayment(id);
	}

	/**
	 * @returns the only invoice that this request names. null: it may name an invoice that the kiosk
	 * does not know now
	 */
	function onlyInvoice(named: CodeRequest): Payment | 'no_invoice' | null {
		const payment = find(named);
		if (payment === null) return invoices.current() === null && mayBeUnknown(named) ? null : 'no_invoice';
		if (!isNamed(payment, named) || (named.results && !isNamed(payment, named.results))) return 'no_invoice';
		if (named.results?.total !== undefined && named.results.total !== payment.total) return 'no_invoice';
		return payment;
	}

	/**
	 * After a restart the kiosk knows no invoice, but the page may still show one. Then only an id is
	 * allowed: the kiosk cannot check a number, and the number may belong to an invoice whose money
	 * is not reported yet. While the journal cannot be read, codes are not limited.
	 */
	const mayBeUnknown = (named: CodeRequest): boolean =>
		isClosed(journal.trouble()) ||
		(idsOf(named).length > 0 && named.odoo_id === null && named.noinvoice === '' && named.results === undefined);

	return {
		async refusalToOpen(sent) {
			const named = codeRequestOf(sent);
			if (named === null) return 'no_invoice';
			const before = find(named);
			// `ask` first sends the notes that the back office does not know yet.
			if (before && isUntold(before)) await invoices.ask();
			if (deps.isRestarting()) return 'restarting';
			const payment = onlyInvoice(named);
			if (payment === null || payment === 'no_invoice') return payment;
			if (isUntold(payment) || journal.hasOpenNote(payment)) return 'dispute';
			if (invoices.balanceOf(paymentKey(payment)).state === 'dispute') return 'dispute';
			// An open or unknown card sale may already have taken the money, so neither a code nor
			// cash is offered.
			return cash.isHeld(payment) ? 'held' : null;
		},
		refusalToCancel(sent) {
			const named = codeRequestOf(sent);
			return named === null || onlyInvoice(named) === 'no_invoice' ? 'no_invoice' : null;
		},
	};
}

/** @returns the fields of this request; null if its ids differ or may be read in several ways */
function codeRequestOf(sent: Forwarded): CodeRequest | null {
	const named = fieldsOf(CodeRequest, sent);
	if (named === null) return null;
	const ids = idsOf(named);
	return ids.every((one) => sameId(one, ids[0]) && isPlain(one)) ? named : null;
}

const idsOf = ({ payment_id, results, id }: CodeRequest): Id[] => [payment_id, results?.id, id].filter((one) => one !== undefined);

/** @returns whether this id has only one reading; a server may read "07" as 7 */
function isPlain(id: Id): boolean {
	const text = String(id).normalize('NFKC').trim();
	return text === String(id) && (Number.isNaN(Number(text)) || String(Number(text)) === text);
}

/** @returns whether these numbers, where present, match this invoice */
const isNamed = (payment: Payment, { odoo_id, noinvoice }: Pick<CodeRequest, 'odoo_id' | 'noinvoice'>): boolean =>
	(odoo_id === null || sameId(odoo_id, payment.odoo_id)) && (noinvoice === '' || noinvoice === payment.noinvoice);
