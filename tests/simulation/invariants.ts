import type { Invoice } from '../simulators/back-office/invoice.ts';
import { moneyWarnings, WAITING_LIMIT_MS } from './sim-desk.ts';
import { checkDoublesListed } from './sim-doubles.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import type { SimOutlet } from './sim-outlet.ts';
import { checkReports } from './sim-reports.ts';
import { checkNoSessionLeft, checkRemovals } from './sim-watch.ts';

/** Checks the books after the world has settled; violations go into `world.violations`. */
export function checkBooks(world: SimKiosk): void {
	checkNotesAgainstCashbox(world);
	checkNotesAtServers(world);
	checkCardCharges(world);
	checkApprovalsAtServers(world);
	checkOriginalReceipts(world);
	checkHashChain(world);
	checkDoublesListed(world);
	checkWaitingMoneyShown(world);
	checkReports(world);
	checkRemovals(world);
	if (world.opener === null) checkNoSessionLeft(world);
}

const countOf = (values: readonly number[]): Map<number, number> => {
	const counts = new Map<number, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
};

/**
 * Compares the journal's notes with the cashbox. A note in the cashbox must be credited, in doubt,
 * or lost with the memory of a dead process. A credited note must be in the cashbox.
 */
function checkNotesAgainstCashbox(world: SimKiosk): void {
	const notes = world.rows('SELECT nominal, state FROM notes');
	const nominals = (state: string) => notes.filter((note) => note.state === state).map((note) => Number(note.nominal ?? 0));
	const stacked = countOf(world.truth.stacked.map((note) => note.nominal));
	const credited = countOf(nominals('credited'));
	const inDoubt = countOf(nominals('in_doubt'));
	let spare = (inDoubt.get(0) ?? 0) + countNotesLostInMemory(world);
	for (const nominal of new Set([...stacked.keys(), ...credited.keys()])) {
		const inBox = stacked.get(nominal) ?? 0;
		const known = credited.get(nominal) ?? 0;
		if (known > inBox) world.violated(`${known} notes of ${nominal} are credited, but ${inBox} are in the cashbox`);
		const unexplained = inBox - known - (inDoubt.get(nominal) ?? 0);
		if (unexplained > spare)
			world.violated(`${inBox} notes of ${nominal} are in the box, but ${known} are credited and ${inDoubt.get(nominal) ?? 0} in doubt`);
		spare -= Math.min(spare, Math.max(0, unexplained));
	}
	const open = nominals('intended').length;
	if (open > 0) world.violated(`${open} intents have no outcome and are not in doubt`);
}

/**
 * Counts notes whose records were lost with the process. On a failing disk, the record of a stacked
 * note without an intent stays in memory. If the process dies before the disk recovers, only the
 * log and the cashbox count show that note.
 */
function countNotesLostInMemory(world: SimKiosk): number {
	const seen = [...world.unexplained].filter(([, start]) => start !== world.starts);
	return seen.filter(([note_id]) => world.rows('SELECT 1 FROM notes WHERE note_id = ?', note_id).length === 0).length;
}

/** After this many answers other than 2xx a note is parked; see docs/developer/back-office.md. */
const PARKED_AFTER = 5;

/**
 * Each credited note must be booked once, at the outlet of its invoice. Exceptions: the server
 * lacks the call for notes; the server refuses the note permanently; the server declined the note
 * five times and the kiosk parked it; the server has lost the note after booking it; the note waits
 * for an outlet that is not logged in.
 */
function checkNotesAtServers(world: SimKiosk): void {
	const { outlets, at } = world.office;
	const ours = `SELECT note_id FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL`;
	const credited = new Set(world.rows(ours).map((note) => String(note.note_id)));
	const booked = outlets.flatMap(({ books }) => books.notes.map((note) => note.note_id));
	if (new Set(booked).size !== booked.length) world.violated('the servers have booked a note twice');
	for (const note_id of booked) if (!credited.has(note_id)) world.violated(`a server has a note that is not credited: ${note_id}`);
	const expected = outlets.map((outlet) => [outlet, countFed(world, outlet)] as const);
	for (const [outlet, fed] of expected) {
		const { books, forgotten, refused, withoutNotes } = outlet;
		if (withoutNotes !== null || (outlet !== at && world.truth.hasMoved)) continue;
		const away = new Set([...forgotten, ...refused.keys(), ...declinedAndListed(world, outlet)]);
		const missing = fed - books.notes.length - away.size - countUncreditedNotes(world);
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

const countFed = (world: SimKiosk, outlet: SimOutlet): number =>
	world.truth.stacked.filter(({ invoice }) => invoice !== null && outlet.everyInvoice().has(invoice)).length;

/**
 * Counts notes in the cashbox that are not credited to an invoice: they are in doubt or have no
 * intent.
 */
function countUncreditedNotes(world: SimKiosk): number {
	const [row] = world.rows(`SELECT count(*) AS count FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL`);
	return Math.max(0, world.truth.stacked.length - Number(row?.count));
}

/** Earlier times are from a wrong clock. */
const FIRST_CREDIBLE = Date.UTC(2026, 0, 1);

/**
 * I18: health warns while a note is parked, and while the oldest note has waited longer than the
 * limit.
 */
export function checkWaitingMoneyShown(world: SimKiosk): void {
	const warnings = moneyWarnings(world);
	if (warnings === null) return;
	const notes = `FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL AND uploaded_seq IS NULL`;
	const parked = world.rows(`SELECT 1 ${notes} AND parked IS NOT NULL`).length;
	if (parked > 0 && !warnings.includes('parked notes')) world.violated(`I18: health does not show ${parked} parked notes`);
	const [oldest] = world.rows(`SELECT time ${notes} AND parked IS NULL ORDER BY credited_seq LIMIT 1`);
	const since = Date.parse(String(oldest?.time));
	const isLate = since >= FIRST_CREDIBLE && world.clock.wall().getTime() - since > WAITING_LIMIT_MS;
	if (isLate && !warnings.includes('outbox')) world.violated(`I18: health does not show a note that waits since ${String(oldest?.time)}`);
}

/**
 * A bank charge without an approved sale needs a listed unknown sale. No invoice is charged twice
 * unless it owed the second amount.
 */
function checkCardCharges(world: SimKiosk): void {
	const taken = chargesOf(world);
	const sales = world.rows('SELECT amount, state, payment_id, response FROM card_sales');
	const approved = sales.filter((sale) => sale.state === 'approved');
	const listed = sales.filter((sale) => sale.state === 'unknown');
	const charged = countOf(taken);
	for (const [amount, count] of countOf(approved.map((sale) => Number(sale.amount))))
		if (count > (charged.get(amount) ?? 0))
			world.violated(`${count} sales of ${amount} are approved, but the bank took ${charged.get(amount) ?? 0}`);
	const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
	const missing = sum(taken) - sum(approved.map((sale) => Number(sale.amount)));
	// The bank may have charged another amount than the amount of the unknown sale. Even then the
	// sale is listed.
	if (missing > 0 && listed.length === 0) world.violated(`the bank charged ${missing} without a matching sale in the books`);
	for (const invoice of world.office.everyInvoice()) checkChargedOnce(world, invoice);
	if (sales.some((sale) => sale.state === 'sent')) world.violated('a sale is still open after the visit');
}

/**
 * @returns the amounts of the bank's charges that are not voided, with staff's wrong decisions
 * applied, because the kiosk must believe these decisions
 */
export function chargesOf(world: SimKiosk): number[] {
	const taken = world.terminal.bank.transactions.filter((one) => !one.voided && one.type === '01').map((one) => one.amount);
	for (const { amount } of world.truth.sworn) {
		if (amount > 0) taken.push(amount);
		else if (taken.includes(-amount)) taken.splice(taken.indexOf(-amount), 1);
	}
	return taken;
}

/** A second charge for an invoice is right if the invoice has grown or its payment was reversed. */
function checkChargedOnce(world: SimKiosk, invoice: Invoice): void {
	const sworn = world.truth.sworn.filter((oath) => oath.invoice === invoice && oath.amount < 0).length;
	const charges = world.truth.chargesOf(invoice);
	const count = charges.length - sworn;
	// If a card paid the remaining amount and staff then gave the cash back, a card may pay the
	// amount of this cash, too.
	const isOwed = charges.reduce((sum, { amount }) => sum + amount, 0) - world.truth.givenBack(invoice) <= invoice.total;
	if (count > 1 && !isOwed && !world.truth.changedAt.has(invoice))
		world.violated(`invoice ${invoice.noinvoice} was charged ${count} times`);
}

function checkApprovalsAtServers(world: SimKiosk): void {
	const approved = world.rows(`SELECT attempt_id FROM card_sales WHERE state = 'approved' AND payment_id IS NOT NULL`);
	const told = world.office.outlets.flatMap(({ books }) =>
		books.approvals.map((approval) => String((approval.success as { attempt_id?: unknown }).attempt_id)),
	);
	for (const { attempt_id } of approved)
		if (!told.includes(String(attempt_id)) && !world.truth.hasMoved)
			world.violated(`an approved sale never reached the server: ${String(attempt_id)}`);
	if (new Set(told).size !== told.length) world.violated('the server has booked an approval twice');
}

/** Staff give change for an original receipt. Therefore no invoice may get two originals. */
function checkOriginalReceipts(world: SimKiosk): void {
	const originals = world.printer.printed.filter((words) => words.startsWith('original'));
	for (const words of originals)
		if (originals.indexOf(words) !== originals.lastIndexOf(words)) world.violated(`two receipts were printed as ${words}`);
}

function checkHashChain(world: SimKiosk): void {
	const bad = world.disk.verify();
	if (bad !== null) world.violated(`record ${bad} of the journal does not match its hash`);
}
