import type { CashNote } from '../../daemon/src/journal/cash-book.ts';
import type { Random } from '../support/random.ts';
import { chargesOf } from './invariants.ts';
import { during } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { dealWithParked } from './sim-parked.ts';

/** Time limit of the look-up before a void, ms. */
const LOOK_UP_MS = 3_000;
const DECISION = { by: 'Sari', why: 'checked the cashbox and the slips' };

/**
 * Staff visit the kiosk: they unlock the acceptor, check the cashbox and the terminal's slips,
 * settle notes and sales truthfully, and handle parked notes.
 */
export async function staffVisit(world: SimKiosk, random: Random): Promise<void> {
	const { kiosk } = world;
	if (kiosk === null) return;
	if (kiosk.cash.shownState() === 'bill_fish') kiosk.cash.unlock('staff looked at it');
	settleNotes(world);
	await settleSales(world);
	await dealWithParked(world, random);
}

/**
 * Staff void the newest charge at the terminal, because the customer returns the motorcycle. They
 * may already have paid the money back in cash.
 */
export async function voidNewest(world: SimKiosk): Promise<void> {
	const { kiosk } = world;
	if (kiosk === null) return;
	const before = newestSale(world);
	// Looks up only at servers that list card sales. At other servers the look-up would change how
	// old seeds run.
	if (before?.payment && world.office.books.manners.listsCards) await during(world, kiosk.invoices.refresh(before.payment, LOOK_UP_MS));
	const sale = newestSale(world);
	if (sale === undefined || sale.attempt_id !== before?.attempt_id || world.kiosk !== kiosk) return;
	world.note(`staff: void ${sale.attempt_id}`);
	const answer = await during(world, kiosk.card.carryOut({ action: 'void', sale, ...DECISION }));
	world.note(`staff: ${JSON.stringify(answer)}`);
}

/** @returns the newest approved card sale, or undefined */
export function newestSale(world: SimKiosk): ReturnType<typeof saleOf>[number] | undefined {
	const [row] = world.rows(`SELECT attempt_id FROM card_sales WHERE state = 'approved' ORDER BY approved_seq DESC LIMIT 1`);
	return row && saleOf(world, String(row.attempt_id))[0];
}

/**
 * Counts the cashbox and settles the notes in doubt. Staff find a note in doubt in the box if a
 * note of the same value was inserted for the same invoice and not credited.
 */
function settleNotes(world: SimKiosk): void {
	// A count is not final while a note is inside the acceptor or STACKED may still arrive.
	if (world.acceptor.note !== null || world.rows(`SELECT 1 FROM notes WHERE state = 'intended'`).length > 0) return;
	const inDoubt = world.rows(`SELECT note_id, payment_id, noinvoice, nominal, time, state, why FROM notes WHERE state = 'in_doubt'`);
	// Notes in doubt whose value is known come first. The notes in the box that remain are for those
	// whose value is unknown.
	for (const note of inDoubt.sort((a, b) => Number(b.nominal) - Number(a.nominal)) as unknown as CashNote[]) {
		const { outcome, nominal } = found(world, note);
		world.note(`staff: ${note.note_id} ${outcome} ${nominal}`);
		world.kiosk?.cash.settleNote(note, { outcome, nominal, ...DECISION });
	}
}

/** @returns where staff find the note, and its value if it is in the box */
function found(world: SimKiosk, note: CashNote): { outcome: 'in_box' | 'returned' | 'not_ours'; nominal: CashNote['nominal'] } {
	const nominal = note.nominal ?? (surplus(world, null)[0] as CashNote['nominal'] | undefined) ?? null;
	const isThere = nominal !== null && surplus(world, note.payment_id === null ? null : note.noinvoice).includes(nominal);
	if (isThere) return { outcome: 'in_box', nominal };
	return { outcome: note.payment_id === null ? 'not_ours' : 'returned', nominal: null };
}

/**
 * @returns the true decision about a note in doubt. null while the acceptor holds a note, or if the
 * value is unknown and all uncredited notes may be other notes in doubt
 */
export function honestNote(
	world: SimKiosk,
	note_id: string,
): { decision: 'in_box' | 'returned' | 'not_ours'; nominal: CashNote['nominal'] } | null {
	if (world.acceptor.note !== null) return null;
	const [note] = world.rows('SELECT payment_id, noinvoice, nominal FROM notes WHERE note_id = ?', note_id);
	if (note === undefined) return null;
	if (note.nominal === null) {
		const left = surplus(world, null);
		const own = withoutKnownDoubts(world, left)[0] as CashNote['nominal'] | undefined;
		if (own !== undefined) return { decision: 'in_box', nominal: own };
		return left.length > 0 ? null : { decision: note.payment_id === null ? 'not_ours' : 'returned', nominal: null };
	}
	return { decision: found(world, note as unknown as CashNote).outcome, nominal: null };
}

/**
 * @returns the true outcome of an unknown sale; null while the terminal waits for a card, or if
 * only the bank knows the outcome
 */
export function honestSale(world: SimKiosk, amount: number): 'charged' | 'not_charged' | null {
	if (world.terminal.waiting !== null) return null;
	const open = unexplained(world);
	if (open.includes(amount)) return 'charged';
	return open.length > 0 ? null : 'not_charged';
}

/**
 * @param noinvoice only notes of this invoice; null for all notes
 * @returns the values of notes in the cashbox for which the journal has no credit
 */
function surplus(world: SimKiosk, noinvoice: string | null): number[] {
	const left = world.truth.stacked
		.filter(({ invoice }) => noinvoice === null || invoice?.noinvoice === noinvoice)
		.map((note) => note.nominal);
	for (const note of world.rows(`SELECT nominal, noinvoice FROM notes WHERE state = 'credited'`)) {
		const at = noinvoice === null || note.noinvoice === noinvoice ? left.indexOf(Number(note.nominal)) : -1;
		if (at >= 0) left.splice(at, 1);
	}
	return left;
}

/** @returns `values` without the values of the notes in doubt whose value is known */
function withoutKnownDoubts(world: SimKiosk, values: readonly number[]): number[] {
	const left = [...values];
	for (const { nominal } of world.rows(`SELECT nominal FROM notes WHERE state IN ('intended', 'in_doubt') AND nominal IS NOT NULL`)) {
		const at = left.indexOf(Number(nominal));
		if (at >= 0) left.splice(at, 1);
	}
	return left;
}

/**
 * Settles unknown sales by the terminal's slips. A charge without an approved sale belongs to the
 * oldest unknown sale of its amount.
 */
export async function settleSales(world: SimKiosk): Promise<void> {
	const { kiosk } = world;
	// While the terminal still waits for a card, the sale has no outcome.
	if (kiosk === null || world.terminal.waiting !== null) return;
	for (const { attempt_id } of world.rows(`SELECT attempt_id FROM card_sales WHERE state = 'unknown' ORDER BY sent_seq`)) {
		const [sale] = saleOf(world, String(attempt_id));
		if (sale === undefined || world.kiosk !== kiosk) return;
		const open = unexplained(world);
		// Only the bank can decide about a charge of another amount.
		if (!open.includes(sale.amount) && open.length > 0) continue;
		const outcome = open.includes(sale.amount) ? 'charged' : 'not_charged';
		world.note(`staff: ${sale.attempt_id} ${outcome}`);
		await during(world, kiosk.card.carryOut({ action: 'settle', sale, outcome, ...DECISION }));
	}
}

/** @returns amounts of bank charges that have no approved sale */
function unexplained(world: SimKiosk): number[] {
	const left = chargesOf(world);
	for (const { amount } of world.rows(`SELECT amount FROM card_sales WHERE state = 'approved'`)) {
		const at = left.indexOf(Number(amount));
		if (at >= 0) left.splice(at, 1);
	}
	return left;
}

function saleOf(world: SimKiosk, attempt_id: string) {
	return world.journal?.cards.find(attempt_id) ?? [];
}
