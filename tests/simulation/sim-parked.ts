/** Staff handle parked notes. */
import type { ServerResponse } from 'node:http';
import type { ParkedNote } from '../../daemon/src/journal/note-book.ts';
import { type FoundInvoice, parkedCalls } from '../../daemon/src/staff/parked-calls.ts';
import { type Invoice, receivedFor } from '../simulators/back-office/invoice.ts';
import type { Random } from '../support/random.ts';
import { during } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';

const DECISION = { by: 'Sari', why: 'asked the back office' };

/**
 * Staff handle each parked note: they resend the note, enter it at the server by hand, record an
 * earlier entry, or move the note to another invoice. They skip notes for a server that lacks the
 * call for notes.
 */
export async function dealWithParked(world: SimKiosk, random: Random): Promise<void> {
	const { kiosk } = world;
	// After the last customer, the vendor adds the missing call for notes to each server.
	if (world.healed) for (const outlet of world.office.outlets) outlet.withoutNotes = null;
	const parked = world.journal?.parked() ?? [];
	for (const note of parked) {
		const invoice = invoiceOf(world, note);
		if (kiosk === null || world.kiosk !== kiosk) return;
		if (invoice === null || world.office.outletOf(invoice).withoutNotes !== null) continue;
		if (isEntered(world, invoice, note)) await book(world, note);
		else if (isRefused(world, invoice, note) && random.chance(0.4)) await enterByHand(world, invoice, note);
		else if (isRefused(world, invoice, note) && random.chance(0.5)) await move(world, random, invoice, note);
		else await resend(world, invoice, note);
	}
	// Waits for the answers, because the server may refuse the notes again.
	if (parked.length > 0) await world.run(10_000);
}

function invoiceOf(world: SimKiosk, { payment_id }: ParkedNote): Invoice | null {
	const payment = world.journal?.money.paymentOf(payment_id);
	const account = payment?.account;
	if (!account) return null;
	const { outlets } = world.office;
	const of = outlets.find(({ server, name, development }) => {
		return server === account.server && name === account.outlet && development === account.development;
	});
	return of?.ever(payment.id, payment.noinvoice) ?? null;
}

const isRefused = (world: SimKiosk, invoice: Invoice, { note_id }: ParkedNote): boolean =>
	world.office.outletOf(invoice).refused.has(note_id);

/**
 * @returns whether the note is in the server's books: staff entered it, or the server booked it and
 * answered with an error
 */
const isEntered = (world: SimKiosk, invoice: Invoice, { note_id }: ParkedNote): boolean =>
	world.truth.isByHand(note_id) || world.office.outletOf(invoice).books.notes.some((note) => note.note_id === note_id);

async function resend(world: SimKiosk, invoice: Invoice, { note_id }: ParkedNote): Promise<void> {
	await acceptDuring(world, invoice, note_id, () =>
		asked(world, (calls, response) => calls.decide(response, { action: 'resend', note: note_id, ...DECISION })),
	);
}

/**
 * Lets the server accept the note during `act`. If the note is still parked afterwards, makes the
 * server refuse the note again.
 */
async function acceptDuring(world: SimKiosk, invoice: Invoice, note_id: string, act: () => Promise<unknown>): Promise<void> {
	const { refused } = world.office.outletOf(invoice);
	const status = refused.get(note_id);
	refused.delete(note_id);
	await act();
	if (status !== undefined && world.rows('SELECT 1 FROM notes WHERE note_id = ? AND parked IS NOT NULL', note_id).length > 0)
		refused.set(note_id, status);
}

async function book(world: SimKiosk, { note_id }: ParkedNote): Promise<void> {
	await asked(world, (calls, response) => calls.decide(response, { action: 'book', note: note_id, ...DECISION }));
}

/** Adds a payment without a note id to the server's list, and records this entry at the kiosk. */
export async function enterByHand(world: SimKiosk, invoice: Invoice, note: ParkedNote): Promise<void> {
	const { books } = world.office.outletOf(invoice);
	const entry = { nominal: note.nominal, tanggal: world.clock.wall().toISOString() };
	invoice.list_pembayaran.push(entry);
	world.truth.enteredByHand(entry, note.note_id);
	if (receivedFor(invoice) >= invoice.total) books.pay(invoice, 'cash');
	else books.touch(invoice);
	await book(world, note);
}

/**
 * Moves the note to another open invoice of the logged-in outlet. If this is impossible, resends
 * the note.
 */
async function move(world: SimKiosk, random: Random, from: Invoice, note: ParkedNote): Promise<void> {
	const { note_id, nominal, payment_id } = note;
	const others = world.office.books.invoices.filter((invoice) => !invoice.is_paid && invoice !== from && invoice.total < 400_000);
	// A note whose money was given back cannot be moved to another invoice.
	if (others.length === 0 || world.truth.givenBack(from) > 0 || !world.truth.hasFed(from, nominal)) return resend(world, from, note);
	const to = random.pick(others);
	const found = (await asked(world, (calls, response) => calls.lookUp(response, to.noinvoice))) as Partial<FoundInvoice> | null;
	if (found?.key === undefined) return;
	const { key } = found;
	world.truth.move(note_id, nominal, from, to);
	await acceptDuring(world, from, note_id, () =>
		asked(world, (calls, response) =>
			calls.decide(response, { action: 'move', note: note_id, number: to.noinvoice, expected: key, ...DECISION }),
		),
	);
	const [row] = world.rows('SELECT payment_id FROM notes WHERE note_id = ?', note_id);
	if (row?.payment_id === payment_id) world.truth.move(note_id, nominal, to, from);
}

/** @returns what the calls of `kioskctl` need; null while the kiosk is off */
export function depsOfCalls(world: SimKiosk) {
	const { kiosk, journal, token } = world;
	if (!kiosk || !journal || !token) return null;
	const { invoices, outbox, cash } = kiosk;
	const clock = world.clock.ofProcess(() => world.kiosk === kiosk);
	const log = { event: (id: string, fields: object) => world.note(`${id} ${JSON.stringify(fields)}`) };
	return { journal, token, invoices, outbox, cash, clock, newId: () => world.newId(), log };
}

/** @returns the answer for `kioskctl`, or null if the kiosk dies meanwhile */
async function asked(
	world: SimKiosk,
	call: (calls: ReturnType<typeof parkedCalls>, response: ServerResponse) => Promise<void>,
): Promise<unknown> {
	const deps = depsOfCalls(world);
	if (deps === null) return null;
	const calls = parkedCalls(deps);
	let said: unknown = null;
	const response = {
		writeHead: () => {},
		end: (text: string) => {
			world.note(`staff: ${text}`);
			said = JSON.parse(text);
		},
	};
	await during(world, call(calls, response as unknown as ServerResponse));
	return said;
}
