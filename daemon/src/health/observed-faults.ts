import type { LoggedEvent } from '../log/event-fields.ts';

/** A note code that is missing from `[acceptor.notes]`. */
export interface UnmappedNote {
	/** In the format of the settings, e.g. "0x47". */
	code: string;
	count: number;
	/** When such a note was last returned, ISO 8601. */
	at: string;
}

/** An answer of the back office that the daemon could not read. */
export interface UnreadAnswer {
	/** Name of the call. */
	call: string;
	/** The field that does not match, or the fault of the whole answer. */
	reason: string;
	/** When the answer came, ISO 8601. */
	at: string;
}

/**
 * Reasons that are a fault of the back office. An empty answer, or an answer that contains only a
 * message, is no fault: it means that there is no such invoice.
 */
const IS_FAULT = /^(results\.|results: no row|the body is not JSON)/;

/** Facts that health derives from the events logged since the daemon started. */
export interface Remarks {
	/** Receives every logged event. */
	heard(event: LoggedEvent): void;
	/** Unmapped notes; the most recently returned note comes last. */
	unmapped(): UnmappedNote[];
	/** Why the acceptor line probably has the wrong parity, and since when (ISO 8601); or null. */
	parity(): { sign: string; at: string } | null;
	/** The newest unreadable answer of the back office, or null. */
	unread(): UnreadAnswer | null;
	/**
	 * The newest answer that contradicted itself about an invoice for which this kiosk has no money,
	 * and when it came (ISO 8601); or null.
	 */
	contradiction(): { invoice: string; reason: string; at: string } | null;
}

/** @param now ISO 8601 */
export function keepRemarks(now: () => string): Remarks {
	const unmapped = new Map<string, UnmappedNote>();
	let parity: { sign: string; at: string } | null = null;
	let unread: UnreadAnswer | null = null;
	let contradiction: { invoice: string; reason: string; at: string } | null = null;

	function returned(code: string): void {
		const count = (unmapped.get(code)?.count ?? 0) + 1;
		unmapped.delete(code);
		unmapped.set(code, { code, count, at: now() });
	}

	return {
		heard({ id, fields }) {
			if (id === 'acceptor.parity_suspected') parity = { sign: fields.sign, at: now() };
			if (id === 'acceptor.parity_right') parity = null;
			if (id === 'back_office.odd_answer' && IS_FAULT.test(fields.path)) unread = { call: fields.call, reason: fields.path, at: now() };
			if (id === 'back_office.contradiction') contradiction = { ...fields, at: now() };
			if (id === 'cash.note_returned' && 'code' in fields && fields.reason === 'unmapped_note') returned(fields.code);
		},
		unmapped: () => [...unmapped.values()],
		parity: () => parity,
		unread: () => unread,
		contradiction: () => contradiction,
	};
}
