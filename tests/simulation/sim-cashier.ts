/** After all repairs, a cashier corrects the back office's books. */
import { type Invoice, type ReceivedPayment, sumOf } from '../simulators/back-office/invoice.ts';
import { keyOf } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';

/**
 * The cashier enters payments that were really received, and removes payments that the customer got
 * back. In a paid invoice, change that was given back does not reduce the listed notes.
 */
export function correctBooks(world: SimKiosk, invoice: Invoice): void {
	const { truth } = world;
	const { books } = world.office.outletOf(invoice);
	// Lists entries at once, because a listing delay would hide them for a long time if the clock was
	// set back.
	books.manners.listsAfterMs = 0;
	const isOwn = (entry: ReceivedPayment): boolean =>
		entry.note_id !== undefined || entry.attempt_id !== undefined || truth.isEntryByHand(entry);
	const cash = truth.cash(invoice);
	const isPaid = truth.received(invoice) >= invoice.total;
	const back = isPaid ? 0 : truth.givenBack(invoice);
	const own = books.manners.listsCards ? cash + truth.card(invoice) - back : cash - Math.max(0, back - truth.card(invoice));
	const tanggal = world.clock.wall().toISOString();
	const others = invoice.list_pembayaran.filter((entry) => !isOwn(entry));
	const elsewhere = truth.elsewhere(invoice);
	if (sumOf(others) < elsewhere) others.push({ nominal: elsewhere - sumOf(others), tanggal });
	// Notes that staff entered by hand come first, so that `upTo` keeps them: the kiosk counts them
	// as listed without their ids.
	const byHand = invoice.list_pembayaran.filter((entry) => truth.isEntryByHand(entry));
	const ours = [...byHand, ...invoice.list_pembayaran.filter((entry) => entry.note_id !== undefined)];
	// The cashier does not enter a note again if the customer got its money back: see the limits in
	// docs/developer/money.md.
	const kept = isPaid ? own - truth.givenBack(invoice) : own;
	for (const note of world.rows(`SELECT note_id, nominal FROM notes WHERE payment_id = ? AND state = 'credited'`, keyOf(world, invoice))) {
		const [note_id, nominal] = [String(note.note_id), Number(note.nominal)];
		if (sumOf(ours) >= kept || truth.isByHand(note_id) || ours.some((entry) => entry.note_id === note_id)) continue;
		ours.push({ nominal, tanggal, note_id });
	}
	// Card sales come last, so that `upTo` drops a card sale whose money was given back.
	ours.push(...invoice.list_pembayaran.filter((entry) => entry.attempt_id !== undefined));
	invoice.list_pembayaran = [...upTo(elsewhere, others), ...upTo(own, ours)];
	invoice.is_paid = isPaid;
	books.touch(invoice);
	world.note(`cashier: corrects ${invoice.noinvoice}: ${JSON.stringify(invoice.list_pembayaran)}, paid ${invoice.is_paid}`);
}

/** @returns the first entries up to the sum `most`; the last returned entry may be reduced */
function upTo(most: number, entries: readonly ReceivedPayment[]): ReceivedPayment[] {
	let left = most;
	return entries.flatMap((entry) => {
		const nominal = Math.min(entry.nominal, Math.max(0, left));
		left -= nominal;
		return nominal === 0 ? [] : [nominal === entry.nominal ? entry : { ...entry, nominal }];
	});
}
