import type { LoggedEvent } from '../log/event-fields.ts';
import type { Sign } from './scripts.ts';

const ACCEPTOR_GONE = new Set(['disconnected', 'silent']);
const ACCEPTOR_BACK = new Set(['inhibited', 'ready']);
const EDC_GONE = new Set(['disconnected', 'silent']);

/** @returns the sign that a log event gives; null for most events */
export function signOf({ id, fields }: LoggedEvent): Sign | null {
	switch (id) {
		case 'cash.opened':
			return 'cash_open';
		case 'acceptor.escrow':
			return 'escrow';
		case 'cash.note_accepted':
			return 'accepted';
		case 'cash.note_returned':
			// A note that was returned before it was accepted gives no sign: the technician inserts it
			// again.
			return 'note_id' in fields ? 'note_over' : null;
		case 'cash.note_credited':
		case 'cash.note_in_doubt':
			return 'note_over';
		case 'acceptor.state':
			return ACCEPTOR_GONE.has(fields.state) ? 'acceptor_gone' : ACCEPTOR_BACK.has(fields.state) ? 'acceptor_back' : null;
		case 'acceptor.box_removed':
			return 'box_out';
		case 'acceptor.box_returned':
			return 'box_back';
		case 'card.sent':
			return 'card_sent';
		case 'card.approved':
		case 'card.declined':
		case 'card.not_begun':
		case 'card.unknown':
			return 'card_over';
		case 'card.terminal':
			return EDC_GONE.has(fields.state) ? 'edc_gone' : fields.state === 'ready' ? 'edc_back' : null;
		case 'print.trouble':
			return 'paper_trouble';
		case 'print.done':
		case 'print.failed':
			return 'print_over';
		default:
			return null;
	}
}

/**
 * The last known presence of each device. It is kept because a step may wait for a sign that the
 * device has already given.
 */
export interface Presence {
	readonly acceptor: Sign | null;
	readonly edc: Sign | null;
}

/** @returns the presence after this sign */
export function presenceAfter(presence: Presence, sign: Sign): Presence {
	if (sign === 'acceptor_gone' || sign === 'acceptor_back') return { ...presence, acceptor: sign };
	if (sign === 'edc_gone' || sign === 'edc_back') return { ...presence, edc: sign };
	return presence;
}
