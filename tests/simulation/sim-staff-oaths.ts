/**
 * Wrong decisions by staff, here called oaths. The kiosk must believe these decisions. Therefore an
 * oath changes the truth with which the kiosk's books are compared. It does not change the physical
 * cashbox.
 */
import type { JournalRecord } from '../../daemon/src/journal/records.ts';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import { isOf, keyOf } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';

type Settled<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>;

/**
 * Adapts the truth to a decision about a note: adds a note that is missing in the box, or leaves
 * out a note that is there.
 */
export function swearNote(world: SimKiosk, { note_id, outcome }: Settled<'cash_settled'>): void {
	const [row] = world.rows('SELECT nominal, payment_id FROM notes WHERE note_id = ?', note_id);
	const invoice = row?.payment_id == null ? null : invoiceOf(world, String(row.payment_id));
	const nominal = row?.nominal == null ? null : Number(row.nominal);
	const { stacked } = world.truth;
	if (outcome === 'in_box' && nominal !== null) {
		const isAbove = (of: Invoice | null): boolean =>
			credits(world, of, nominal) > stacked.filter((one) => one.nominal === nominal && (of === null || one.invoice === of)).length;
		const isPhantom = isAbove(invoice) || isAbove(null);
		const early = isInside(world, note_id, nominal);
		if (isAbove(invoice)) stacked.push({ nominal, invoice, early });
		if (isAbove(null)) stacked.push({ nominal, invoice: null, early });
		// If the decision gave this value to a real note of another value, that real note is left out.
		if (isPhantom) leaveOut(world, [...new Set(stacked.map((one) => one.nominal))]);
		return;
	}
	if (nominal !== null && isInside(world, note_id, nominal)) world.truth.deniesInside();
	leaveOut(world, nominal === null ? [...new Set(stacked.map((one) => one.nominal))] : [nominal]);
}

/** @returns whether this is the note inside the acceptor, which may still be stacked */
function isInside(world: SimKiosk, note_id: string, nominal: number): boolean {
	return world.staff.holdsAccepted() && world.acceptor.note?.nominal === nominal && world.staff.newestAccepted === note_id;
}

/**
 * Removes one note from the truth: a note of one of these values that the books no longer contain.
 */
function leaveOut(world: SimKiosk, nominals: readonly number[]): void {
	const { stacked } = world.truth;
	const gone = nominals.find((value) => surplusOf(world, value) > 0);
	if (gone === undefined) return;
	const at = stacked.findLastIndex((one) => one.nominal === gone && isSurplus(world, one));
	if (at >= 0) stacked.splice(at, 1);
}

/**
 * Adapts the truth to a decision about a card sale: adds a charge that the bank has not made, or
 * hides a charge that the bank has made.
 */
export function swearCharge(world: SimKiosk, { attempt_id, outcome }: Settled<'card_settled'>): void {
	const [row] = world.rows('SELECT amount, payment FROM card_sales WHERE attempt_id = ?', attempt_id);
	if (row === undefined) return;
	const amount = Number(row.amount);
	const payment = row.payment === null ? null : JSON.parse(String(row.payment));
	const invoice =
		payment === null ? chargedFor(world, attempt_id) : (world.office.everyInvoice().find((one) => isOf(world, payment, one)) ?? null);
	const approved = Number(world.rows(`SELECT count(*) AS count FROM card_sales WHERE state = 'approved' AND amount = ${amount}`)[0]?.count);
	const open = Number(
		world.rows(`SELECT count(*) AS count FROM card_sales WHERE state IN ('sent', 'unknown') AND amount = ${amount}`)[0]?.count,
	);
	const taken = world.terminal.bank.transactions.filter((one) => one.type === '01' && !one.voided && one.amount === amount).length;
	const sworn = world.truth.sworn.reduce((sum, one) => sum + (Math.abs(one.amount) === amount ? Math.sign(one.amount) : 0), 0);
	if (outcome === 'charged' && approved > taken + sworn) world.truth.sworn.push({ amount, invoice, attempt_id });
	if (outcome === 'not_charged') world.truth.denies(attempt_id);
	if (outcome === 'not_charged' && taken + sworn > approved + open) world.truth.sworn.push({ amount: -amount, invoice, attempt_id });
	if (invoice !== null && payment !== null) hideOtherAmounts(world, invoice, attempt_id);
}

/**
 * @returns the invoice for which the bank charged this sale; the kiosk does not know the invoice
 */
function chargedFor(world: SimKiosk, attempt_id: string): Invoice | null {
	const [row] = world.rows(`SELECT response ->> 'rrn' AS rrn FROM card_sales WHERE attempt_id = ?`, attempt_id);
	return world.office.everyInvoice().find((one) => world.truth.chargesOf(one).some(({ trace }) => trace === row?.rrn)) ?? null;
}

/**
 * Once no sale of the invoice is open, hides charges that match no approved sale, because the books
 * have no place for them.
 */
function hideOtherAmounts(world: SimKiosk, invoice: Invoice, attempt_id: string): void {
	const key = keyOf(world, invoice);
	if (world.rows(`SELECT 1 FROM card_sales WHERE state IN ('sent', 'unknown') AND payment_id = ?`, key).length > 0) return;
	const approved = world
		.rows(`SELECT amount FROM card_sales WHERE state = 'approved' AND payment_id = ?`, key)
		.map(({ amount }) => Number(amount));
	const sworn = world.truth.sworn.filter((one) => one.invoice === invoice).map(({ amount }) => amount);
	for (const { amount } of world.truth.chargesOf(invoice)) {
		const hidden = sworn.indexOf(-amount);
		if (hidden >= 0) sworn.splice(hidden, 1);
		else if (approved.includes(amount)) approved.splice(approved.indexOf(amount), 1);
		else world.truth.sworn.push({ amount: -amount, invoice, attempt_id });
	}
}

function credits(world: SimKiosk, invoice: Invoice | null, nominal: number): number {
	const of = invoice === null ? '' : ` AND payment_id = '${keyOf(world, invoice)}'`;
	return Number(world.rows(`SELECT count(*) AS count FROM notes WHERE state = 'credited' AND nominal = ${nominal}${of}`)[0]?.count);
}

/**
 * @returns the number of notes of this value in the box that match neither a credited nor an open
 * note in the journal. An open note of unknown value explains one note of any value.
 */
function surplusOf(world: SimKiosk, nominal: number): number {
	const others = new Set(world.truth.stacked.map((one) => one.nominal).filter((value) => value !== nominal));
	const elsewhere = [...others].reduce((sum, value) => sum + Math.max(0, unexplainedOf(world, value)), 0);
	return unexplainedOf(world, nominal) - Math.max(0, openNotes(world, null) - elsewhere);
}

/**
 * @returns the number of notes of this value in the box that are explained neither by a credit nor
 * by an open note. An open note that is still inside the acceptor explains no note in the box.
 */
function unexplainedOf(world: SimKiosk, nominal: number): number {
	const inBox = world.truth.stacked.filter((one) => one.nominal === nominal).length;
	const isWaiting = world.staff.holdsAccepted() && world.acceptor.note?.nominal === nominal && isOpen(world, world.staff.newestAccepted);
	return inBox - credits(world, null, nominal) - openNotes(world, nominal) + (isWaiting ? 1 : 0);
}

const openNotes = (world: SimKiosk, nominal: number | null): number =>
	Number(world.rows(`SELECT count(*) AS count FROM notes WHERE state IN ('intended', 'in_doubt') AND nominal IS ${nominal}`)[0]?.count);

const isOpen = (world: SimKiosk, note_id: string | null): boolean =>
	note_id !== null && world.rows(`SELECT 1 FROM notes WHERE state IN ('intended', 'in_doubt') AND note_id = ?`, note_id).length > 0;

const isSurplus = (world: SimKiosk, { nominal, invoice }: { nominal: number; invoice: Invoice | null }): boolean =>
	world.truth.stacked.filter((one) => one.nominal === nominal && one.invoice === invoice).length >
	(invoice === null ? 0 : credits(world, invoice, nominal));

const invoiceOf = (world: SimKiosk, key: string): Invoice | null =>
	world.office.everyInvoice().find((invoice) => keyOf(world, invoice) === key) ?? null;
