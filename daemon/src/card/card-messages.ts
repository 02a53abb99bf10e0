/** Messages to the screen about a sale. */
import { type LiveText, paidText, type SalePhase, type SaleRefusal } from '@kiosk/contract/live';
import { type Rupiah, rupiah } from '@kiosk/contract/money';
import type { TerminalResponse } from '../edc/terminal.ts';
import type { Known, Step } from './card-state.ts';

/** @returns the message with a sale's phase */
export const saleText = (sale: Known['sale'], phase: SalePhase, reason?: SaleRefusal): Extract<LiveText, { type: 'kiosk_edc_sale' }> => ({
	type: 'kiosk_edc_sale',
	id: sale.payment.id,
	noinvoice: sale.payment.noinvoice,
	attempt_id: sale.attempt_id,
	phase,
	amount: sale.amount,
	method: sale.method,
	...(reason ? { reason } : {}),
});

/**
 * @param total the invoice's present total, rupiah
 * @returns the messages about a sale that a screen may have missed. The caller must not pass an
 * approved sale that has not paid its invoice
 */
export const greetingOf = ({ sale, phase }: Known, total: Rupiah): LiveText[] =>
	phase === 'approved'
		? [{ ...saleText(sale, phase), paid: true, due: rupiah(0), total }, paidText(sale.payment)]
		: [saleText(sale, phase)];

/** Makes the sale the newest one in the state, and adds the message with its phase to the step. */
export const addPhase = (step: Step, sale: Known['sale'], phase: SalePhase, reason?: SaleRefusal): Step => ({
	state: { ...step.state, last: { sale, phase } },
	effects: [...step.effects, { kind: 'tell', text: saleText(sale, phase, reason), about: sale.payment }],
});

/**
 * @returns the data of the specification's `transaction_response` and of the `json_success_payment`
 * for the back office. Its only card data is the masked card number, which is also printed on the
 * slip
 */
export function responseData(sale: Known['sale'], response: TerminalResponse, retry: boolean) {
	const { code, ...rest } = response;
	return { respCode: code, attempt_id: sale.attempt_id, id: sale.payment.id, retry, ...rest };
}
