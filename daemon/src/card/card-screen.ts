import { type LiveText, paidText } from '@kiosk/contract/live';
import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import { SHORT_LOOK_UP_MS } from '../back-office/invoice-desk.ts';
import { isPaidState } from '../journal/balance.ts';
import { type Payment, paymentKey, samePayment } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import type { CardDeskDeps } from './card-deps.ts';
import type { CardState } from './card-state.ts';

/**
 * For this time after the look-up of an invoice with an approved sale, messages about the invoice
 * need no other look-up.
 */
const LOOKED_UP_MS = 5_000;

const isApproval = (text: LiveText): boolean =>
	(text.type === 'kiosk_edc_sale' && text.phase === 'approved') ||
	(text.type === 'payment_edc_bca_notification' && text.data.respCode === '00');

/** Whether an invoice is paid, the rupiah still due, and its total. */
interface Covered {
	paid: boolean;
	due: Rupiah;
	total: Rupiah;
}

/**
 * Sends the card desk's messages to the screen, in order. Before the message about an approval, the
 * invoice is looked up, because it may have grown since the sale began.
 */
export class CardScreen {
	readonly #deps: CardDeskDeps;
	readonly #last: () => CardState['last'];
	/**
	 * Messages that wait for a look-up, in order; null while none waits. `of`: the payment to look up
	 * before this message; null if the message needs no look-up.
	 */
	#waiting: { of: Payment | null; tell: () => void }[] | null = null;
	/** The last look-up for waiting messages; `at`: when it ended, monotonic ms. */
	#lookedUp: { of: Payment; at: number } | null = null;

	/** @param last returns the newest sale */
	constructor(deps: CardDeskDeps, last: () => CardState['last']) {
		this.#deps = deps;
		this.#last = last;
	}

	stop(): void {
		this.#waiting = null;
	}

	/**
	 * Sends a message.
	 * @param about the payment that the message names, if any
	 */
	tell(text: LiveText, about: Payment | undefined): void {
		const { notify } = this.#deps;
		if (text.type === 'kiosk_edc_sale' && text.reason === 'already_paid' && about) return this.#tellAlreadyPaid(text, about);
		const approved = isApproval(text) ? about : undefined;
		if (!approved) return this.tellInOrder(null, () => notify(text, about));
		const before = this.#coveredBefore(approved);
		this.tellInOrder(approved, () => notify({ ...text, ...this.coveredBy(approved, before) } as LiveText, approved));
	}

	/** Tells that a sale was refused because its invoice is paid, unless the invoice has grown. */
	#tellAlreadyPaid(text: Extract<LiveText, { type: 'kiosk_edc_sale' }>, payment: Payment): void {
		const before = this.#coveredBefore(payment);
		this.tellInOrder(payment, () =>
			this.#deps.notify(this.coveredBy(payment, before).paid ? text : { ...text, reason: 'bad_amount' }, payment),
		);
	}

	/**
	 * Sends a message after all earlier messages. If `of` is given, looks this payment up first
	 * unless it was looked up just now, because its invoice may have grown since the sale began.
	 */
	tellInOrder(of: Payment | null, tell: () => void): void {
		if (this.#waiting) return void this.#waiting.push({ of, tell });
		this.#waiting = [{ of, tell }];
		this.#tellWaiting(this.#waiting);
	}

	#tellWaiting(waiting: { of: Payment | null; tell: () => void }[]): void {
		for (let next = waiting[0]; next; next = waiting[0]) {
			const { of } = next;
			if (of !== null && !this.isLookedUp(of)) {
				void this.#deps.invoices.refresh(of, SHORT_LOOK_UP_MS).then(() => {
					this.#lookedUp = { of, at: this.#deps.clock.now() };
					if (this.#waiting === waiting) this.#tellWaiting(waiting);
				});
				return;
			}
			waiting.shift();
			next.tell();
		}
		this.#waiting = null;
	}

	/**
	 * @returns whether the invoice is fresh, or a look-up of it ended within `LOOKED_UP_MS`, even
	 * without an answer
	 */
	isLookedUp(payment: Payment): boolean {
		if (this.#deps.invoices.isFresh(payment)) return true;
		const last = this.#lookedUp;
		return last !== null && samePayment(last.of, payment) && this.#deps.clock.now() - last.at < LOOKED_UP_MS;
	}

	/** @returns whether messages about this approved payment wait for its look-up */
	isLookingUp(payment: Payment): boolean {
		return this.#waiting?.some(({ of }) => of !== null && samePayment(of, payment)) ?? false;
	}

	/**
	 * @returns the result of `coveredBy` before a look-up. If the journal has closed since the
	 * approval was written, the approval counts as the whole amount due, because a sale is for
	 * exactly this amount
	 */
	#coveredBefore(payment: Payment): Covered {
		const now = this.coveredBy(payment);
		return isClosed(this.#deps.journal.trouble()) ? { paid: true, due: rupiah(0), total: payment.total } : now;
	}

	/** Sends the message that the payment is paid, if it is still paid after a look-up. */
	tellPaid(payment: Payment): void {
		const before = this.#coveredBefore(payment);
		this.tellInOrder(payment, () => {
			if (this.coveredBy(payment, before).paid) this.#deps.notify(paidText(payment), payment);
		});
	}

	/**
	 * @param before the result before the look-up of an approved sale. If the journal has closed
	 * since, it lacks the approval, and this result is used instead. A later dispute, void or growth
	 * of the invoice is known even then
	 * @returns whether the invoice counts as paid now
	 */
	coveredBy(payment: Payment, before?: Covered): Covered {
		const last = this.#last();
		const { state, due, total } = this.#deps.invoices.balanceOf(paymentKey(payment));
		const now = { paid: isPaidState(state), due, total };
		if (!before || state === 'dispute' || !isClosed(this.#deps.journal.trouble())) return now;
		if (last?.phase !== 'approved' || !samePayment(last.sale.payment, payment)) return now;
		if (total <= before.total) return before;
		return { paid: false, due: sumRupiah([before.due, remaining(total, before.total)]), total };
	}
}
