import type { EventId, LogFields } from '../log/log.ts';

/** A note type that no line of `[acceptor.notes]` names. */
export interface UnmappedNote {
	/** As the settings write it, e.g. "0x47". */
	code: string;
	count: number;
	/** When the last one came back, ISO 8601. */
	at: string;
}

/** What health knows only because the log was told of it; of this run alone. */
export interface Remarks {
	/** Hears every event that is logged. */
	heard(id: EventId, fields: LogFields): void;
	/** The one that came back last is the last. */
	unmapped(): UnmappedNote[];
	/** Why the line of the bill acceptor is probably read with the wrong parity, and since when, ISO 8601; or null. */
	parity(): { sign: string; at: string } | null;
}

/** @param now ISO 8601 */
export function keepRemarks(now: () => string): Remarks {
	const unmapped = new Map<string, UnmappedNote>();
	let parity: { sign: string; at: string } | null = null;
	return {
		heard(id, fields) {
			if (id === 'acceptor.parity_suspected') parity = { sign: String(fields.sign), at: now() };
			if (id === 'acceptor.parity_right') parity = null;
			if (id !== 'cash.note_returned' || fields.reason !== 'unmapped_note') return;
			const code = String(fields.code);
			const count = (unmapped.get(code)?.count ?? 0) + 1;
			unmapped.delete(code);
			unmapped.set(code, { code, count, at: now() });
		},
		unmapped: () => [...unmapped.values()],
		parity: () => parity,
	};
}
