import type { OpenMachineRequest } from '@kiosk/contract/kiosk-api';
import { sameId } from '@kiosk/contract/same-id';
import type { CurrentInvoice, InvoiceDesk } from '../back-office/invoice-desk.ts';

/**
 * The invoice that a page asks the machine for, as the kiosk itself has looked it up. What else the page says of it counts for nothing.
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
