import type { LoggedEvent } from '../log/event-fields.ts';

/** A note code that no line of `[acceptor.notes]` names. */
export interface UnmappedNote {
	/** As in the settings, e.g. "0x47". */
	code: string;
	count: number;
	/** When such a note was last returned, ISO 8601. */
	at: string;
}

/** Facts that health derives from the events logged since the daemon started. */
export interface Remarks {
	/** Receives every logged event. */
	heard(event: LoggedEvent): void;
	/** In order of their last return, the latest last. */
	unmapped(): UnmappedNote[];
	/** Why the acceptor line probably has the wrong parity, and since when (ISO 8601); or null. */
	parity(): { sign: string; at: string } | null;
}

/** @param now ISO 8601 */
export function keepRemarks(now: () => string): Remarks {
	const unmapped = new Map<string, UnmappedNote>();
	let parity: { sign: string; at: string } | null = null;

	function returned(code: string): void {
		const count = (unmapped.get(code)?.count ?? 0) + 1;
		unmapped.delete(code);
		unmapped.set(code, { code, count, at: now() });
	}

	return {
		heard({ id, fields }) {
			if (id === 'acceptor.parity_suspected') parity = { sign: fields.sign, at: now() };
			if (id === 'acceptor.parity_right') parity = null;
			if (id === 'cash.note_returned' && 'code' in fields && fields.reason === 'unmapped_note') returned(fields.code);
		},
		unmapped: () => [...unmapped.values()],
		parity: () => parity,
	};
}
