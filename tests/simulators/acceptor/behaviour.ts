import { RUPIAH_NOTES } from './bytes.ts';

/** Durations of the mechanics, ms. */
export interface Timing {
	/** From power to 80 8F. */
	startMs: number;
	/** From a reset command to 80 8F. */
	resetMs: number;
	/**
	 * Time for the host to answer 80 8F with ACCEPT; then the device stays inhibited and repeats 80
	 * 8F.
	 */
	syncMs: number;
	/** From the slot to escrow. */
	recogniseMs: number;
	/** Time for the host's decision about a note in escrow. */
	escrowMs: number;
	/** How long a held note is kept, or null without a limit: undocumented by the vendor. */
	holdMs: number | null;
	/** From ACCEPT to the cashbox. */
	stackMs: number;
	/** From the cashbox to STACKED. */
	stackedByteMs: number;
	/** From a rejection to the slot. */
	returnMs: number;
}

/** Differences between firmware versions. */
export interface Behaviour {
	notes: Readonly<Record<number, number>>;
	/** Some answer 3E and 5E with the same byte, most with nothing. */
	echoesEnable: boolean;
	/** Vendor's "02 returns it to normal": notes are taken from then on, until 5E. */
	enabledAfterSync: boolean;
	/** ICT106: a poll while a note is held is answered 81 4x. */
	pollRepeatsNote: boolean;
	/** ICT106: a poll while a note moves is answered 71, and A1 before the handshake. */
	pollSaysBusy: boolean;
	/**
	 * Two letters after 8F (newest revision), or an empty text. "ID" is 49 44: both are note codes.
	 */
	countryCode: string;
	/** Undecided notes in a row before the device inhibits itself. */
	timeoutsBeforeInhibit: number;
	/** Older revisions send 26 when they inhibit themselves. */
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

/** Deviations of the next note only. */
export const MISHAPS = ['repeated_note', 'double_stacked', 'late_stacked', 'lost_stacked', 'double_returned', 'stacked_fails'] as const;
export type Mishap = (typeof MISHAPS)[number];

/** Delay of a late STACKED: after a host that gives up at 10 s, before the customer leaves. */
export const LATE_STACKED_MS = 12_000;
