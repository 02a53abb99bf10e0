/** Records that staff have given money back, on the staff screen or with `kioskctl`. */
import type { Rupiah } from '@kiosk/contract/money';
import { fail, ok, type Result } from '../base/result.ts';
import type { Journal } from '../journal/journal.ts';
import { type Payment, paymentKey } from '../journal/records.ts';
import { refusedRecordText } from '../journal/trouble.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { Log } from '../log/log.ts';
import type { Slips } from '../printer/slips.ts';
import { isBeingPaid, type PayingNow } from './being-paid.ts';

export interface GiveBackDeps extends PayingNow {
	journal: Pick<Journal, 'append' | 'cards'>;
	slips: Pick<Slips, 'givenBack'>;
	/** @returns a fresh UUID */
	newId: () => string;
	/** @returns the present time, ISO 8601 with the site's offset */
	now: () => string;
	log: Log;
}

export type NotGivenBack = { code: 'busy' | 'not_written'; message: string };

/**
 * Records the give-back and prints its slip. The call is refused while the terminal voids a card
 * payment of this invoice, because the customer would get that money twice. It is also refused
 * while a customer pays this invoice.
 * @param amount rupiah; the journal refuses more than this kiosk holds
 * @param by the person who gives the money back
 * @param why the reason
 */
export function giveBack(
	deps: GiveBackDeps,
	payment: Payment,
	amount: Rupiah,
	{ by, why }: { by: string; why: string },
): Result<void, NotGivenBack> {
	const payment_id = paymentKey(payment);
	if (deps.journal.cards.isVoiding(payment_id))
		return fail({ code: 'busy', message: 'the terminal is giving a card payment of this invoice back' });
	if (isBeingPaid(deps, payment)) return fail({ code: 'busy', message: 'a customer is paying this invoice' });
	const record = { kind: 'money_given_back', give_id: deps.newId(), payment_id, amount, by, why, time: deps.now() } as const;
	const written = deps.journal.append(record);
	if (!written.ok) return fail({ code: 'not_written', message: refusedRecordText(written.error) });
	deps.log.event('cash.given_back', { ...aboutPayment(payment), amount });
	deps.slips.givenBack(record, payment);
	return ok(undefined);
}
