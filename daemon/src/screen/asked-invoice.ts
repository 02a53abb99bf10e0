import type { OpenMachineRequest } from '@kiosk/contract/kiosk-api';
import { sameId } from '@kiosk/contract/same-id';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { CurrentInvoice } from '../back-office/known-invoices.ts';

/**
 * Finds the invoice for which a page opens the acceptor. The page sends only the invoice's id and
 * number: all other data comes from the kiosk's own look-up.
 * @param lookUpAgain looks the invoice up if it is not the current one, e.g. after a restart
 */
export async function askedInvoice(
	invoices: Pick<InvoiceDesk, 'current'>,
	asked: OpenMachineRequest,
	lookUpAgain: (asked: OpenMachineRequest) => Promise<CurrentInvoice | null>,
): Promise<CurrentInvoice | null> {
	const current = invoices.current();
	return isAsked(current, asked) ? current : lookUpAgain(asked);
}

/** @returns whether the page asks for this invoice */
export const isAsked = (found: CurrentInvoice | null, { id, noinvoice }: OpenMachineRequest): boolean =>
	found !== null && sameId(found.payment.id, id) && (noinvoice ?? found.payment.noinvoice) === found.payment.noinvoice;
