import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Rupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import { beginningOf } from '@kiosk/contract/reference';
import * as v from 'valibot';
import { type InvoiceDesk, SHORT_LOOK_UP_MS } from '../back-office/invoice-desk.ts';
import type { CardDesk } from '../card/card-desk.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { Journal } from '../journal/journal.ts';
import { paymentKey } from '../journal/records.ts';
import { Decision } from './decision.ts';

/** The beginning of a sale's id, of which staff type at least four characters. */
const attempt = v.pipe(v.string(), v.trim(), v.minLength(4, 'at least the first four characters of the attempt'));

const Wish = v.variant('action', [
	v.object({ action: v.literal('echo') }),
	v.object({ action: v.literal('settlement'), ...Decision.entries }),
	/**
	 * `held`: the amount that the person saw. If it has changed, the void is refused: other staff may
	 * have given the money back in cash meanwhile.
	 */
	v.object({ action: v.literal('void'), attempt, held: v.nullable(RupiahSchema), ...Decision.entries }),
	v.object({ action: v.literal('reprint'), attempt }),
	/** `slip`: the amount on the terminal's slip, if the person has entered it. */
	v.object({
		action: v.literal('settle'),
		attempt,
		outcome: v.picklist(['charged', 'not_charged']),
		slip: v.optional(v.nullable(RupiahSchema), null),
		...Decision.entries,
	}),
]);
type Wish = v.InferOutput<typeof Wish>;

/** A sale as `kioskctl edc` shows it. */
export type ShownSale = ReturnType<typeof shown>;
/** `held`: money of this kiosk for the sale's invoice, rupiah; null without an invoice. */
export type ShownSaleWithMoney = ShownSale & { held: Rupiah | null };

const shown = ({ attempt_id, time, amount, payment, state, why, response }: CardSale) => ({
	attempt_id,
	time,
	amount,
	noinvoice: payment?.noinvoice ?? '',
	state,
	why,
	response,
});

/** Staff-socket calls: GET /edc/unknown, /edc/unsettled, /edc/sale/BEGINNING and POST /edc. */
export function edcCalls(
	card: CardDesk,
	cash: Pick<CashDesk, 'isPayingInvoice'>,
	invoices: Pick<InvoiceDesk, 'refresh'>,
	{ cards, money }: Pick<Journal, 'cards' | 'money'>,
): Handler {
	const heldFor = ({ payment }: CardSale): Rupiah | null => payment && money.ownMoney(paymentKey(payment));

	async function wished(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const wish = await readJson(Wish, request, response);
		if (wish === null) return;
		if (!('attempt' in wish)) return answerJson(response, 200, await card.carryOut(withReason(wish)));
		let sale = oneSale(response, wish.attempt);
		if (wish.action === 'void' && sale?.payment) {
			await invoices.refresh(sale.payment, SHORT_LOOK_UP_MS);
			sale = oneSale(response, wish.attempt);
		}
		// A customer who pays during the void would be asked for too little: the amount due before the
		// void.
		if (wish.action === 'void' && sale?.payment && cash.isPayingInvoice(sale.payment))
			return refuse(response, 409, 'busy', 'Not now: a customer is paying this invoice.');
		if (wish.action === 'void' && sale && heldFor(sale) !== wish.held)
			return refuse(response, 409, 'changed', 'The money of this invoice has changed. Check it again. Nothing was done.');
		if (sale) answerJson(response, 200, await card.carryOut({ ...withReason(wish), sale }));
	}

	/**
	 * @returns the sale whose id begins with this. If there is no such sale or more than one, refuses
	 * the request and returns null.
	 */
	function oneSale(response: ServerResponse, beginning: string): CardSale | null {
		const [sale, ...others] = cards.find(beginningOf(beginning));
		if (sale && others.length === 0) return sale;
		const count = sale ? `${others.length + 1} sales begin` : 'no sale begins';
		refuse(response, 404, 'no_such_sale', `${count} with ${beginning}; kioskctl edc unknown and edc unsettled list them`);
		return null;
	}

	return async (request, response, path) => {
		const beginning = /^\/edc\/sale\/([\w-]{4,36})$/.exec(path)?.[1];
		if (request.method === 'POST' && path === '/edc') await wished(request, response);
		else if (request.method !== 'GET') return false;
		else if (path === '/edc/unknown')
			answerJson(response, 200, { unknown: cards.unknown().map(shown), twice: cards.chargedTwice().map(shown) });
		else if (path === '/edc/unsettled') answerJson(response, 200, { sales: cards.unsettled().map(shown) });
		else if (beginning) {
			const sale = oneSale(response, beginning);
			if (sale) answerJson(response, 200, { ...shown(sale), held: heldFor(sale) } satisfies ShownSaleWithMoney);
		} else return false;
		return true;
	};
}

/**
 * @returns the request with name and reason. Both are empty for echo and reprint, which move no
 * money.
 */
const withReason = <W extends Wish>(wish: W): W & { by: string; why: string } => ({ by: '', why: '', ...wish });
