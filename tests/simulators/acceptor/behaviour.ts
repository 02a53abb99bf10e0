import { RUPIAH_NOTES } from './bytes.ts';

/** Durations of mechanical steps, ms. */
export interface Timing {
	/** Time from power on to the power-up bytes (80 8F). */
	startMs: number;
	/** Time from RESET to the power-up bytes. */
	resetMs: number;
	/**
	 * Time within which the host must answer the power-up bytes with ACCEPT. Without this answer the
	 * device stays inhibited and sends the power-up bytes again.
	 */
	syncMs: number;
	/** Time that a note takes from the slot to escrow. */
	recogniseMs: number;
	/** Time within which the host must decide about a note in escrow. */
	escrowMs: number;
	/**
	 * Longest time that a note is held after HOLD, or null for no limit. The vendor does not document
	 * a limit.
	 */
	holdMs: number | null;
	/** Time from ACCEPT until the note is in the cashbox. */
	stackMs: number;
	/** Time from the arrival of the note in the cashbox until STACKED. */
	stackedByteMs: number;
	/** Time from a rejection until the note is in the slot. */
	returnMs: number;
}

/** Differences between firmware versions. */
export interface Behaviour {
	notes: Readonly<Record<number, number>>;
	/**
	 * Whether the unit answers ENABLE (3E) and INHIBIT (5E) with its state. Most units do not answer
	 * these bytes.
	 */
	echoesEnable: boolean;
	/**
	 * Whether ACCEPT (02) after power-up enables the unit until INHIBIT. The vendor says only "02
	 * returns it to normal".
	 */
	enabledAfterSync: boolean;
	/**
	 * Whether the unit answers a poll with the note in escrow (81 and the note code), as an ICT106
	 * does.
	 */
	pollRepeatsNote: boolean;
	/**
	 * Whether the unit answers a poll with BUSY (71) while a note is inside, and with NOT
	 * SYNCHRONISED (A1) before the handshake, as an ICT106 does.
	 */
	pollSaysBusy: boolean;
	/**
	 * The two letters that the newest revision sends after the power-up bytes, or an empty text. As
	 * bytes, the letters "ID" (49 44) equal note codes.
	 */
	countryCode: string;
	/** The device inhibits itself if the host makes no decision about this many notes in a row. */
	timeoutsBeforeInhibit: number;
	/**
	 * Whether the device sends COMMUNICATION FAILURE (26) when it inhibits itself, as older revisions
	 * do.
	 */
	saysCommunicationFailure: boolean;
}

export const TIMING: Timing = {
	startMs: 500,
	resetMs: 1_000,
	syncMs: 2_000,
	recogniseMs: 800,
	escrowMs: 5_000,
	holdMs: null,
	stackMs: 1_500,
	stackedByteMs: 0,
	returnMs: 600,
};

export const BEHAVIOUR: Behaviour = {
	notes: RUPIAH_NOTES,
	echoesEnable: false,
	enabledAfterSync: true,
	pollRepeatsNote: false,
	pollSaysBusy: false,
	countryCode: '',
	timeoutsBeforeInhibit: 3,
	saysCommunicationFailure: false,
};

/** Deviations that apply to the next note only. */
export const MISHAPS = ['repeated_note', 'double_stacked', 'late_stacked', 'lost_stacked', 'double_returned', 'stacked_fails'] as const;
export type Mishap = (typeof MISHAPS)[number];

/**
 * Delay of a late STACKED, ms: it arrives after a host with a limit of 10 s has given up, but
 * before the customer leaves.
 */
export const LATE_STACKED_MS = 12_000;
