/**
 * Starts a customer's sale, gives a connecting screen the messages about the newest sale, and
 * decides whether a sale blocks other payments.
 */

import type { EdcStart, LiveText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { pause } from '../base/clock.ts';
import type { CardSale } from '../journal/card-book.ts';
import { type Payment, paymentKey, sameInvoice } from '../journal/records.ts';
import type { CardRunner } from './card-effects.ts';
import { isAskedFor, refusalOfBooks } from './card-guards.ts';
import { greetingOf } from './card-messages.ts';
import { type KeptWord, type Known, phaseOf, type Sale } from './card-state.ts';
import { subjectOf } from './card-unwritten.ts';

/**
 * How long the daemon waits for an open sale when it stops. systemd kills the daemon after 90 s.
 */
const STOP_WAIT_MS = 30_000;
/** Interval at which a stopping daemon checks whether the sale has ended. */
const IDLE_CHECK_MS = 50;

/**
 * Handles the screen's request for a sale: the sale starts, or the screen gets the reason of the
 * refusal.
 */
export function startSale(runner: CardRunner, asked: EdcStart['data']): void {
	runner.checkJournal();
	const { deps } = runner;
	const { journal, invoices } = deps;
	const current = invoices.current();
	const invoice = current && isAskedFor(asked, current.info.results) ? current : null;
	const nothing: Payment = { account: null, id: asked.id ?? '', odoo_id: null, noinvoice: '', total: rupiah(0) };
	const payment = invoice?.payment ?? nothing;
	const key = paymentKey(payment);
	const tried = journal.cards.ofPayment(key);
	const books = invoice && { balance: invoices.balanceOf(key), hasOpenNote: journal.hasOpenNote(payment) };
	const method = asked.method ?? 'card';
	const sale: Sale = {
		attempt_id: deps.newId(),
		payment,
		amount: asked.amount,
		method,
		attempt: tried.length + 1,
		time: runner.now(),
	};
	const unable = runner.leaving || (method === 'qris' && !deps.qris) ? 'not_ready' : deps.isRestarting() ? 'restarting' : null;
	const refusal = unable ?? refusalOfBooks(asked.amount, books);
	if (invoice && refusal === null) {
		deps.closeCash();
		invoices.keep(invoice);
	}
	const before = tried.findLast((one) => isNotOver(one, books?.balance.due ?? 0)) ?? null;
	runner.handle({ kind: 'start', sale, refusal, before });
}

/**
 * @param due rupiah due now; if more than 0, an earlier approval does not stop a new sale
 * @returns whether this sale has paid the invoice or may have paid it
 */
const isNotOver = ({ state }: CardSale, due: number): boolean =>
	phaseOf(state) !== 'declined' && !(phaseOf(state) === 'approved' && due > 0);

/**
 * The invoice of an approved sale may have grown since its last look-up. If that look-up is not
 * recent, the kiosk looks the invoice up again. This function then returns no message, and all
 * screens get the messages after the new look-up.
 * @returns the messages about the newest sale that a screen may have missed
 */
export function missedTexts(runner: CardRunner): LiveText[] {
	const { last } = runner.state;
	if (!last) return [];
	const texts = textsFor(runner, last);
	const { payment } = last.sale;
	if (texts.length === 0 || last.phase !== 'approved') return texts;
	if (runner.screen.isLookingUp(payment)) return [];
	if (runner.screen.isLookedUp(payment)) return texts;
	runner.screen.tellInOrder(payment, () => {
		// A void or a later answer may have made the sale unknown meanwhile.
		const now = runner.state.last;
		if (now?.sale.attempt_id !== last.sale.attempt_id) return;
		for (const text of textsFor(runner, now)) runner.deps.notify(text, payment);
	});
	return [];
}

/**
 * @returns the messages about this sale for a connecting screen. A declined sale causes none,
 * because a screen that missed the decline can start again. The same applies to a sale that no
 * longer pays its invoice, or belongs to another outlet or to an earlier invoice with the same id
 */
function textsFor(runner: CardRunner, known: Known): LiveText[] {
	const { phase, sale } = known;
	if (phase === 'declined' || !runner.deps.invoices.isMeant(sale.payment)) return [];
	// A report that is not written yet may end the approval, for example a late answer to a void.
	if (phase === 'approved' && runner.state.unwritten.some((word) => saleOf(runner, word)?.attempt_id === sale.attempt_id)) return [];
	const { paid, total } = runner.screen.coveredBy(sale.payment);
	return phase !== 'approved' || paid ? greetingOf(known, total) : [];
}

/**
 * @returns whether this invoice's card sale is open, unknown or being voided, or a report of the
 * terminal about it is not in the journal yet
 */
export function isHolding(runner: CardRunner, payment: Payment): boolean {
	const { deps, state } = runner;
	const { open, last, unresolved, unwritten } = state;
	if (open?.kind === 'sale' && sameInvoice(open.sale.payment, payment)) return true;
	const voided = open?.kind === 'staff' && open.ask.action === 'void' ? open.ask.sale.payment : null;
	if (voided && sameInvoice(voided, payment)) return true;
	if (last?.phase === 'unknown' && sameInvoice(last.sale.payment, payment)) return true;
	// A report that is not written yet may make its sale unknown later, for example if the report
	// shows a charge of a declined sale.
	const told = unwritten.map((word) => subjectOf(state, word));
	// While the journal is closed, no sale can be found in it, but the newest sale is known here.
	if (last && told.includes(last.sale.attempt_id) && sameInvoice(last.sale.payment, payment)) return true;
	// A void whose end could not be written is still open in the journal.
	if (deps.journal.cards.isVoiding(paymentKey(payment))) return true;
	const held = [...unresolved, ...unwritten.map((word) => saleOf(runner, word))];
	return held.some((sale) => sale?.payment && sameInvoice(sale.payment, payment));
}

/** @returns the sale that an unwritten report may concern; null if unknown */
function saleOf({ deps, state }: CardRunner, word: KeptWord): CardSale | null {
	const { cards } = deps.journal;
	const id = subjectOf(state, word);
	const named = id === null ? null : (cards.sale(id) ?? cards.ofVoid(id));
	return named ?? (word.record ? null : cards.voidedBy(word.response));
}

/**
 * Prevents further requests to the terminal. Resolves when no sale is open or STOP_WAIT_MS is over.
 */
export async function leave(runner: CardRunner): Promise<void> {
	const { clock } = runner.deps;
	runner.leaving = true;
	const limit = clock.now() + STOP_WAIT_MS;
	while (runner.state.open?.kind === 'sale' && clock.now() < limit) await pause(clock, IDLE_CHECK_MS);
}
