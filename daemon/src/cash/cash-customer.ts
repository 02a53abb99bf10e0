/** Opens the acceptor for a customer and closes it again. */

import type { Id } from '@kiosk/contract/back-office';
import type { CashCloseAnswer, OpenMachineAnswer } from '@kiosk/contract/kiosk-api';
import { type Rupiah, sumRupiah } from '@kiosk/contract/money';
import { sameId } from '@kiosk/contract/same-id';
import { SHORT_LOOK_UP_MS } from '../back-office/invoice-desk.ts';
import type { CurrentInvoice } from '../back-office/known-invoices.ts';
import { pause } from '../base/clock.ts';
import { type Balance, isPaidState } from '../journal/balance.ts';
import type { JournalNote } from '../journal/note-book.ts';
import { type Payment, paymentKey, samePayment } from '../journal/records.ts';
import { isClosed, logTrouble } from '../journal/trouble.ts';
import { paidBy } from './cash-books.ts';
import type { CashDeskDeps } from './cash-deps.ts';
import type { CashRunner } from './cash-effects.ts';
import { checkJournal } from './cash-journal.ts';
import { shownStateOf } from './cash-machine.ts';
import { machineText } from './cash-messages.ts';
import { inDoubtOf, isPaid, receivedOf, type Session } from './cash-state.ts';

/** Interval at which a stopping daemon checks whether the note in flight has an outcome. */
const IDLE_CHECK_MS = 50;

/**
 * Why the acceptor was not opened. `superseded`: a newer request or a close came first. `held`: a
 * card sale of the invoice blocks other payments (`CardDesk.isHolding`). `dispute`: staff must
 * check the invoice's money. `no_call`: the back office does not offer the API call that reports
 * notes.
 */
export type OpenRefusal = 'leaving' | 'restarting' | 'superseded' | 'held' | 'dispute' | 'no_call';

/** Cancels earlier requests to open. @returns the number of the new request */
export function announceWish(runner: CashRunner): number {
	runner.newestWish += 1;
	return runner.newestWish;
}

/**
 * Opens the acceptor for an invoice that was looked up.
 * @param wish number from `announceWish`
 * @param session the requesting screen's session
 */
export async function openMachine(
	runner: CashRunner,
	wish: number,
	invoice: CurrentInvoice,
	session: string,
): Promise<OpenMachineAnswer | OpenRefusal> {
	const { deps } = runner;
	const before = runner.state.session;
	if (before && (before.closing || !samePayment(before.payment, invoice.payment))) await runner.closeSession();
	// The invoice may have been looked up again while the previous session was closing.
	const current = deps.invoices.current();
	const newest = current && samePayment(current.payment, invoice.payment) ? current : invoice;
	const { payment } = newest;
	checkJournal(runner);
	if (runner.leaving) return 'leaving';
	if (deps.isRestarting()) return 'restarting';
	if (wish !== runner.newestWish) return 'superseded';
	const balance = deps.invoices.balanceOf(paymentKey(payment));
	const refusal = refusalOf(deps, payment, balance);
	if (refusal !== null) {
		// If the page was reloaded during a payment, it now shows the refusal instead of the cash page,
		// so its open session must end.
		runner.handle({ kind: 'close' });
		return refusal;
	}
	const kept = deps.invoices.keep(newest);
	if (!kept.ok) logTrouble(deps.log, kept.error);
	const { entries } = balance;
	const page = runner.page.session();
	const frozen = !runner.page.open(session, payment);
	runner.handle({
		kind: 'open',
		payment,
		entries,
		paid: paidBy(deps, payment, balance, runner.state.session),
		frozen,
		paid_id: deps.newId(),
	});
	// If another page had opened the acceptor, that page must show the acceptor as closed now, so the
	// acceptor's state is sent again.
	if (page !== null && page !== session) deps.notify(machineText(shownStateOf(runner.state, deps.policy)));
	if (!kept.ok) checkJournal(runner);
	resetFault(runner);
	return openAnswerOf(runner);
}

function refusalOf(deps: CashDeskDeps, payment: Payment, { state, due }: Balance): OpenRefusal | null {
	if (deps.isHeld(payment)) return 'held';
	if (state === 'dispute') return 'dispute';
	return due > 0 && deps.isCallUnknown() ? 'no_call' : null;
}

/**
 * Sends a reset if only a restart of the unit can clear its fault. The driver refuses the reset
 * while a note may be in transit.
 */
function resetFault({ state: { acceptor }, driver }: CashRunner): void {
	if (acceptor === 'bill_jam' || acceptor === 'motor_failure' || acceptor === 'sensor_problem') driver?.send('reset');
}

/**
 * @returns the answer for the screen. Called last, because opening the acceptor may reopen the
 * journal and change the entries
 */
function openAnswerOf({ state, deps }: CashRunner): OpenMachineAnswer {
	const { session } = state;
	const shown = shownStateOf(state, deps.policy);
	return {
		machine_ready: shown === 'ready',
		message: machineText(shown).ict_text,
		entries: [...(session?.entries ?? [])],
		is_paid: session !== null && isPaid(session),
	};
}

/**
 * Closes the session of this invoice and cancels requests to open; resolves when no note is in
 * flight.
 * @returns null if no session was open and the received amount is unknown: the journal is
 * unreadable, or the invoice is not the current one and the journal lacks money or the back
 * office's answer for it
 */
export async function closeMachine(runner: CashRunner, id: Id): Promise<CashCloseAnswer | null> {
	runner.newestWish += 1;
	const open = sessionOf(runner, id);
	await refreshIfCovered(runner, open);
	const session = sessionOf(runner, id) ? await runner.closeSession() : null;
	// The last note may have covered the invoice while the session ended.
	if (open?.paid !== 'covered') await refreshIfCovered(runner, session);
	const payment = session?.payment ?? runner.deps.invoices.findPayment(id);
	if (!payment) return null;
	if (session === null && isPaidButStale(runner, payment)) await runner.deps.invoices.refresh(payment, SHORT_LOOK_UP_MS);
	return closeAnswerOf(runner, payment, session);
}

/** @returns the open session if its invoice has this id, else null */
function sessionOf({ state: { session } }: CashRunner, id: Id): Session | null {
	return session && sameId(session.payment.id, id) ? session : null;
}

/**
 * Looks the invoice of a covered session up again, because its total may have grown. Then the
 * customer has paid only a part.
 */
async function refreshIfCovered({ deps }: CashRunner, session: Session | null): Promise<void> {
	if (session?.paid === 'covered') await deps.invoices.refresh(session.payment, SHORT_LOOK_UP_MS);
}

/** @returns what the customer has paid; null if it is unknown (see `closeMachine`) */
function closeAnswerOf(runner: CashRunner, payment: Payment, session: Session | null): CashCloseAnswer | null {
	const { journal, invoices } = runner.deps;
	const current = invoices.current()?.payment;
	const isLookedUp = current !== undefined && samePayment(current, payment);
	const key = paymentKey(payment);
	const { state, entries, received } = invoices.balanceOf(key);
	// An unreadable journal looks empty, and after a log-out the back office's answers are no longer
	// known. In both cases the answer comes from the session, which contains the entries that the
	// customer has seen.
	const isUnreadable = isClosed(journal.trouble());
	if (isUnreadable || (session && !isLookedUp)) return session && seenIn(session);
	// The journal may lack the back office's answer, for example after a restart on a full disk. Then
	// payments made elsewhere are unknown.
	if (!isLookedUp && !(journal.money.hasMoneyOf(key) && journal.money.viewOf(key))) return null;
	return {
		entries,
		received,
		is_paid: isPaidState(state),
		in_doubt: session ? inDoubtOf(session) : sumInDoubt(journal.notesOf(key)),
	};
}

/** @returns the sum of the notes in doubt whose value is known, rupiah */
const sumInDoubt = (notes: readonly JournalNote[]): Rupiah =>
	sumRupiah(notes.flatMap(({ state, nominal }) => (state === 'in_doubt' && nominal !== null ? [nominal] : [])));

/** @returns whether the books show this payment as paid and its last look-up is not fresh */
const isPaidButStale = ({ deps: { invoices } }: CashRunner, payment: Payment): boolean =>
	isPaidState(invoices.balanceOf(paymentKey(payment)).state) && !invoices.isFresh(payment);

/** @returns what the customer has seen in this session */
const seenIn = (session: Session): CashCloseAnswer => ({
	entries: [...session.entries],
	received: receivedOf(session.entries),
	is_paid: isPaid(session),
	in_doubt: inDoubtOf(session),
});

/** Closes the open session, for example when its screen is gone, and cancels requests to open. */
export function closeUnattended(runner: CashRunner): void {
	runner.newestWish += 1;
	runner.handle({ kind: 'close' });
}

/**
 * Closes the open session if a card sale of its invoice blocks other payments now. A session whose
 * invoice is covered or paid takes no further note, so it ends as usual.
 */
export function endIfHeld(runner: CashRunner): void {
	const { session } = runner.state;
	if (session?.paid === 'no' && !session.closing && runner.deps.isHeld(session.payment)) runner.handle({ kind: 'close' });
}

/**
 * Ends the open session and allows no new one. Resolves when no note is between its escrow and its
 * outcome.
 */
export async function leave(runner: CashRunner): Promise<void> {
	runner.leaving = true;
	closeUnattended(runner);
	while (runner.state.note) await pause(runner.deps.clock, IDLE_CHECK_MS);
}
