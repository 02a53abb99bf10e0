import { isAnswered } from '../back-office/invoice-calls.ts';
import { type InvoiceDesk, SHORT_LOOK_UP_MS } from '../back-office/invoice-desk.ts';
import type { LiveLink } from '../back-office/live-link.ts';
import type { OutletToken } from '../back-office/token.ts';
import { type Clock, pause } from '../base/clock.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { Journal } from '../journal/journal.ts';
import type { Payment } from '../journal/records.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { Log } from '../log/log.ts';
import { responseData } from './card-messages.ts';

/** After this many look-ups without an answer the approval is reported anyway. */
const MOST_LOOK_UPS = 5;
const LOOK_UP_PAUSE_MS = 5_000;
/** If the disk refuses the first record of a report, the report is retried after this pause. */
const RETRY_MS = 10_000;

/**
 * Reports the logged-in outlet's approved card sales to the back office over the live socket, in
 * the order of approval. A report is repeated until the journal records that the back office has
 * received it.
 */
export interface Approvals {
	/** Sends waiting reports now, for example after an approval, a reconnect or a log-in. */
	kick(): void;
	isSending(): boolean;
	/** Whether a report of this approval has begun. The back office may then know the approval. */
	mayBeTold(attempt_id: string): boolean;
	stop(): void;
}

export function startApprovals(deps: {
	journal: Journal;
	link: () => Pick<LiveLink, 'isConnected' | 'send'>;
	invoices: Pick<InvoiceDesk, 'refresh'>;
	token: OutletToken;
	clock: Clock;
	log: Log;
}): Approvals {
	const { journal, token, clock, log } = deps;
	let sending = false;
	let stopped = false;
	let cancelRetry = () => {};
	/**
	 * Sales that this run has not reported because the disk refused the first record. After a failed
	 * sync the record may be on disk nevertheless.
	 */
	const unsent = new Set<string>();
	const hasBegun = (attempt_id: string): boolean => journal.has({ kind: 'card_approval_begun', attempt_id });
	const mayBeTold = (attempt_id: string): boolean => !unsent.has(attempt_id) && hasBegun(attempt_id);

	async function drain(): Promise<void> {
		if (sending || stopped) return;
		sending = true;
		/**
		 * The sale whose invoice was looked up just now. If the report must still wait, the invoice is
		 * looked up again later, because a payment elsewhere may come meanwhile.
		 */
		let lookedUp: string | null = null;
		try {
			for (let next = nextSale(); next && !stopped; next = nextSale()) {
				const { sale, session } = next;
				const { attempt_id, amount, payment } = sale;
				const link = deps.link();
				if (link.isConnected() && lookedUp !== attempt_id && !mayBeTold(attempt_id)) {
					await lookUpFirst(payment);
					lookedUp = attempt_id;
					// The next sale is read again, because another outlet may have logged in meanwhile.
					continue;
				}
				if (!link.isConnected() || !recordBeginning(attempt_id) || !(await link.send(approvalMessage(sale, session.token.reveal()))))
					return log.event('card.approval_waiting', { attempt_id, amount, ...aboutPayment(payment) });
				if (stopped || !journal.append({ kind: 'card_approval_sent', attempt_id }).ok) return;
				log.event('card.approval_sent', { attempt_id, amount, ...aboutPayment(payment) });
			}
		} finally {
			sending = false;
		}
	}

	/**
	 * Writes the first record of a report. Without this record, a later run would count the reported
	 * sale in the back office's list as another payment.
	 * @returns whether the record is on disk; if not, the report is retried later
	 */
	function recordBeginning(attempt_id: string): boolean {
		if (hasBegun(attempt_id) || journal.append({ kind: 'card_approval_begun', attempt_id }).ok) {
			unsent.delete(attempt_id);
			return true;
		}
		unsent.add(attempt_id);
		retryLater();
		return false;
	}

	/** Retries on a timer, because no event announces that the disk accepts records again. */
	function retryLater(): void {
		cancelRetry();
		cancelRetry = clock.after(RETRY_MS, () => void drain());
	}

	/**
	 * Looks the invoice up before the approval is reported. As soon as the back office knows the
	 * approval, its "paid" no longer shows whether the invoice was paid elsewhere as well.
	 */
	async function lookUpFirst(payment: Payment): Promise<void> {
		for (let tries = 1; tries <= MOST_LOOK_UPS && !stopped; tries += 1) {
			if (tries > 1) await pause(clock, LOOK_UP_PAUSE_MS);
			if (isAnswered(await deps.invoices.refresh(payment, SHORT_LOOK_UP_MS))) return;
		}
	}

	function nextSale() {
		const session = token.current();
		const sale = session && journal.cards.nextApproval(session.account);
		return sale && { sale, session };
	}

	return {
		kick: () => void drain(),
		isSending: () => sending,
		mayBeTold,
		stop() {
			stopped = true;
			cancelRetry();
		},
	};
}

/** The specification's transaction_approve. The token is added here and is never in the journal. */
function approvalMessage(sale: CardSale & { payment: Payment }, access_token: string): object {
	const json_success_payment = approvalData(sale);
	return {
		message: {
			type: 'payment_edc_bca_notification',
			event: 'transaction_approve',
			data: { no_invoice: sale.payment.noinvoice, access_token, json_success_payment },
		},
	};
}

/**
 * @returns the terminal's response or, for a sale settled by staff, the known part of the response.
 * Each report of a sale has the same data
 */
function approvalData(sale: CardSale & { payment: Payment }) {
	const { response, amount } = sale;
	if (response && sale.answered) return responseData(sale, response, false);
	// A terminal may leave the amount out or answer Rp 0. A response with another amount is about
	// another charge; staff have found a slip of the sale's own charge.
	const own = response && (!response.amount || response.amount === amount) ? response : null;
	const known = own ? responseData(sale, own, false) : { attempt_id: sale.attempt_id, id: sale.payment.id, type: 'sale' };
	return { ...known, respCode: '00', amount, settled_by_staff: true };
}
