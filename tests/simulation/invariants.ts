import type { Invoice } from '../simulators/back-office/invoice.ts';
import { moneyIsWell } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { doublesAreListed } from './sim-oracle.ts';
import type { SimOutlet } from './sim-outlet.ts';

/** Everything that must hold once the world has come to rest. Each breach is written into `world.violations`. */
export function checkBooks(world: SimKiosk): void {
	everyNoteIsInTheBooks(world);
	theServerHasEveryNoteOnce(world);
	noCardIsChargedUnknown(world);
	theServerHasEveryApproval(world);
	noSecondOriginal(world);
	theChainHolds(world);
	doublesAreListed(world);
	whatWaitsIsSaid(world);
}

const countOf = (values: readonly number[]): Map<number, number> => {
	const counts = new Map<number, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
};

/** No rupiah lost: what lies in the cashbox is credited or listed as in doubt. None invented: what is credited lies there. */
function everyNoteIsInTheBooks(world: SimKiosk): void {
	const notes = world.rows('SELECT nominal, state FROM notes');
	const nominals = (state: string) => notes.filter((note) => note.state === state).map((note) => Number(note.nominal ?? 0));
	const stacked = countOf(world.acceptor.stacked.map((note) => note.nominal));
	const credited = countOf(nominals('credited'));
	const inDoubt = countOf(nominals('in_doubt'));
	let spare = (inDoubt.get(0) ?? 0) + lostWithTheProcess(world);
	for (const nominal of new Set([...stacked.keys(), ...credited.keys()])) {
		const inBox = stacked.get(nominal) ?? 0;
		const known = credited.get(nominal) ?? 0;
		if (known > inBox) world.violated(`${known} notes of ${nominal} are credited, ${inBox} are in the cashbox`);
		const unexplained = inBox - known - (inDoubt.get(nominal) ?? 0);
		if (unexplained > spare)
			world.violated(`${inBox} notes of ${nominal} are in the cashbox, ${known} credited, ${inDoubt.get(nominal) ?? 0} in doubt`);
		spare -= Math.min(spare, Math.max(0, unexplained));
	}
	const open = nominals('intended').length;
	if (open > 0) world.violated(`${open} intents have neither outcome nor doubt`);
}

/**
 * A note that nobody had accepted is kept in memory while the disk says no. When the process dies before the disk says yes, only the log and
 * the count of the cashbox show it.
 */
function lostWithTheProcess(world: SimKiosk): number {
	const seen = [...world.unexplained].filter(([, start]) => start !== world.starts);
	return seen.filter(([note_id]) => world.rows('SELECT 1 FROM notes WHERE note_id = ?', note_id).length === 0).length;
}

/** So many answers other than 2xx entitle the kiosk to park a note: docs/developer/back-office.md. */
const PARKED_AFTER = 5;

/**
 * Each credited note reaches the books of the outlet whose customer fed it, once in effect. Not there may be: one that its server refuses
 * for ever, one that it has declined five times and that the kiosk lists for staff, one that the server has forgotten since, and what waits
 * for an outlet where nobody is logged in.
 */
function theServerHasEveryNoteOnce(world: SimKiosk): void {
	const { outlets, at } = world.office;
	const ours = `SELECT note_id FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL`;
	const credited = new Set(world.rows(ours).map((note) => String(note.note_id)));
	const booked = outlets.flatMap(({ books }) => books.notes.map((note) => note.note_id));
	if (new Set(booked).size !== booked.length) world.violated('the servers have booked a note twice');
	for (const note_id of booked) if (!credited.has(note_id)) world.violated(`a server has a note that is not credited: ${note_id}`);
	const expected = outlets.map((outlet) => [outlet, sumFed(world, outlet)] as const);
	for (const [outlet, fed] of expected) {
		const { books, forgotten, refused, withoutNotes } = outlet;
		if (withoutNotes !== null || (outlet !== at && world.truth.hasMoved)) continue;
		const away = new Set([...forgotten, ...refused.keys(), ...declinedAndListed(world, outlet)]);
		const missing = fed - books.notes.length - away.size - uncreditedNotes(world);
		if (missing > 0) world.violated(`I11: ${missing} credited notes never reached ${outlet.name}, which refuses ${refused.size}`);
	}
}

function declinedAndListed(world: SimKiosk, outlet: SimOutlet): string[] {
	const { declined, tried } = world.truth;
	return world.rows('SELECT note_id FROM notes WHERE parked IS NOT NULL AND uploaded_seq IS NULL').flatMap((row) => {
		const note_id = String(row.note_id);
		const invoice = tried.get(note_id)?.invoice;
		const isHere = invoice != null && outlet.everyInvoice().has(invoice) && outlet.books.notes.every((note) => note.note_id !== note_id);
		return isHere && (declined.get(note_id) ?? 0) >= PARKED_AFTER ? [note_id] : [];
	});
}

const sumFed = (world: SimKiosk, outlet: SimOutlet): number =>
	world.truth.stacked.filter(({ invoice }) => invoice !== null && outlet.everyInvoice().has(invoice)).length;

/** Notes in the cashbox that are credited to no invoice: in doubt, or found there and nobody's. */
function uncreditedNotes(world: SimKiosk): number {
	const [row] = world.rows(`SELECT count(*) AS count FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL`);
	return Math.max(0, world.truth.stacked.length - Number(row?.count));
}

/** Money that has waited for so long is said by health, whatever its limit is. */
const LONGEST_WAIT_MS = 7_200_000;

/** I18: health does not say that all is well while a note has been waiting for longer than everything takes. */
function whatWaitsIsSaid(world: SimKiosk): void {
	if (uncreditedNotes(world) > 0 || world.kiosk === null || world.clock.now() < LONGEST_WAIT_MS) return;
	const booked = new Set(world.office.outlets.flatMap(({ books }) => books.notes.map((note) => note.note_id)));
	const waiting = world.rows(`SELECT note_id FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL AND uploaded_seq IS NULL`);
	if (waiting.some(({ note_id }) => !booked.has(String(note_id))) && moneyIsWell(world))
		world.violated('I18: health says that all is well, and a note waits');
}

/** What the bank took is approved in the books, or listed; and no invoice pays twice by card. */
function noCardIsChargedUnknown(world: SimKiosk): void {
	const taken = world.terminal.bank.transactions.filter((one) => !one.voided && one.type === '01').map((one) => one.amount);
	const sales = world.rows('SELECT amount, state, payment_id, response FROM card_sales');
	const approved = sales.filter((sale) => sale.state === 'approved');
	const listed = sales.filter((sale) => sale.state === 'unknown');
	const charged = countOf(taken);
	for (const [amount, count] of countOf(approved.map((sale) => Number(sale.amount))))
		if (count > (charged.get(amount) ?? 0))
			world.violated(`${count} sales of ${amount} are approved, the bank took ${charged.get(amount) ?? 0}`);
	const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
	const missing = sum(taken) - sum(approved.map((sale) => Number(sale.amount)));
	// An unknown sale may have been charged with another amount than was asked for; the list names the invoice all the same.
	if (missing > 0 && listed.length === 0) world.violated(`the bank took ${missing} that no sale in the books explains`);
	for (const invoice of world.office.everyInvoice()) chargedOnce(world, invoice);
	if (sales.some((sale) => sale.state === 'sent')) world.violated('a sale is open although nobody is there');
}

/** An invoice that has grown, or whose payment was taken back, may be charged again for what is due then. */
function chargedOnce(world: SimKiosk, invoice: Invoice): void {
	const count = world.truth.chargesOf(invoice).length;
	if (count > 1 && !world.truth.changedAt.has(invoice)) world.violated(`invoice ${invoice.noinvoice} was charged ${count} times`);
}

function theServerHasEveryApproval(world: SimKiosk): void {
	const approved = world.rows(`SELECT attempt_id FROM card_sales WHERE state = 'approved' AND payment_id IS NOT NULL`);
	const told = world.office.outlets.flatMap(({ books }) =>
		books.approvals.map((approval) => String((approval.success as { attempt_id?: unknown }).attempt_id)),
	);
	for (const { attempt_id } of approved)
		if (!told.includes(String(attempt_id)) && !world.truth.hasMoved)
			world.violated(`an approved sale never reached the server: ${String(attempt_id)}`);
	if (new Set(told).size !== told.length) world.violated('the server has booked an approval twice');
}

/** A receipt is worth its change once: every paper after the first that may have come out is marked as a copy. */
function noSecondOriginal(world: SimKiosk): void {
	const originals = world.printer.printed.filter((words) => words.startsWith('original'));
	for (const words of originals)
		if (originals.indexOf(words) !== originals.lastIndexOf(words)) world.violated(`two receipts came out as ${words}`);
}

function theChainHolds(world: SimKiosk): void {
	const bad = world.disk.verify();
	if (bad !== null) world.violated(`record ${bad} of the journal does not match its hash`);
}
