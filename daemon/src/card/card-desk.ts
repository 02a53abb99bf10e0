import type { EdcStart, EdcState, LiveText } from '@kiosk/contract/live';
import { every } from '../base/clock.ts';
import { type Balance, isPaidState } from '../journal/balance.ts';
import type { CardSale } from '../journal/card-book.ts';
import { type Payment, paymentKey, samePayment } from '../journal/records.ts';
import { isHolding, leave, missedTexts, startSale } from './card-customer.ts';
import type { CardDeskDeps } from './card-deps.ts';
import { CardRunner } from './card-effects.ts';
import { shownStateOf } from './card-machine.ts';
import { type CardProgress, cardProgress } from './card-progress.ts';
import type { CardState, KeptWord, StaffAnswer, StaffAsk } from './card-state.ts';

/**
 * Interval for checking journal and disk; the cash desk reopens a broken journal at the same
 * interval.
 */
const JOURNAL_CHECK_MS = 5_000;
/** Interval of inquiries about unknown sales. */
const INQUIRY_MS = 60_000;

/** A staff request, without the fields that the desk adds. */
export type StaffWish = StaffAsk extends infer Ask ? (Ask extends StaffAsk ? Omit<Ask, 'action_id' | 'time'> : never) : never;

/** The card desk: customers' sales, and staff requests to the terminal. */
export interface CardDesk {
	/** Starts a sale that the screen requests; its progress is sent over the live socket. */
	start(asked: EdcStart['data']): void;
	/** The terminal's state for the next customer. */
	shownState(): EdcState;
	/** The work that a restart would interrupt. */
	progress(): CardProgress[];
	/** Reports of the terminal that are not in the journal yet. */
	unwritten(): readonly KeptWord[];
	/** State of the terminal itself, even if the daemon takes no cards for another reason. */
	terminalState(): CardState['terminal'];
	/** The messages for a newly connected screen. */
	greeting(): LiveText[];
	/**
	 * Whether this invoice's card sale is open, unknown or being voided, or a report of the terminal
	 * about it is not in the journal yet. If so, no other payment may begin.
	 */
	isHolding(payment: Payment): boolean;
	/**
	 * Called when an invoice has changed. A sale of this payment that still waits for its echo test
	 * is withdrawn if the invoice is in dispute, or if its amount is no longer due.
	 */
	onInvoiceChanged(payment: Payment, balance: Balance): void;
	/**
	 * Carries out a staff request; resolves when the request has ended, with or without an answer.
	 */
	carryOut(wish: StaffWish): Promise<StaffAnswer>;
	/**
	 * Prevents further requests to the terminal. Resolves when no sale is open or STOP_WAIT_MS is
	 * over.
	 */
	leave(): Promise<void>;
	stop(): void;
}

/** Starts the terminal, the checks of the journal and the inquiries about unknown sales. */
export function startCardDesk(deps: CardDeskDeps): CardDesk {
	const runner = new CardRunner(deps);
	const stopChecks = every(deps.clock, JOURNAL_CHECK_MS, () => runner.checkJournal());
	const stopInquiries = inquireOften(runner);
	const shownState = () => shownStateOf(runner.state);
	return {
		start: (asked) => startSale(runner, asked),
		shownState,
		progress: () => cardProgress(runner.state),
		unwritten: () => runner.state.unwritten,
		terminalState: () => runner.state.terminal,
		greeting: () => [{ type: 'kiosk_edc', state: shownState() }, ...missedTexts(runner)],
		isHolding: (payment) => isHolding(runner, payment),
		onInvoiceChanged(payment, { state, due }) {
			const { open } = runner.state;
			if (open?.kind !== 'sale' || !samePayment(open.sale.payment, payment)) return;
			if (state === 'dispute' || isPaidState(state) || due !== open.sale.amount) runner.terminal?.withdraw(open.sale.attempt_id);
		},
		carryOut: (wish) => carryOut(runner, wish),
		leave: () => leave(runner),
		stop() {
			stopChecks();
			stopInquiries();
			runner.stop();
		},
	};
}

/** Inquires about an unknown sale at intervals. @returns a function that ends the inquiries */
function inquireOften(runner: CardRunner): () => void {
	const { clock, newId, isRestarting } = runner.deps;
	return every(clock, INQUIRY_MS, () => {
		if (!runner.leaving && !isRestarting()) runner.handle({ kind: 'quiet', request_id: newId() });
	});
}

function carryOut(runner: CardRunner, wish: StaffWish): Promise<StaffAnswer> {
	const refusal = refusalOf(runner, wish);
	if (refusal) return Promise.resolve({ ...refusal, response: null });
	return runner.carryOut({ ...wish, action_id: runner.deps.newId(), time: runner.now() });
}

function refusalOf(runner: CardRunner, wish: StaffWish): Pick<StaffAnswer, 'code' | 'text'> | null {
	if (runner.leaving) return { code: 'not_ready', text: 'The kiosk is shutting down; try again in a moment.' };
	if (runner.deps.isRestarting())
		return { code: 'not_ready', text: 'The kiosk is about to restart for an update; try again in some minutes.' };
	const why = wish.action === 'void' ? (givenBack(runner, wish.sale) ?? numberedAgain(runner, wish.sale)) : null;
	return why === null ? null : { code: 'not_possible', text: why };
}

/**
 * @returns a sentence for staff if a void by this sale's number would give back a newer charge
 * instead
 */
function numberedAgain({ deps }: CardRunner, { attempt_id }: CardSale): string | null {
	const newer = deps.journal.cards.numberedAgain(attempt_id);
	if (newer === null) return null;
	return (
		`the terminal has settled this sale and has given its number ${newer.response?.invoice} to a newer sale ` +
		`(Rp ${newer.amount}, ${newer.payment?.noinvoice ?? 'no invoice'}): a void would give the newer charge back. Ask the bank. Nothing was done`
	);
}

/**
 * @returns a sentence for staff if money of this charge was given back in cash, because a void
 * would give the money back twice
 */
function givenBack({ deps }: CardRunner, { state, payment, amount }: CardSale): string | null {
	if (state !== 'approved' || payment === null) return null;
	const held = deps.journal.money.ownMoney(paymentKey(payment));
	if (held >= amount) return null;
	const given = `money of ${payment.noinvoice} was given back already, and this kiosk holds Rp ${held} for it`;
	return `${given}: a void of Rp ${amount} would give more back. Nothing was done`;
}
