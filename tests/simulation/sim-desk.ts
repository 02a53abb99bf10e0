/** Sends the requests of page, technician and staff to the simulated kiosk. */

import { InvoiceInfo, type Invoice as LookedUpInvoice } from '@kiosk/contract/back-office';
import { type Rupiah, rupiah } from '@kiosk/contract/money';
import { sameId } from '@kiosk/contract/same-id';
import * as v from 'valibot';
import { formDataOf, ownHeaders } from '../../daemon/src/back-office/client.ts';
import { outbox, toSettle } from '../../daemon/src/health/money-checks.ts';
import type { HealthState } from '../../daemon/src/health/report.ts';
import { type WaitingAge, waitingAge } from '../../daemon/src/health/waiting-age.ts';
import { type Payment, type PaymentKey, paymentKey, sameAccount } from '../../daemon/src/journal/records.ts';
import type { Kiosk } from '../../daemon/src/kiosk.ts';
import { askedInvoice, isAsked } from '../../daemon/src/screen/asked-invoice.ts';
import { withBalance } from '../../daemon/src/screen/look-up-answer.ts';
import { giveBack as recordGiveBack } from '../../daemon/src/staff/give-back.ts';
import { type Invoice, sumOf } from '../simulators/back-office/invoice.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { judge } from './sim-oracle.ts';
import type { SimOutlet } from './sim-outlet.ts';

export const CASH_PAGE = '/cash-payment';
const DECISION = { by: 'Sari', why: 'checked the cashbox and the slips' };

/**
 * The screen looks an invoice up by its number. Checks the amounts that the answer shows.
 * @returns the invoice; null without an answer, or if the answer cannot be used
 */
export async function lookUp(world: SimKiosk, { noinvoice }: Pick<Invoice, 'noinvoice'>): Promise<LookedUpInvoice | null> {
	const { kiosk, token } = world;
	const account = token?.current()?.account;
	if (!kiosk || !account) return null;
	const asked = await during(world, kiosk.invoices.ask());
	const session = token.current();
	if (asked === null || world.kiosk !== kiosk || !session || !sameAccount(session.account, account)) return null;
	const { body, contentType } = formDataOf({ noinvoice });
	const headers = { ...ownHeaders(session.token.reveal(), { csrf_cookie: 'c', csrf_header: 'X-C' }), 'Content-Type': contentType };
	const sent = world.call({ method: 'POST', path: '/payment/api/v1/get-invoice-info/', headers, body });
	// The kiosk must process the answer on arrival. If the journal opened again before that, the
	// kiosk would judge the answer differently.
	const learning = sent.then((answer) => {
		if (!answer.ok || answer.value.status >= 300 || world.kiosk !== kiosk) return null;
		const info = infoIn(answer.value.body);
		const said = info && kiosk.invoices.learn(noinvoice, asked, info);
		if (!info || said?.code !== 'learned' || said.balance.state === 'dispute') return null;
		const told = infoIn(withBalance(answer.value.body, info, said.balance, []))?.results ?? info.results;
		const meant = world.invoiceOf(told);
		world.screen.shows = meant;
		if (meant) judge(world, meant, { where: 'the look-up', received: sumOf(told.list_pembayaran ?? []), is_paid: told.is_paid });
		return told;
	});
	return during(world, learning);
}

function infoIn(body: Buffer) {
	try {
		const info = v.safeParse(InvoiceInfo, JSON.parse(body.toString('utf8')));
		return info.success ? info.output : null;
	} catch {
		return null;
	}
}

/**
 * What a page sends to open the acceptor: the invoice's id and number. Simulated customers enter
 * this number instead of a phone number.
 */
export type Asked = Pick<LookedUpInvoice, 'id' | 'noinvoice'>;

/**
 * The page at `/cash-payment` opens the acceptor.
 * @returns whether the acceptor is ready and whether the invoice is paid; null without an answer or
 * if the kiosk refuses
 */
export async function openCash(world: SimKiosk, asked: Asked): Promise<{ ready: boolean; is_paid: boolean } | null> {
	const { kiosk, screen } = world;
	if (kiosk === null) return null;
	const meant = world.invoiceOf(asked);
	screen.route = CASH_PAGE;
	screen.visit = asked.id;
	world.browser.report();
	world.opener = { session: screen.session, invoice: meant, at: world.clock.now() };
	const opening = openNow(world, kiosk, asked).then((answer) => {
		// A process that died meanwhile gives no answer.
		if (meant && typeof answer !== 'string' && world.kiosk === kiosk)
			judge(world, meant, { where: 'the open machine', received: sumOf(answer.entries), is_paid: answer.is_paid });
		return answer;
	});
	const answer = await during(world, opening);
	return answer === null || typeof answer === 'string' ? null : { ready: answer.machine_ready, is_paid: answer.is_paid };
}

/** Does the same as the daemon's handler of `open-machine`. */
async function openNow(world: SimKiosk, kiosk: Kiosk, asked: Asked & { total?: number }) {
	const session = world.token?.current();
	if (!session || session.refused) return 'not_logged_in';
	const wish = kiosk.cash.announce();
	const request = { ...asked, hp: asked.noinvoice, total: world.screen.says ?? asked.total };
	const invoice = await askedInvoice(kiosk.invoices, request, async (wanted) => {
		const found = await kiosk.invoices.lookUp(wanted.hp);
		return isAsked(found, wanted) ? found : null;
	});
	if (!invoice) return 'no_invoice';
	return kiosk.cash.open(wish, invoice, world.screen.session);
}

/** The page closes the cash session. */
export async function closeCash(world: SimKiosk, id: LookedUpInvoice['id']): Promise<void> {
	const meant = world.screen.shows && sameId(world.screen.shows.id, id) ? world.screen.shows : null;
	const { kiosk } = world;
	const askedAt = world.clock.now();
	const closing = kiosk?.cash.close(id).then((answer) => {
		// A process that died meanwhile gives no answer.
		if (answer === null || !meant || world.kiosk !== kiosk) return;
		const { received, in_doubt: inDoubt, is_paid } = answer;
		judge(world, meant, { where: 'the closed acceptor', received, inDoubt, is_paid, askedAt, repeats: true });
	});
	if (closing) await during(world, closing);
	leavePage(world);
}

/** The page returns to the home screen. */
export function leavePage(world: SimKiosk): void {
	world.screen.route = '/';
	world.screen.visit = null;
	world.screen.shows = null;
	world.opener = null;
	world.browser.report();
}

/** A browser sends its heartbeat. */
export function drawn(world: SimKiosk, screen: { session: string; route: string; visit: LookedUpInvoice['id'] | null }): void {
	world.browser.reported(screen);
	world.kiosk?.cash.onDrawn({ session: screen.session, screen: screen.route, id: screen.visit });
}

/** The page asks the kiosk for a card sale. */
export function startCard(world: SimKiosk, detail: LookedUpInvoice, amount: Rupiah = rupiah(detail.total)): void {
	world.cardWishes.push({ noinvoice: detail.noinvoice, invoice: world.invoiceOf(detail) });
	const data = { amount, id: detail.id, odoo_id: detail.odoo_id ?? null, noinvoice: detail.noinvoice };
	world.screen.say({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data } });
}

/** The customer asks for a receipt; the page sends only the invoice's id. */
export function printReceipt(world: SimKiosk, { id }: Pick<Invoice, 'id'>): void {
	const { kiosk } = world;
	void kiosk?.receipts.freshen(id).then(() => {
		const made = world.kiosk === kiosk ? kiosk.receipts.ofInvoice(id) : null;
		if (made?.ok) kiosk.printDesk?.print(made.value.of, made.value.receipt, made.value);
	});
}

/**
 * Staff log out. The kiosk sends no reports until the next log-in. If the kiosk dies while it
 * closes the acceptor, the outlet stays logged in.
 */
export function logOut(world: SimKiosk): void {
	world.kiosk?.cash.closeUnattended();
	world.loggedIn &&= world.token === null;
	world.token?.forget();
	leavePage(world);
}

/** Staff log in; the outlet must be on the configured server. */
export function logIn(world: SimKiosk, outlet: SimOutlet): void {
	world.truth.hasMoved ||= world.office.at !== outlet;
	world.office.at = outlet;
	world.token?.keep(outlet.token, { outlet: outlet.name, development: outlet.development });
	world.loggedIn = world.token !== null;
}

/**
 * Staff give back the money that the kiosk holds for an invoice, and record this.
 * @returns the amount in rupiah, or 0
 */
export function giveBack(world: SimKiosk, invoice: Invoice): number {
	const { kiosk, journal } = world;
	const found = journal?.cashbox.partials().find(({ payment }) => payment.noinvoice === invoice.noinvoice && isOf(world, payment, invoice));
	if (!kiosk || !journal || !found || kiosk.cash.paying() === paymentKey(found.payment)) return 0;
	const payment_id = paymentKey(found.payment);
	const amount = journal.money.ownMoney(payment_id);
	if (amount === 0) return 0;
	const now = (): string => world.clock.wall().toISOString();
	// `kioskctl` prints no slip here.
	const deps = { journal, cash: kiosk.cash, slips: { givenBack: () => {} }, newId: () => world.newId(), now, log: { event: () => {} } };
	return recordGiveBack(deps, found.payment, amount, DECISION).ok ? amount : 0;
}

/**
 * @returns whether the payment in the books is for this invoice, and not for another outlet's
 * invoice with the same id and number
 */
export const isOf = (world: SimKiosk, payment: Pick<Payment, 'account' | 'id' | 'noinvoice'>, invoice: Invoice): boolean =>
	paymentKey(payment) === keyOf(world, invoice);

/** @returns the key of the invoice's payment in the kiosk's books */
export function keyOf(world: SimKiosk, invoice: Invoice): PaymentKey {
	const { server, name, development } = world.office.outletOf(invoice);
	return paymentKey({ ...invoice, account: { server, outlet: name, development } });
}

/** @returns whether staff see the invoice as disputed */
export const isDisputed = (world: SimKiosk, invoice: Invoice): boolean =>
	(world.journal?.money.attention() ?? []).some(({ state, payment }) => state === 'dispute' && isOf(world, payment, invoice));

/** @returns whether staff see the invoice as paid twice or disputed */
export const isListedTwice = (world: SimKiosk, invoice: Invoice): boolean =>
	(world.journal?.money.attention() ?? []).some(({ state, payment }) => state !== 'partial' && isOf(world, payment, invoice));

/**
 * Time after which health warns of waiting money, ms; shorter than the default, because the runs
 * are short.
 */
export const WAITING_LIMIT_MS = 5 * 60_000;
const agesOf = new WeakMap<Kiosk, WaitingAge>();

/**
 * @returns the names of the parts of health that concern money and are not OK; null if the kiosk is
 * stopped
 */
export function moneyWarnings(world: SimKiosk): string[] | null {
	const { kiosk, journal, token } = world;
	if (!kiosk || !journal || !token) return null;
	const age = agesOf.get(kiosk) ?? waitingAge(world.clock.ofProcess(() => true));
	agesOf.set(kiosk, age);
	const parts = {
		journal,
		cash: kiosk.cash,
		outbox: kiosk.outbox,
		token,
		unconfirmedSettings: () => [],
		waitingLimitMs: WAITING_LIMIT_MS,
		ages: { notes: age, approvals: age },
	} as unknown as HealthState;
	return [...toSettle(parts), outbox(parts)].flatMap(({ part, state }) => (state === 'ok' ? [] : [part]));
}

/**
 * Runs the world until the promise settles.
 * @returns its value; null if the process dies first or 120 s pass
 */
export async function during<T>(world: SimKiosk, promise: Promise<T>): Promise<T | null> {
	let kept: { value: T } | null = null;
	void promise.then((value) => {
		kept = { value };
	});
	const starts = world.starts;
	for (let waited = 0; waited < 120_000; waited += 50) {
		await world.run(50);
		// A dead process does not answer.
		if (world.kiosk === null || world.starts !== starts) return null;
		if (kept !== null) return (kept as { value: T }).value;
	}
	return null;
}
