import type { Id } from '@kiosk/contract/back-office';

/** @returns the fields by which the log is searched for a payment; none if it is not known */
export const aboutPayment = (payment: { id: Id; noinvoice: string } | undefined) =>
	payment ? { invoice: payment.noinvoice, payment_id: payment.id } : {};
