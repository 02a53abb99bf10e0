/** What the screen is told about a sale. */
import type { LiveText, SalePhase, SaleRefusal } from '../../contract/live.ts';
import type { Payment } from '../journal/records.ts';
import type { Known, Step } from './card-state.ts';
import type { TerminalResponse } from './terminal.ts';

/** @returns the message that says how far a sale is */
export const saleText = (sale: Known['sale'], phase: SalePhase, reason?: SaleRefusal): LiveText => ({
	type: 'kiosk_edc_sale',
	id: sale.payment.id,
	attempt_id: sale.attempt_id,
	phase,
	amount: sale.amount,
	method: sale.method,
	...(reason ? { reason } : {}),
});

export const paidText = (payment: Payment): LiveText => ({ type: 'payment_notification', id: payment.id, is_paid: true });

/** @returns what a screen must hear of a sale that it may have missed */
export const greetingOf = ({ sale, phase }: Known): LiveText[] =>
	phase === 'approved' ? [saleText(sale, phase), paidText(sale.payment)] : [saleText(sale, phase)];

/** Adds to a step that the screen hears how far a sale is. */
export const saying = (step: Step, sale: Known['sale'], phase: SalePhase, reason?: SaleRefusal): Step => ({
	state: { ...step.state, last: { sale, phase } },
	effects: [...step.effects, { kind: 'tell', text: saleText(sale, phase, reason) }],
});

/**
 * The data of the specification's `transaction_response`, and of the `json_success_payment` that goes to the back office.
 * Nothing in it identifies a card beyond the mask that is printed on the slip as well.
 */
export function responseData(sale: Known['sale'], response: TerminalResponse, retry: boolean) {
	const { code, ...rest } = response;
	return { respCode: code, attempt_id: sale.attempt_id, id: sale.payment.id, retry, ...rest };
}
