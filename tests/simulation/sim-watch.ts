import type { LiveText } from '../../daemon/contract/live.ts';
import type { SimKiosk } from './sim-kiosk.ts';

const ACCEPT = 0x02;
/** An echo test moves no money and is asked at any time; its type stands behind STX, length and version. */
const ECHO = '17';
const TYPE_AT = 4;
/** Anything longer that the terminal hears is a request, not a control character. */
const CONTROL_BYTES = 100;

/** Nothing is shown that is not on disk. */
export function watchScreen(world: SimKiosk, text: LiveText): void {
	if (text.type === 'payment_cash_notification') {
		const [note] = world.rows('SELECT state FROM notes WHERE note_id = ?', text.note_id);
		if (note?.state !== 'credited') world.violated(`a note is shown that is ${String(note?.state)} on disk`);
		everyCreditLiesInTheCashbox(world, text.nominal);
	}
	if (text.type === 'payment_edc_bca_notification' && text.data.respCode === '00' && text.data.attempt_id !== undefined) {
		const [sale] = world.rows('SELECT state FROM card_sales WHERE attempt_id = ?', text.data.attempt_id);
		if (sale?.state !== 'approved') world.violated(`a card payment is shown as approved that is ${String(sale?.state)} on disk`);
	}
	if (text.type === 'payment_notification' && text.is_paid) paidIsPaid(world, String(text.id));
}

/** No note is accepted without an intent on disk, nor while nobody sees a picture. */
export function watchAcceptor(world: SimKiosk, bytes: Uint8Array): void {
	const note = world.acceptor.note;
	if (!bytes.includes(ACCEPT) || note?.place !== 'escrow') return;
	const [open] = world.rows(`SELECT nominal FROM notes WHERE state = 'intended' AND nominal = ${note.nominal}`);
	if (open === undefined) world.violated(`a note of ${note.nominal} is accepted without an intent on disk`);
	if (world.nobodySees()) world.violated(`a note of ${note.nominal} is accepted although nobody sees a picture`);
}

/** No request reaches the terminal that is not on disk. */
export function watchTerminal(world: SimKiosk, bytes: Uint8Array): void {
	if (bytes.length <= CONTROL_BYTES || Buffer.from(bytes).toString('latin1', TYPE_AT, TYPE_AT + 2) === ECHO) return;
	if (world.rows(`SELECT 1 FROM card_sales WHERE state IN ('sent', 'unknown')`).length > 0) return;
	if (world.rows(`SELECT 1 FROM card_actions WHERE state = 'asked'`).length > 0) return;
	world.violated('a request reaches the terminal that is not on disk');
}

/** At no moment more is credited than lies in the cashbox: a 10 that was said for an earlier note credits no later one. */
function everyCreditLiesInTheCashbox(world: SimKiosk, nominal: number): void {
	const [row] = world.rows(`SELECT count(*) AS count FROM notes WHERE state = 'credited' AND nominal = ${nominal}`);
	const inBox = world.acceptor.stacked.filter((note) => note.nominal === nominal).length;
	if (Number(row?.count) > inBox)
		world.violated(`${String(row?.count)} notes of ${nominal} are credited while ${inBox} are in the cashbox`);
}

/** What is said to be paid is paid, by the server's books or by the journal. */
function paidIsPaid(world: SimKiosk, id: string): void {
	const invoice = world.office.books.byId(id);
	if (invoice === undefined) return world.violated(`paid is said of an invoice that does not exist: ${id}`);
	if (invoice.is_paid) return;
	const [cash] = world.rows(`SELECT coalesce(sum(nominal), 0) AS sum FROM notes WHERE payment_id = ? AND state = 'credited'`, id);
	const [card] = world.rows(`SELECT count(*) AS count FROM card_sales WHERE payment_id = ? AND state = 'approved'`, id);
	const known = invoice.list_pembayaran.reduce((sum, payment) => sum + payment.nominal, 0);
	if (Number(card?.count) > 0 || Math.max(Number(cash?.sum), known, Number(cash?.sum) + known) >= invoice.total) return;
	world.violated(`invoice ${id} is said to be paid with ${String(cash?.sum)} of ${invoice.total} in the journal`);
}
