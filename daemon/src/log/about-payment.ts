import type { Id } from '@kiosk/contract/back-office';
import type { AboutPayment } from './event-fields.ts';

/**
 * @returns the fields by which the log is searched for a payment; none if the payment is unknown
 */
export function aboutPayment(payment: { id: Id; noinvoice: string }): AboutPayment;
export function aboutPayment(payment: { id: Id; noinvoice: string } | undefined): Partial<AboutPayment>;
export function aboutPayment(payment: { id: Id; noinvoice: string } | undefined): Partial<AboutPayment> {
	return payment ? { invoice: payment.noinvoice, payment_id: payment.id } : {};
}
