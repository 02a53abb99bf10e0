import type { OpenMachineRequest } from '@kiosk/contract/kiosk-api';
import { sameId } from '@kiosk/contract/same-id';
import type { CurrentInvoice, InvoiceDesk } from '../back-office/invoice-desk.ts';

/**
 * Finds the invoice for which a page opens the machine, in the kiosk's own look-up. Other data of
 * the page about it is ignored.
 * @param lookUpAgain after a restart, by the number that the customer has entered
 */
export async function askedInvoice(
	invoices: Pick<InvoiceDesk, 'current'>,
	{ id, hp }: OpenMachineRequest,
	lookUpAgain: (id: OpenMachineRequest['id'], number: string) => Promise<CurrentInvoice | null>,
): Promise<CurrentInvoice | null> {
	const current = invoices.current();
	return current && sameId(current.payment.id, id) ? current : lookUpAgain(id, hp);
}
