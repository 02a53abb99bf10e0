import type { Id } from '../../contract/back-office.ts';

/** @returns the fields by which the log is searched for a payment; none if it is not known */
export const aboutPayment = (payment: { id: Id; noinvoice: string } | undefined) =>
	payment ? { invoice: payment.noinvoice, payment_id: payment.id } : {};
