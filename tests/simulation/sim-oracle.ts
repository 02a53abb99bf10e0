import { isClosed } from '../../daemon/src/journal/trouble.ts';
import { type Invoice, sumOf } from '../simulators/back-office/invoice.ts';
import { keyOf } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { newestOf, type Statement } from './sim-truth.ts';

/** With a running kiosk and a good network, another look-up takes less than this, ms. */
const FRESH_MS = 10_000;
/**
 * Time after which the kiosk must have looked up the invoice of a message, if the network has been
 * good for all of this time, ms. A lost look-up ends after 10 s; the next begins 5 s later and
 * may wait 2 s for notes that are being sent.
 */
const CHECKED_MS = 18_000;

/**
 * Time after a note's confirmation from which the server must list the note, ms. It is 20 s (see
 * docs/developer/back-office.md), plus a second until the kiosk's journal contains the
 * confirmation.
 */
const LISTED_AFTER_MS = 21_000;

/** What the kiosk shows or prints about one invoice. */
export interface Shown {
	where: string;
	/** Received amount in rupiah; null if none is shown. */
	received: number | null;
	/**
	 * Amount shown as in doubt beside `received`, rupiah. After a failed write a credit may be on
	 * disk, but the kiosk learns this only when it can read the disk again.
	 */
	inDoubt?: number;
	is_paid: boolean;
	/**
	 * Time of the page's request, ms. If a look-up was answered after the request, the page's answer
	 * is not judged, because the kiosk may have composed the page's answer before that look-up.
	 */
	askedAt?: number;
	/** Whether the answer only repeats, without another look-up, what the page has already shown. */
	repeats?: boolean;
}

/** Checks I13 for a shown amount and I14 for a shown LUNAS. */
export function judge(world: SimKiosk, invoice: Invoice, shown: Shown): void {
	if (shown.received !== null) checkReceived(world, invoice, { ...shown, received: shown.received });
	if (shown.is_paid) checkLunas(world, invoice, shown);
}

/** @returns the invoice with its number and total, for a violation */
export const nameOf = ({ id, noinvoice, total }: Invoice): string => `${id} (${noinvoice}, Rp ${total})`;
/**
 * I13: the received amount is the sum of the server's list and of the kiosk's credited notes that
 * the list lacks, less refunds. If the list names notes, the amount is exact. Otherwise the kiosk
 * may take a note whose delivery is unknown for a listed note, and show too little for a while.
 */
function checkReceived(world: SimKiosk, invoice: Invoice, { where, received, inDoubt = 0, askedAt }: Shown & { received: number }): void {
	const { truth } = world;
	const statement = truth.newestLookUp(invoice);
	if (statement !== null && askedAt !== undefined && statement.heardAt > askedAt) return;
	const exact = truth.cash(invoice) + (statement?.elsewhere ?? 0) - truth.givenBack(invoice);
	if (isDisputed(world, invoice, statement)) return;
	// Without a record of the newest statement, the shown amount may lack payments elsewhere. The
	// kiosk takes no money then.
	const isUnrecorded = isClosed(world.journal?.trouble() ?? null) || (statement !== null && isLostByRestart(world, statement));
	const unrecorded = isUnrecorded ? (statement?.elsewhere ?? 0) : 0;
	const certain =
		exact -
		unrecorded -
		uncredited(world) -
		likeVoided(world, invoice, statement) -
		(statement === null || (statement.named && statement.contains.size > 0) ? 0 : uncertain(world, statement));
	// If a server reports "paid", it may have received money that its list does not contain.
	const least = Math.min(certain, truth.received(invoice) - unrecorded);
	const most =
		Math.max(exact + truth.card(invoice), truth.received(invoice)) +
		voiding(world, invoice) +
		takenForRemoved(world, invoice, statement) +
		enteredByHand(world, invoice);
	if (received + inDoubt >= least && received <= most) return;
	const heard = truth.statements(invoice);
	if (isWithin(received, inDoubt, saidPaid(world, invoice, heard))) return;
	// The kiosk does not use an answer that it could not record, so the earlier statements stay
	// valid.
	const recorded = heard.filter((one) => one !== statement);
	if (isUnrecorded && isWithin(received, inDoubt, saidPaid(world, invoice, recorded))) return;
	world.violated(`I13: ${where} shows ${received} received for invoice ${nameOf(invoice)} instead of ${exact}`);
}

/**
 * Before a void, the list may contain a payment elsewhere instead of the sale. If this payment is
 * at least as large as the sale, the kiosk takes the payment for the sale, or for the sum of the
 * sale and a smaller payment.
 * @returns the part of the payment that the kiosk takes for the sale, rupiah
 */
function likeVoided({ truth }: SimKiosk, invoice: Invoice, statement: Statement | null): number {
	const amount = truth.voided(invoice);
	if (amount === 0 || statement === null || statement.elsewhere < amount) return 0;
	const isReplaced = truth.statements(invoice).some((one) => one !== statement && one.elsewhere >= amount && one.cards === 0);
	return isReplaced ? amount : 0;
}

/**
 * If a server that names no notes loses some notes and lists them again, the kiosk may take a part
 * of these notes for refunds that the cashier removed from the list; docs/developer/money.md states
 * this limit.
 * @returns by how much the kiosk may show too much in this case, rupiah
 */
function takenForRemoved(world: SimKiosk, invoice: Invoice, statement: Statement | null): number {
	if (statement === null || statement.named) return 0;
	const hasLost = world.truth.statements(invoice).some((one) => one !== statement && isDisputed(world, invoice, one));
	return hasLost ? world.truth.givenBack(invoice) : 0;
}

/**
 * @returns the sum of this invoice's notes that staff entered at the server while the kiosk could
 * not record the entry, rupiah. Until the kiosk can record the entry, it counts these notes a
 * second time, as paid elsewhere.
 */
function enteredByHand(world: SimKiosk, invoice: Invoice): number {
	const notes = world.rows(
		`SELECT note_id, nominal FROM notes WHERE payment_id = ? AND state = 'credited'
		AND NOT EXISTS (SELECT 1 FROM records WHERE kind = 'note_booked' AND subject = note_id)`,
		keyOf(world, invoice),
	);
	return notes.reduce((sum, { note_id, nominal }) => sum + (world.truth.isByHand(String(note_id)) ? Number(nominal) : 0), 0);
}

/**
 * @returns the sum of this invoice's card sales whose void the terminal has not answered yet,
 * rupiah
 */
function voiding(world: SimKiosk, invoice: Invoice): number {
	const [row] = world.rows(
		`SELECT coalesce(sum(amount), 0) AS sum FROM card_sales WHERE payment_id = ?
		AND attempt_id IN (SELECT attempt_id FROM card_actions WHERE action = 'void' AND state = 'asked')`,
		keyOf(world, invoice),
	);
	return Number(row?.sum);
}

const isWithin = (received: number, inDoubt: number, range: [number, number] | null): boolean =>
	range !== null && received + inDoubt >= range[0] && received <= range[1];

/**
 * "Paid" confirms a total. This total includes all money that the kiosk had begun to report when it
 * got the statement; the rest was paid elsewhere. Money that the kiosk reports later is added. The
 * answer to a look-up states the total, a message does not. Until the kiosk can look up again, the
 * message confirms the total of the last look-up, even if the total has changed since. For a
 * deleted invoice every look-up fails, and the message means the invoice that now has the same id.
 * The running process cannot know whether an earlier process reported the notes that it had
 * credited.
 * @returns the smallest and the largest amount that may be shown as received, rupiah; null if no
 * "paid" of these statements applies
 */
function saidPaid(world: SimKiosk, invoice: Invoice, statements: readonly Statement[]): [number, number] | null {
	const { truth } = world;
	// The newest statement is not always the last, because the answer to an earlier request may
	// arrive last.
	const last = [statements.at(-1), newestOf(statements)].find((statement) => statement?.paid);
	if (!last) return null;
	const isDeleted = isGone(world, invoice);
	// If the kiosk died before it could look up, it does not look up by itself after its restart.
	const couldAsk =
		!isDeleted && last.heardAt >= world.startedAt && world.office.goodFor() > CHECKED_MS && world.clock.now() - last.heardAt > CHECKED_MS;
	const lookUp = newestOf(statements.filter(({ total }) => total !== null));
	const total = last.total ?? (couldAsk ? null : lookUp?.total);
	if (total == null) return null;
	const own = truth.cash(invoice) + truth.card(invoice) - truth.givenBack(invoice);
	const told = truth.triedUntil(invoice, last.heardAt);
	const least =
		own - uncredited(world) - reopened(world, invoice) + Math.max(0, total - told - untriedEarlier(world, invoice, last.heardAt));
	// At an earlier "paid" the kiosk had reported less money, so more counts as paid elsewhere. If an
	// "unpaid" followed, the payment may have been announced early, or reversed and made again.
	// Therefore the kiosk may still count this payment.
	return [least, own + Math.max(0, ...saidElsewhere(world, invoice, total))];
}

/**
 * @returns the sum of this invoice's card sales that staff wrongly settled as charged and that a
 * later terminal answer made unknown again, rupiah
 */
function reopened(world: SimKiosk, invoice: Invoice): number {
	const unknown = world.rows(`SELECT attempt_id FROM card_sales WHERE state = 'unknown'`).map(({ attempt_id }) => attempt_id);
	const oaths = world.truth.sworn.filter((oath) => oath.invoice === invoice && oath.amount > 0 && unknown.includes(oath.attempt_id));
	return oaths.reduce((sum, { amount }) => sum + amount, 0);
}

/** @returns whether the server has deleted the invoice, so that every look-up fails */
const isGone = (world: SimKiosk, invoice: Invoice): boolean => !world.office.outletOf(invoice).books.invoices.includes(invoice);

/**
 * @returns the sum of this invoice's notes that an earlier process credited but had not begun to
 * report at the time `at`, rupiah
 */
function untriedEarlier(world: SimKiosk, invoice: Invoice, at: number): number {
	const notes = world.rows(`SELECT note_id, nominal FROM notes WHERE state = 'credited' AND payment_id = ?`, keyOf(world, invoice));
	const untried = notes.filter(({ note_id }) => {
		const tried = world.truth.tried.get(String(note_id))?.at ?? Number.POSITIVE_INFINITY;
		return world.creditedEarlier.has(String(note_id)) && tried > at;
	});
	return untried.reduce((sum, { nominal }) => sum + Number(nominal), 0);
}

/**
 * @returns the sum of the notes in the cashbox that are not credited to an invoice, rupiah: notes
 * in doubt, not recorded because of a disk fault, or stacked without an intent. Staff settle these
 * notes. After that, a note without an intent counts for the cashbox but for no invoice.
 */
export function uncredited(world: SimKiosk): number {
	const [row] = world.rows(`SELECT coalesce(sum(nominal), 0) AS sum FROM notes WHERE state = 'credited' AND payment_id IS NOT NULL`);
	return Math.max(0, sumOf(world.truth.stacked) - Number(row?.sum));
}

/**
 * @returns the sum of the notes of which the kiosk cannot know whether the server's answer includes
 * them, rupiah
 */
function uncertain(world: SimKiosk, statement: Statement): number {
	const notes = world.rows(`SELECT note_id, nominal FROM notes WHERE state = 'credited'`);
	return notes.reduce((sum, { note_id, nominal }) => {
		const isEarlier = world.creditedEarlier.has(String(note_id));
		const tried = isEarlier ? 0 : (world.truth.tried.get(String(note_id))?.at ?? Number.POSITIVE_INFINITY);
		const confirmed = world.truth.uploads.get(String(note_id))?.confirmedAt ?? null;
		const sure =
			tried > statement.heardAt || (confirmed !== null && confirmed <= statement.askedAt && statement.contains.has(String(note_id)));
		return sum + (sure ? 0 : Number(nominal));
	}, 0);
}

/**
 * @returns whether the server lists less than it confirmed. In this dispute any shown amount is
 * acceptable until staff decide.
 */
function isDisputed(world: SimKiosk, invoice: Invoice, statement: Statement | null): boolean {
	if (statement === null) return false;
	const confirmed = world.truth.uploadsOf(invoice).filter(({ confirmedAt }) => confirmedAt !== null && confirmedAt <= statement.heardAt);
	return confirmed.some(({ note_id }) => !statement.contains.has(note_id));
}

/**
 * I14: LUNAS is shown only if the total is received or the server's newest statement is "paid".
 * Changes of which the kiosk cannot know yet are exceptions.
 */
function checkLunas(world: SimKiosk, invoice: Invoice, { where, askedAt, repeats = false }: Shown): void {
	const { truth } = world;
	const received = truth.received(invoice);
	if (newestSaysPaid(world, invoice)) {
		if (restsOnReturned(world, invoice))
			world.violated(`I14: ${where} shows LUNAS for invoice ${nameOf(invoice)}, but its "paid" counts money that was given back`);
		return;
	}
	// With a closed journal the kiosk cannot judge an answer, so the page repeats what it has shown.
	if (repeats && truth.shownPaid.has(invoice) && isClosed(world.journal?.trouble() ?? null)) return;
	const lookUp = truth.newestLookUp(invoice);
	if (lookUp !== null && askedAt !== undefined && lookUp.heardAt > askedAt) return;
	if (lookUp !== null && contradicts(world, invoice, lookUp))
		return world.violated(
			`I14: ${where} shows LUNAS for invoice ${nameOf(invoice)} although its server has the whole amount and says unpaid`,
		);
	// The server's list counts as received even if the same answer is "unpaid".
	const listed = truth.cash(invoice) + truth.card(invoice) + (lookUp?.elsewhere ?? 0) - truth.givenBack(invoice);
	// A sale counts as received until the terminal has answered its void.
	const beingVoided = Math.min(voiding(world, invoice), truth.voided(invoice));
	if (Math.max(received, listed) + beingVoided >= invoice.total) return;
	// The money covers the total of the last look-up, and the kiosk could not know of a later change.
	if (lookUp?.total != null && received >= lookUp.total && (repeats || !hasHadTimeToLookUp(world, invoice))) return;
	if (lookUp !== null && isForgotten(world, invoice, lookUp, received)) return;
	if (lookUp !== null && isOvertaken(world, invoice, lookUp)) return;
	world.violated(`I14: ${where} shows LUNAS for invoice ${nameOf(invoice)} with ${received} received`);
}

/**
 * @returns whether LUNAS would be based on voided sales or on money that was given back: the newest
 * statement is a look-up answered "paid", its list reaches the total only with such money, and no
 * other "paid" confirmed enough money from elsewhere
 */
function restsOnReturned(world: SimKiosk, invoice: Invoice): boolean {
	const { truth } = world;
	const lookUp = truth.newestLookUp(invoice);
	const total = lookUp?.total ?? null;
	if (!lookUp?.paid || total === null || newestOf(truth.statements(invoice)) !== lookUp || isDisputed(world, invoice, lookUp)) return false;
	// A sale counts as received until the terminal has answered its void.
	if (voiding(world, invoice) > 0) return false;
	const returned = Math.min(lookUp.cards, truth.voided(invoice)) + truth.givenBack(invoice);
	const elsewhere = Math.max(truth.elsewhere(invoice), ...saidElsewhere(world, invoice, total));
	const received = truth.received(invoice) - truth.elsewhere(invoice) + elsewhere;
	return received < total && lookUp.listed >= total && lookUp.listed - returned < total;
}

/**
 * @returns for each "paid" by how much its total exceeds the money that the kiosk had begun to
 * report earlier, rupiah. A note sent in the same millisecond may have been sent after the
 * statement.
 */
function saidElsewhere({ truth }: SimKiosk, invoice: Invoice, total: number): number[] {
	const claims = truth.statements(invoice).filter(({ paid }) => paid);
	return claims.map((statement) => (statement.total ?? total) - truth.triedUntil(invoice, statement.heardAt - 1));
}

/** @returns whether the newest statement, by server time or by arrival, is "paid" */
export function newestSaysPaid(world: SimKiosk, invoice: Invoice): boolean {
	const statements = world.truth.statements(invoice);
	return statements.at(-1)?.paid === true || newestOf(statements)?.paid === true;
}

/**
 * A confirmation that the full disk refused does not count, because the kiosk sends the note again.
 * @returns whether the server contradicts itself: it answers "unpaid", although the notes that it
 * had confirmed long enough before cover the total, even less refunds
 */
function contradicts(world: SimKiosk, invoice: Invoice, statement: Statement): boolean {
	if (statement.paid || statement.total === null) return false;
	const recorded = world.rows('SELECT note_id FROM notes WHERE uploaded_seq IS NOT NULL').map(({ note_id }) => note_id);
	const known = world.truth
		.uploadsOf(invoice)
		.filter(
			({ note_id, confirmedAt }) => recorded.includes(note_id) && confirmedAt !== null && confirmedAt < statement.askedAt - LISTED_AFTER_MS,
		);
	return known.length > 0 && sumOf(known) - world.truth.givenBack(invoice) >= statement.total;
}

/**
 * @returns whether "paid" arrived between the look-up and its answer. The kiosk takes this message
 * for newer than the answer until it looks the invoice up again
 */
const isOvertaken = ({ truth, clock }: SimKiosk, invoice: Invoice, lookUp: Statement): boolean =>
	clock.now() - lookUp.heardAt < CHECKED_MS &&
	truth
		.statements(invoice)
		.some(({ paid, total, heardAt }) => paid && total === null && heardAt >= lookUp.askedAt && heardAt <= lookUp.heardAt);

/** @returns whether kiosk and network were up long enough for another look-up */
const hasHadTimeToLookUp = (world: SimKiosk, invoice: Invoice): boolean =>
	!isGone(world, invoice) &&
	world.office.goodFor() > FRESH_MS &&
	world.clock.now() - world.startedAt > FRESH_MS &&
	world.clock.now() - (world.truth.changedAt.get(invoice) ?? 0) > FRESH_MS;

/** Whether a restart lost this statement because the full disk refused its record. */
const isLostByRestart = (world: SimKiosk, { heardAt }: Statement): boolean => heardAt < world.startedAt && world.disk.full;

/**
 * @returns whether a restart has lost the look-up, because the full disk could not store it, and
 * the received money covers the older total in the journal
 */
function isForgotten(world: SimKiosk, invoice: Invoice, lookUp: Statement, received: number): boolean {
	if (!isLostByRestart(world, lookUp)) return false;
	const [row] = world.rows(`SELECT payment ->> 'total' AS total FROM invoices WHERE payment_id = ?`, keyOf(world, invoice));
	return row?.total != null && received >= Number(row.total);
}
