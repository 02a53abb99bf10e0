import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Rupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { accountWords } from '../back-office/account-messages.ts';
import { type InvoiceDesk, SHORT_LOOK_UP_MS } from '../back-office/invoice-desk.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import { type Balance, isPaidState } from '../journal/balance.ts';
import type { Journal } from '../journal/journal.ts';
import type { GiveBack } from '../journal/print-book.ts';
import { type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';
import { isClosed, refusedRecordText } from '../journal/trouble.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { Log } from '../log/log.ts';
import type { Slips } from '../printer/slips.ts';
import { isBeingPaid } from './being-paid.ts';
import { Decision } from './decision.ts';
import { giveBack } from './give-back.ts';
import type { ParkedCalls } from './parked-calls.ts';
import { PARKED_WISHES } from './parked-choices.ts';

const invoice = v.pipe(v.string(), v.trim(), v.nonEmpty('the invoice'));

const Wish = v.variant('action', [
	v.object({
		action: v.literal('give_back'),
		invoice,
		amount: v.pipe(RupiahSchema, v.minValue(1 as Rupiah, 'at least one rupiah')),
		/**
		 * Money of this kiosk as shown to the person. If it has changed meanwhile, e.g. because other
		 * staff gave it back, the call is refused.
		 */
		held: RupiahSchema,
		/**
		 * Whether the person saw the invoice as settled. If that has changed meanwhile, the call is
		 * refused.
		 */
		settled: v.optional(v.boolean(), false),
		/**
		 * Whether the whole payment is undone. If false, change that was already given cannot be given
		 * again.
		 */
		whole: v.optional(v.boolean(), false),
		/**
		 * Whether the person has not seen the newest give-back. If so, an equal amount is refused: the
		 * command may be a repetition after a lost answer, which must not record the same money twice.
		 */
		unseen: v.optional(v.boolean(), false),
		...Decision.entries,
	}),
	/**
	 * The values that the person saw. `due`: the amount due after the review. `dispute`: the reason
	 * of the dispute.
	 */
	v.object({ action: v.literal('review'), invoice, due: RupiahSchema, dispute: v.string(), ...Decision.entries }),
	...PARKED_WISHES,
]);
type Wish = v.InferOutput<typeof Wish>;
type Asked<A extends Wish['action']> = Extract<Wish, { action: A }>;

/** An invoice as staff see it; amounts in rupiah. */
export interface InvoiceMoney {
	/** The name of the invoice in staff commands. */
	name: string;
	payment: Payment;
	balance: Omit<Balance, 'entries'>;
	/** Money that this kiosk has received and not given back. */
	held: Rupiah;
	/** The newest give-back, which the person may have forgotten or not seen. */
	given: GiveBack | null;
	/**
	 * Whether staff have settled the invoice as paid or given back elsewhere. If true, no money is
	 * owed to the customer.
	 */
	settled: boolean;
	/** The newer number that the back office uses for this invoice's id; null if there is none. */
	renumbered: string | null;
	/**
	 * For a dispute: state and due amount after a review that confirms the back office; else null.
	 */
	after_review: { state: Balance['state']; due: Rupiah } | null;
}

/**
 * Staff-socket calls: GET /money/attention, /money/parked, /money/invoice/NAME,
 * /money/look-up/NUMBER and POST /money.
 */
export function moneyCalls(deps: {
	cash: Pick<CashDesk, 'isPayingInvoice'>;
	journal: Journal;
	token: Pick<OutletToken, 'current'>;
	invoices: Pick<InvoiceDesk, 'balanceOf' | 'refresh'>;
	parked: ParkedCalls;
	slips: Pick<Slips, 'givenBack'>;
	/** @returns a fresh UUID */
	newId: () => string;
	/** @returns the present time, ISO 8601 with the site's offset */
	now: () => string;
	log: Log;
}): Handler {
	const { journal, log } = deps;
	const { money } = journal;

	async function wished(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = await readJson(Wish, request, response);
		if (asked === null) return;
		switch (asked.action) {
			case 'give_back':
				return giveMoney(response, asked);
			case 'review':
				return review(response, asked);
			default:
				return deps.parked.decide(response, asked);
		}
	}

	async function giveMoney(response: ServerResponse, wish: Asked<'give_back'>): Promise<void> {
		const { invoice, amount, by, why } = wish;
		const payment = oneInvoice(response, invoice);
		if (!payment) return;
		await deps.invoices.refresh(payment, SHORT_LOOK_UP_MS);
		// The write of the look-up may have failed and closed the journal.
		if (isUnreadable(response)) return;
		const key = paymentKey(payment);
		const held = money.ownMoney(key);
		if (amount > held)
			return refuse(
				response,
				409,
				'not_held',
				`This kiosk holds Rp ${held} for ${payment.noinvoice}, so Rp ${amount} cannot be given back. Nothing was done.`,
			);
		if (held !== wish.held)
			return refuse(
				response,
				409,
				'changed',
				`This kiosk holds Rp ${held} for ${payment.noinvoice} now. Check it again. Nothing was done.`,
			);
		if (isSettled(key) !== wish.settled)
			return refuse(
				response,
				409,
				'changed',
				`Staff have just settled ${payment.noinvoice} as paid elsewhere, or its settlement has ended. Check it again. Nothing was done.`,
			);
		const before = journal.givenBackOf(key).at(-1);
		const { state, excess, twice } = deps.invoices.balanceOf(key);
		const owed = state === 'paid_twice' ? twice : excess;
		// Staff at the screen may already have given back the surplus or a part of it.
		if (before && isPaidState(state) && amount > owed && !(wish.whole && amount === held))
			return refuse(
				response,
				409,
				'already_given_back',
				`${before.by} gave Rp ${before.amount} back for ${payment.noinvoice} at ${before.time}, and ` +
					`${owed === 0 ? 'no' : `Rp ${owed}`} more is owed. ` +
					`To undo the whole payment of Rp ${held}: kioskctl cash give-back with --all in place of --amount. Nothing was done.`,
			);
		if (before && wish.unseen && amount === before.amount)
			return refuse(
				response,
				409,
				'repeated',
				`${before.by} gave Rp ${before.amount} back for ${payment.noinvoice} at ${before.time}. A repeated command would record the ` +
					'same money twice: if the customer has received it once more, run this without --yes. Nothing was done.',
			);
		const given = giveBack(deps, payment, amount, { by, why });
		if (!given.ok) {
			const { code, message } = given.error;
			return code === 'busy' ? refuse(response, 409, code, `${message}. Nothing was done.`) : refuse(response, 503, code, message);
		}
		answerJson(response, 200, moneyOf(payment));
	}

	function review(response: ServerResponse, { invoice, due, dispute, by, why }: Asked<'review'>): void {
		const payment = oneInvoice(response, invoice);
		if (!payment) return;
		const key = paymentKey(payment);
		const { state } = money.balanceOf(key);
		if (state !== 'dispute' || money.viewOf(key) === null)
			return refuse(response, 409, 'no_dispute', `${payment.noinvoice} is not in dispute: it is ${state}. Nothing was done.`);
		const after = money.afterReview(key);
		if (after.state === 'dispute')
			return refuse(
				response,
				409,
				'money_missing',
				`A review of ${payment.noinvoice} does not resolve this: ${after.why}. Correct it in the back office: enter what is missing, or ` +
					'mark it as paid; or record what went back to the customer with kioskctl cash give-back.',
			);
		// Otherwise the customer would have to pay an amount that the person has not seen.
		if (after.due !== due)
			return refuse(
				response,
				409,
				'changed',
				`The back office has changed ${payment.noinvoice}: Rp ${after.due} is due after a review. Check it again. Nothing was done.`,
			);
		const now = deps.invoices.balanceOf(key).why;
		if (dispute !== now)
			return refuse(
				response,
				409,
				'changed',
				`The dispute of ${payment.noinvoice} has changed: ${now || 'it has ended'}. Check it again. Nothing was done.`,
			);
		const written = journal.append({ kind: 'invoice_reviewed', review_id: deps.newId(), payment_id: key, by, why });
		if (!written.ok) return refuse(response, 503, written.error.code, refusedRecordText(written.error));
		log.event('invoice.reviewed', aboutPayment(payment));
		answerJson(response, 200, moneyOf(payment));
	}

	/** @returns whether staff have settled the invoice: `attention` lists only unsettled invoices */
	function isSettled(key: PaymentKey): boolean {
		const { state } = money.balanceOf(key);
		return (state === 'partial' || state === 'paid_twice') && !money.attention().some(({ payment }) => paymentKey(payment) === key);
	}

	function moneyOf(payment: Payment): InvoiceMoney {
		const key = paymentKey(payment);
		const { entries: _entries, ...balance } = deps.invoices.balanceOf(key);
		const { state, due } = money.afterReview(key);
		return {
			name: nameOf(payment),
			payment,
			balance,
			held: money.ownMoney(key),
			given: journal.givenBackOf(key).at(-1) ?? null,
			settled: isSettled(key),
			renumbered: newerNumberOf(payment),
			after_review: balance.state === 'dispute' ? { state, due } : null,
		};
	}

	/**
	 * @returns the newer number that the back office uses for this id, or null. If both numbers mean
	 * the same invoice, the back office counts its payments under the new number.
	 */
	function newerNumberOf({ account, id, noinvoice }: Payment): string | null {
		const newest = account && money.paymentsWithId(account, String(id))[0];
		return newest && newest.noinvoice !== noinvoice ? newest.noinvoice : null;
	}

	/** @returns the invoice number, with a handle if the number is empty or not unique */
	function nameOf(payment: Payment): string {
		const alone = found(payment.noinvoice).length === 1 && payment.noinvoice !== '';
		return alone ? payment.noinvoice : `${payment.noinvoice || payment.id}#${handleOf(payment)}`;
	}

	function found(name: string): Payment[] {
		const [, plain = name, handle] = /^(.*)#([0-9a-f]{8})$/.exec(name) ?? [];
		const all = money.paymentsNamed(plain, deps.token.current()?.account ?? null);
		const named = handle === undefined ? all : all.filter((payment) => handleOf(payment) === handle);
		return named.length > 0 || handle === undefined ? named : money.paymentsNamed(name, null);
	}

	/**
	 * @returns the invoice of this name. If there is none or more than one, or if it is being paid,
	 * refuses the request and returns null.
	 */
	function oneInvoice(response: ServerResponse, name: string): Payment | null {
		const [payment, ...others] = found(name);
		if (!payment) {
			refuse(response, 404, 'no_such_invoice', `The journal has no money for an invoice ${name}. Nothing was done.`);
			return null;
		}
		if (others.length > 0) {
			const names = [payment, ...others].map((one) => `\n  ${nameOf(one)}  id ${one.id}, ${accountWords(one.account)}`).join('');
			refuse(response, 409, 'ambiguous', `${others.length + 1} invoices are called ${name}. Use one of these names:${names}`);
			return null;
		}
		if (!isBeingPaid(deps, payment)) return payment;
		refuse(response, 409, 'busy', 'Not now: a customer is paying this invoice.');
		return null;
	}

	/**
	 * Refuses the request if the journal cannot be read, because the journal would look empty.
	 * @returns whether the request was refused
	 */
	function isUnreadable(response: ServerResponse): boolean {
		const trouble = journal.trouble();
		if (!trouble || !isClosed(trouble)) return false;
		refuse(response, 503, trouble.code, `the journal cannot be read: ${trouble.message}`);
		return true;
	}

	return async (request, response, path) => {
		if (!path.startsWith('/money')) return false;
		if (isUnreadable(response)) return true;
		const [, what, name] = /^\/money\/(invoice|look-up)\/([^/]{1,300})$/.exec(path) ?? [];
		if (request.method === 'POST' && path === '/money') await wished(request, response);
		else if (request.method !== 'GET') return false;
		else if (path === '/money/attention')
			answerJson(response, 200, { attention: money.attention().map(({ payment }) => moneyOf(payment)) });
		else if (path === '/money/parked') answerJson(response, 200, deps.parked.list());
		else if (what === 'look-up') await deps.parked.lookUp(response, decoded(name));
		else if (what === 'invoice') {
			const payment = oneInvoice(response, decoded(name));
			if (payment) answerJson(response, 200, moneyOf(payment));
		} else return false;
		return true;
	};
}

function decoded(text = ''): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** @returns eight hex digits that distinguish invoices with the same number */
export const handleOf = (payment: Payment): string => createHash('sha256').update(paymentKey(payment)).digest('hex').slice(0, 8);
