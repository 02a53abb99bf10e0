/** Updates the open session when the invoice's total or received money changes. */
import { type Balance, isPaidState } from '../journal/balance.ts';
import { type Payment, paymentKey, samePayment } from '../journal/records.ts';
import { isClosed } from '../journal/trouble.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { CashDeskDeps } from './cash-deps.ts';
import type { CashRunner } from './cash-effects.ts';
import { greetingOf } from './cash-messages.ts';
import { isPaid, receivedOf, type Session } from './cash-state.ts';

/**
 * Called when an invoice has changed: its open session gets the new total and money. The session
 * ends if the invoice is in dispute, or if an amount is due and a card sale holds the invoice.
 */
export function onInvoiceChanged(runner: CashRunner, payment: Payment, balance: Balance): void {
	const { session } = runner.state;
	if (!session || session.closing || !samePayment(session.payment, payment)) return;
	if (isStopped(runner, payment, balance)) return runner.handle({ kind: 'close' });
	const before = session.payment.total;
	const changed = before !== payment.total || receivedOf(session.entries) !== balance.received;
	if (before !== payment.total) runner.deps.log.event('invoice.total_changed', { ...aboutPayment(payment), before, total: payment.total });
	if (changed || (isPaid(session) && balance.due > 0)) reopen(runner, payment, balance, session);
}

/**
 * Reads the session's money from the journal again. A session that was opened while the journal was
 * unreadable lacks the earlier payments, and ends if its invoice is in dispute or held.
 * @param before the session before the waiting records were written. The screen has already got the
 * notes that were credited since
 */
export function reloadBooks(runner: CashRunner, session: Session, before: Session | null): void {
	const { payment, entries } = session;
	const balance = runner.deps.invoices.balanceOf(paymentKey(payment));
	if (isStopped(runner, payment, balance)) return runner.handle({ kind: 'close' });
	const known = new Set(before?.entries.map(({ note_id }) => note_id));
	const told = new Set(entries.flatMap(({ note_id }) => (note_id === null || known.has(note_id) ? [] : [note_id])));
	// While the journal was unreadable, the session could not see an earlier declaration.
	reopen(runner, payment, balance, null, told);
}

/** @returns whether the invoice takes no money now, so that its session must end */
const isStopped = ({ deps }: CashRunner, payment: Payment, { state, due }: Balance): boolean =>
	state === 'dispute' || (due > 0 && deps.isHeld(payment));

/**
 * Reopens the session with its current total and money.
 * @param session as for `paidBy`
 * @param told ids of notes about which the screen needs no message
 */
function reopen(
	runner: CashRunner,
	payment: Payment,
	balance: Balance,
	session: Session | null,
	told: ReadonlySet<string> = new Set(),
): void {
	const { deps } = runner;
	runner.handle({
		kind: 'open',
		payment,
		entries: balance.entries,
		paid: paidBy(deps, payment, balance, session),
		paid_id: deps.newId(),
	});
	for (const text of greetingOf(runner.state.session))
		if (text.type !== 'payment_cash_notification' || !told.has(text.note_id)) deps.notify(text);
}

/**
 * @param session the open session, which may be of another invoice; null: it knows no declaration
 * @returns the party that declared this invoice paid at its present total, or null. Also null while
 * the journal is closed, because a dispute cannot be seen then
 */
export function paidBy(
	{ journal, invoices }: CashDeskDeps,
	payment: Payment,
	balance: Balance,
	session: Session | null,
): 'back_office' | 'kiosk' | null {
	if (!isPaidState(balance.state) || isClosed(journal.trouble())) return null;
	const current = invoices.current();
	const view = current && samePayment(current.payment, payment) ? current.view : journal.money.viewOf(paymentKey(payment));
	if (view?.is_paid) return 'back_office';
	// The declaration in the journal may be for an earlier, smaller total. A session that takes notes
	// shows that the present total was not declared paid.
	const isTaking = session !== null && samePayment(session.payment, payment) && !isPaid(session);
	return isTaking ? null : journal.money.toldPaid(paymentKey(payment));
}
