import { RUPIAH_NOTES } from './bytes.ts';

/** Durations of mechanical steps, ms. */
export interface Timing {
	/** From power on to 80 8F. */
	startMs: number;
	/** From a reset command to 80 8F. */
	resetMs: number;
	/**
	 * Time for the host to answer 80 8F with ACCEPT. Without an answer the device stays inhibited and
	 * repeats 80 8F.
	 */
	syncMs: number;
	/** From the slot to escrow. */
	recogniseMs: number;
	/** Time for the host's decision about a note in escrow. */
	escrowMs: number;
	/**
	 * Longest time that a note is held on request, or null for no limit; not documented by the
	 * vendor.
	 */
	holdMs: number | null;
	/** From ACCEPT until the note is in the cashbox. */
	stackMs: number;
	/** From the cashbox until STACKED. */
	stackedByteMs: number;
	/** From a rejection until the note is in the slot. */
	returnMs: number;
}

/** Differences between firmware versions. */
export interface Behaviour {
	notes: Readonly<Record<number, number>>;
	/** Whether the unit answers 3E and 5E with the same byte. Most units do not answer them. */
	echoesEnable: boolean;
	/** Whether 02 enables the unit until 5E. The vendor says "02 returns it to normal". */
	enabledAfterSync: boolean;
	/** Whether a poll is answered with 81 4x while a note is held, as by an ICT106. */
	pollRepeatsNote: boolean;
	/**
	 * Whether a poll is answered with 71 while a note moves and with A1 before the handshake, as by
	 * an ICT106.
	 */
	pollSaysBusy: boolean;
	/**
	 * Two letters after 8F (newest revision), or an empty text. The letters of "ID", 49 44, are note
	 * codes too.
	 */
	countryCode: string;
	/** Number of undecided notes in a row after which the device inhibits itself. */
	timeoutsBeforeInhibit: number;
	/** Whether the device sends 26 when it inhibits itself, as older revisions do. */
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
 * Delay of a late STACKED: after a host with a limit of 10 s has given up, but before the customer
 * leaves.
 */
export const LATE_STACKED_MS = 12_000;
