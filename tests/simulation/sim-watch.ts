import type { LiveText } from '@kiosk/contract/live';
import { isSameInvoice, sameId } from '@kiosk/contract/same-id';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import { CASH_PAGE, keyOf } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { judge, newestSaysPaid } from './sim-oracle.ts';

const ACCEPT = 0x02;
const ENABLE = 0x3e;
const INHIBIT = 0x5e;
/** A browser's report of another page is ignored until the report is this old, ms. */
const ELSEWHERE_MS = 2_500;
/**
 * An echo test moves no money, so it is not checked. The type of a request follows STX, length and
 * version.
 */
const ECHO = '17';
const TYPE_AT = 4;
/** A request to the terminal has more bytes than this; a control character has fewer. */
const CONTROL_BYTES = 100;

/** Checks that a shown credit or card approval is on disk, and that a shown LUNAS is true. */
export function watchScreen(world: SimKiosk, text: LiveText): void {
	if (text.type === 'payment_cash_notification') {
		const [note] = world.rows('SELECT state FROM notes WHERE note_id = ?', text.note_id);
		if (note?.state !== 'credited') world.violated(`a shown note is ${String(note?.state)} on disk`);
		checkCreditsAgainstCashbox(world, text.nominal);
	}
	if (text.type === 'payment_edc_bca_notification' && text.data.respCode === '00' && text.data.attempt_id !== undefined) {
		const [sale] = world.rows('SELECT state FROM card_sales WHERE attempt_id = ?', text.data.attempt_id);
		if (sale?.state !== 'approved') world.violated(`a card payment shown as approved is ${String(sale?.state)} on disk`);
	}
	const invoice = world.screen.shows;
	if (!invoice || !isLunasFor(invoice, text)) return;
	checkNoDispute(world, invoice);
	const { shownPaid } = world.truth;
	judge(world, invoice, { where: 'the screen', received: null, is_paid: true, repeats: shownPaid.has(invoice) });
	shownPaid.add(invoice);
}

/**
 * I14: while the kiosk itself lists an invoice as a dispute, a "paid" from the back office must not
 * make the screen show LUNAS. Without "paid", `judge` compares the received amounts.
 */
function checkNoDispute(world: SimKiosk, invoice: Invoice): void {
	if (!newestSaysPaid(world, invoice)) return;
	const balance = world.kiosk?.invoices.balanceOf(keyOf(world, invoice));
	if (balance?.state === 'dispute')
		world.violated(`I14: a message shows LUNAS for a dispute of invoice ${invoice.noinvoice}: ${balance.why}`);
}

/**
 * @returns whether the screen now shows this invoice as paid. An approval pays the invoice unless
 * the message contains `paid: false`.
 */
function isLunasFor(invoice: Invoice, text: LiveText): boolean {
	if (text.type === 'payment_notification') return text.is_paid && isSameInvoice(text, invoice);
	if (text.type === 'kiosk_edc_sale') return text.phase === 'approved' && text.paid !== false && isSameInvoice(text, invoice);
	return isPaidApproval(text) && String(text.data.id) === String(invoice.id);
}

type Approval = Extract<LiveText, { type: 'payment_edc_bca_notification' }>;

/**
 * @returns whether the message is an approval that pays its invoice; an approval does not pay an
 * invoice that has grown meanwhile
 */
export const isPaidApproval = (text: LiveText): text is Approval =>
	text.type === 'payment_edc_bca_notification' && text.data.respCode === '00' && text.paid !== false;

/**
 * When the kiosk accepts a note, checks that the note's intent is on disk and that the kiosk may
 * take notes.
 */
export function watchAcceptor(world: SimKiosk, bytes: Uint8Array): void {
	for (const byte of bytes) if (byte === ENABLE || byte === INHIBIT) world.isEnabled = byte === ENABLE;
	const note = world.acceptor.note;
	if (!bytes.includes(ACCEPT) || note?.place !== 'escrow') return;
	const [open] = world.rows(`SELECT nominal FROM notes WHERE state = 'intended' AND nominal = ${note.nominal}`);
	if (open === undefined) world.violated(`a note of ${note.nominal} is accepted without an intent on disk`);
	const reason = blindReason(world) ?? closedReason(world);
	if (reason !== null) return world.violated(`I16: a note of ${note.nominal} is accepted although ${reason}`);
	// A passer-by inserted the note while the acceptor was still open for the page. The page's
	// invoice gets the note.
	if (world.truth.inside === null && world.opener) world.truth.fed(world.opener.invoice);
}

/**
 * I16: notes are taken only while the browser that opened the acceptor shows the cash page of the
 * invoice.
 * @returns why notes must not be taken, or null
 */
function blindReason(world: SimKiosk): string | null {
	const { opener } = world;
	if (opener === null) return 'no page has the acceptor open';
	const report = world.browser.lastReport(opener.session);
	const since = Math.max(opener.at, report?.at ?? 0);
	if (world.clock.now() - since > world.frozenMs) return 'its browser draws no frames';
	if (report === null || report.at < opener.at) return null;
	// While pages change, the old and the new page may both report.
	if (world.clock.now() - report.at < ELSEWHERE_MS) return null;
	if (report.route !== CASH_PAGE) return `its page is ${report.route}`;
	return opener.invoice === null || sameId(report.visit, opener.invoice.id) ? null : 'its page shows another invoice';
}

/**
 * I21: when a kiosk stops, it closes its acceptor, unless a note or a lost line delays the command.
 * @returns the check to run when the kiosk has stopped
 */
export function watchStop(world: SimKiosk): () => void {
	const { acceptorLine } = world;
	const { isHeard } = acceptorLine;
	return () => {
		// The kiosk itself closes the port when it stops.
		const isHeardToTheEnd = isHeard && acceptorLine.heardUntil === world.clock.now();
		if (isHeardToTheEnd && world.isEnabled && acceptorLine.plugged && world.acceptor.note === null)
			world.violated('I21: the kiosk has stopped, but its acceptor still takes notes');
	};
}

/** Time within which a report of the acceptor must be recorded in the journal, ms. */
const RECORDED_MS = 2_000;

/**
 * I24: if an undisturbed acceptor reports a removal of the cashbox, or its return, the journal
 * contains a record of it. Call this function just before the cashbox moves.
 */
export function watchBox(world: SimKiosk, moves: 'cashbox_removed' | 'cashbox_returned'): void {
	const { kiosk, acceptor, acceptorLine } = world;
	const newest = () =>
		world.rows(`SELECT seq, kind FROM records WHERE kind IN ('cashbox_removed', 'cashbox_returned') ORDER BY seq DESC LIMIT 1`)[0];
	if (kiosk === null || !acceptorLine.isHeard || acceptor.power !== 'running') return;
	// During another fault the unit does not report the return of the cashbox.
	if (moves === 'cashbox_returned' && acceptor.fault !== null) return;
	const before = newest();
	const isExpected = moves === 'cashbox_removed' ? before?.kind !== 'cashbox_removed' : before?.kind === 'cashbox_removed';
	if (!isExpected || ['garbled', 'silent'].includes(kiosk.cash.acceptorState())) return;
	world.clock.after(RECORDED_MS, () => {
		const isDisturbed =
			!acceptorLine.isHeard || acceptor.power !== 'running' || acceptor.fault !== null || kiosk.cash.acceptorState() === 'garbled';
		if (world.kiosk !== kiosk || isDisturbed || world.journal?.trouble() !== null || kiosk.cash.unwritten().length > 0) return;
		// The cashbox was removed again before the unit answered a poll.
		if (moves === 'cashbox_returned' && acceptor.cashboxOut) return;
		if (newest()?.seq === before?.seq) world.violated(`I24: the journal lacks a record ${moves}`);
	});
}

/** I24: the journal contains at most as many removals of the cashbox as happened. */
export function checkRemovals(world: SimKiosk): void {
	const [row] = world.rows(`SELECT count(*) AS recorded FROM records WHERE kind = 'cashbox_removed'`);
	const [recorded, happened] = [Number(row?.recorded), world.acceptor.removals];
	if (recorded > happened) world.violated(`I24: the journal has ${recorded} removals of the cashbox, but ${happened} happened`);
}

/** I23: a cash session ends after its page was left. An open session would delay restarts. */
export function checkNoSessionLeft(world: SimKiosk): void {
	if (world.kiosk?.cash.isOpen()) world.violated('I23: a cash session is open, but no page shows it');
}

/** The outbox begins an attempt within this time after the live socket opens, ms. */
const WOKEN_MS = 1_000;

/** I22: when the live socket has opened, a waiting note is sent at once, not at the next retry. */
export function watchOutbox(world: SimKiosk): void {
	const { kiosk, attempts } = world;
	const waiting = (): string | null => {
		const session = world.token?.current();
		return (session && world.journal?.nextUpload(session.account)?.note_id) ?? null;
	};
	const before = waiting();
	if (kiosk === null || before === null) return;
	world.clock.after(WOKEN_MS, () => {
		if (world.kiosk !== kiosk || !kiosk.link.isConnected() || kiosk.outbox.isSending()) return;
		if (waiting() === before && world.attempts === attempts)
			world.violated('I22: the live socket is open again, but a waiting note is not sent');
	});
}

/**
 * Checks that each request to the terminal is already on disk, checks I15, and records the invoice
 * for which the terminal charges.
 */
export function watchTerminal(world: SimKiosk, bytes: Uint8Array): void {
	if (bytes.length <= CONTROL_BYTES || Buffer.from(bytes).toString('latin1', TYPE_AT, TYPE_AT + 2) === ECHO) return;
	const [sale] = world.rows(`SELECT attempt_id, payment ->> 'noinvoice' AS noinvoice FROM card_sales WHERE state = 'sent'`);
	if (sale) {
		const wish = world.cardWishes.findLast(({ noinvoice }) => noinvoice === sale.noinvoice);
		if (!wish) world.violated(`a card sale begins for ${String(sale.noinvoice)}, for which no customer asked`);
		else world.cardFor = wish.invoice;
	}
	const { cardFor } = world;
	// While the terminal waits for a card, it ignores the next request.
	if (world.terminal.waiting === null) world.truth.charges(cardFor, sale === undefined ? null : String(sale.attempt_id));
	const toldPaidAt = (cardFor && world.truth.toldPaidElsewhere.get(cardFor)) ?? Number.POSITIVE_INFINITY;
	// "Unpaid" after "paid" means that the payment was reversed.
	if (cardFor && toldPaidAt < world.saleBeganAt && world.terminal.waiting === null && isForSale(world) && newestSaysPaid(world, cardFor))
		world.violated(`I15: a card sale begins for invoice ${cardFor.noinvoice}, which the server has reported paid`);
	if (world.rows(`SELECT 1 FROM card_sales WHERE state IN ('sent', 'unknown')`).length > 0) return;
	if (world.rows(`SELECT 1 FROM card_actions WHERE state = 'asked'`).length > 0) return;
	world.violated('a request reaches the terminal before it is on disk');
}

/**
 * I20: the daemon grants a restart for an update only while no money moves. A sale of an earlier
 * run does not count, because it is already unknown in the journal.
 */
export function watchRestart(world: SimKiosk): void {
	const { note } = world.acceptor;
	const { waiting } = world.terminal;
	// This runs at every step of the clock, so the cheap conditions come first and the queries of the
	// journal last.
	const isMoving = note?.place === 'stacking' || (waiting !== null && world.saleBeganAt > world.startedAt);
	if (!isMoving || world.kiosk === null || world.kiosk.restart.reasons('person').length > 0) return;
	// If a cleared jam pushes an unaccepted note into the box, the kiosk cannot know of this note.
	if (note?.place === 'stacking' && isAccepted(world, note.nominal))
		world.violated(`I20: a restart would be granted while a note of ${note.nominal} moves into the cashbox`);
	if (waiting !== null && world.saleBeganAt > world.startedAt && isSaleOpen(world))
		world.violated(`I20: a restart would be granted while the terminal waits for the card of a ${waiting.type}`);
}

/** @returns whether the kiosk still waits for the sale; staff may have settled it */
const isSaleOpen = (world: SimKiosk): boolean =>
	world.staff.acts.length === 0 ||
	world.rows(`SELECT 1 FROM card_sales WHERE state IN ('sent', 'unknown') AND amount = ${world.terminal.waiting?.amount}`).length > 0;

/**
 * @returns whether this run accepted the note and the note's record is still open. Earlier runs'
 * notes in doubt delay no restart.
 */
const isAccepted = (world: SimKiosk, nominal: number): boolean =>
	world.staff.newestAcceptedAt > world.startedAt &&
	world.rows(`SELECT 1 FROM notes WHERE ${openState(world)} AND nominal = ${nominal}`).length > 0;

/**
 * @returns the SQL condition for notes that may still move. Without its adapter the acceptor can
 * report nothing about a note in doubt.
 */
const openState = (world: SimKiosk): string => (world.acceptorLine.plugged ? `state IN ('intended', 'in_doubt')` : `state = 'intended'`);

/**
 * @returns a reason, known to the kiosk, why the kiosk must not take money; null if there is no
 * reason
 */
function closedReason(world: SimKiosk): string | null {
	const { at } = world.office;
	const invoice = world.opener?.invoice ?? null;
	if (invoice === null || world.truth.newestLookUp(invoice) === null) return 'its invoice was not looked up';
	if (!world.loggedIn) return 'no outlet is logged in';
	if (at.withoutNotes !== null && world.opener !== null && world.opener.at > at.sureAt) return 'the server has no call for notes';
	if (world.rows(`SELECT 1 FROM card_sales WHERE payment_id = ? AND state IN ('sent', 'unknown')`, keyOf(world, invoice)).length > 0)
		return 'a card sale of its invoice is open or unknown';
	return null;
}

/** @returns whether the request is a sale, and not a void or a query of staff */
const isForSale = (world: SimKiosk): boolean => world.rows(`SELECT 1 FROM card_sales WHERE state = 'sent'`).length > 0;

/**
 * Checks that the journal contains no more credited notes than the cashbox contains notes: STACKED
 * for an earlier note must not credit a later note.
 */
function checkCreditsAgainstCashbox(world: SimKiosk, nominal: number): void {
	const [row] = world.rows(`SELECT count(*) AS count FROM notes WHERE state = 'credited' AND nominal = ${nominal}`);
	const inBox = world.truth.stacked.filter((note) => note.nominal === nominal).length;
	if (Number(row?.count) > inBox)
		world.violated(`${String(row?.count)} notes of ${nominal} are credited while ${inBox} are in the cashbox`);
}
