import { NAME_ACTIONS } from '../journal/records.ts';
import type { LoggedEvent } from '../log/event-fields.ts';
import { EVENTS, type EventId } from '../log/events.ts';
import type { Definitions } from './definitions.ts';

const NOTE_OUTCOMES = ['credited', 'returned', 'in_doubt'] as const;
const SALE_ENDS = {
	'card.approved': 'approved',
	'card.declined': 'declined',
	'card.not_begun': 'not_begun',
	'card.unknown': 'unknown',
} as const;
const TRANSFER_METHODS = ['qris', 'va'];
const TRANSFER_OUTCOMES = {
	'transfer.opened': 'opened',
	'transfer.paid': 'paid',
	'transfer.closed': 'closed',
} as const;
/** Value of the label `link` for each event that reports a lost connection. */
const LINKS: Partial<Record<EventId, string>> = {
	'acceptor.line_lost': 'acceptor',
	'acceptor.reopened': 'acceptor',
	'edc.line_lost': 'edc',
	'socket.lost': 'back_office',
};
const CALL_OUTCOMES = {
	'staff.called': 'called',
	'staff.call_answered': 'answered',
	'staff.call_expired': 'expired',
} as const;
const LINK_NAMES = ['acceptor', 'edc', 'back_office'];
/** Maximum number of unfinished card sales, and of unfinished prints, in memory. */
const MOST_OPEN = 50;

/**
 * Counts logged events, so that money code contains no metrics. No label names an invoice or a
 * person.
 * @param notes denominations in use, rupiah; shown with 0 from the start, so that the first note is
 * seen as an increase
 * @param now monotonic ms
 */
export function countEvents(metrics: Definitions, notes: readonly number[], now: () => number): (event: LoggedEvent) => void {
	let escrowAt: number | null = null;
	const sales = new Map<string, { method: string; at: number }>();
	const prints = new Map<string, number>();

	for (const nominal of notes) for (const outcome of NOTE_OUTCOMES) metrics.notes.inc({ nominal, outcome }, 0);
	for (const outcome of Object.values(SALE_ENDS)) metrics.sales.inc({ method: 'card', outcome }, 0);
	for (const method of ['cash', 'card']) {
		metrics.money.inc({ method, outcome: 'taken' }, 0);
		metrics.invoices.inc({ method }, 0);
	}
	metrics.money.inc({ method: 'card', outcome: 'unknown' }, 0);
	for (const method of TRANSFER_METHODS)
		for (const outcome of Object.values(TRANSFER_OUTCOMES)) {
			metrics.transfers.inc({ method, outcome }, 0);
			metrics.transferRupiah.inc({ method, outcome }, 0);
		}
	for (const outcome of Object.values(CALL_OUTCOMES)) metrics.staffCalls.inc({ outcome }, 0);
	for (const action of NAME_ACTIONS) metrics.nameChanges.inc({ action }, 0);
	for (const link of LINK_NAMES) metrics.losses.inc({ link }, 0);
	for (const outcome of ['done', 'failed']) metrics.prints.inc({ outcome }, 0);
	for (const [event, [level]] of Object.entries(EVENTS)) if (level === 'warn' || level === 'error') metrics.events.inc({ event, level }, 0);

	function note(outcome: string, nominal: number | null | undefined): void {
		metrics.notes.inc({ nominal: nominal ?? 'unknown', outcome });
	}

	function saleEnded(outcome: string, { attempt_id, amount }: { attempt_id: string; amount: number | undefined }): void {
		const sale = sales.get(attempt_id);
		sales.delete(attempt_id);
		const method = sale?.method ?? 'card';
		metrics.sales.inc({ method, outcome });
		if (sale) metrics.saleSeconds.observe({ outcome }, (now() - sale.at) / 1_000);
		if (outcome === 'approved') metrics.invoices.inc({ method });
		if (amount !== undefined && (outcome === 'approved' || outcome === 'unknown'))
			metrics.money.inc({ method, outcome: outcome === 'approved' ? 'taken' : 'unknown' }, amount);
	}

	function transfer(outcome: string, { method, amount }: { method: string; amount: number }): void {
		metrics.transfers.inc({ method, outcome });
		metrics.transferRupiah.inc({ method, outcome }, amount);
	}

	function printEnded(outcome: string, print_id: string): void {
		metrics.prints.inc({ outcome });
		const since = prints.get(print_id);
		prints.delete(print_id);
		if (since !== undefined) metrics.printSeconds.observe((now() - since) / 1_000);
	}

	return ({ id, fields }) => {
		const [level] = EVENTS[id];
		if (level === 'warn' || level === 'error') metrics.events.inc({ event: id, level });
		const link = LINKS[id];
		if (link) metrics.losses.inc({ link });
		switch (id) {
			case 'acceptor.escrow':
				escrowAt = now();
				return;
			case 'cash.note_credited':
				note('credited', fields.nominal);
				metrics.money.inc({ method: 'cash', outcome: 'taken' }, fields.nominal);
				if (escrowAt !== null && !fields.late) metrics.noteSeconds.observe((now() - escrowAt) / 1_000);
				escrowAt = null;
				return;
			case 'cash.note_returned':
				escrowAt = null;
				return note('returned', fields.nominal);
			case 'cash.note_in_doubt':
				escrowAt = null;
				return note('in_doubt', fields.nominal);
			case 'cash.note_unexplained':
				return note('unexplained', fields.nominal);
			case 'cash.note_settled':
				if (fields.outcome === 'in_box') metrics.money.inc({ method: 'cash', outcome: 'taken' }, fields.nominal);
				return note(`settled_${fields.outcome}`, fields.nominal);
			case 'cash.paid':
				return metrics.invoices.inc({ method: 'cash' });
			case 'card.sent':
				return begin(sales, fields.attempt_id, { method: fields.method, at: now() });
			case 'card.approved':
			case 'card.declined':
			case 'card.not_begun':
			case 'card.unknown':
				return saleEnded(SALE_ENDS[id], fields);
			case 'transfer.opened':
			case 'transfer.paid':
			case 'transfer.closed':
				return transfer(TRANSFER_OUTCOMES[id], fields);
			case 'staff.called':
			case 'staff.call_answered':
			case 'staff.call_expired':
				return metrics.staffCalls.inc({ outcome: CALL_OUTCOMES[id] });
			case 'staff.names_changed':
				return metrics.nameChanges.inc({ action: fields.action });
			case 'staff.names_cleared':
				return metrics.nameChanges.inc({ action: 'clear' });
			case 'staff.names_taken_over':
				return metrics.nameChanges.inc({ action: 'take_over' });
			case 'staff.names_carried_over':
				return metrics.nameChanges.inc({ action: 'carry_over' });
			case 'print.sent':
				return begin(prints, fields.print_id, now());
			case 'print.done':
				return printEnded('done', fields.print_id);
			case 'print.failed':
				return printEnded('failed', fields.print_id);
			default:
		}
	};
}

function begin<T>(open: Map<string, T>, id: string, value: T): void {
	open.set(id, value);
	const [oldest] = open.keys();
	if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
}
