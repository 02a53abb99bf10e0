/** What the link machine knows, hears and does, and how long it waits. */
import type { EventId, LogFields } from '../../log/log.ts';
import type { TerminalReport, TerminalRequest, TerminalResponse } from '../terminal.ts';
import { DECODER_START, type DecoderState } from './decoder.ts';
import type { EcrVersion } from './frame.ts';

/** How one terminal is spoken to. All times in ms. */
export interface EcrSettings {
	version: EcrVersion;
	/**
	 * `echo`: a terminal counts as ready only while it answers echo tests: one when the line opens, one in every quiet
	 * `probeIdleMs`, one before each request that moves money. `none`: for a terminal that does not know the echo test.
	 */
	probe: 'none' | 'echo';
	/** From a request to its ACK. */
	ackMs: number;
	/** From the ACK to the answer: card, PIN, host. */
	answerMs: number;
	/** An echo test needs no customer, but some terminals ask the host. */
	echoMs: number;
	/** Between two bytes of one frame. */
	halfFrameMs: number;
	/** From NAK to saying the request again. */
	resendMs: number;
	/** Between two echo tests while the terminal has not answered one. */
	probeAgainMs: number;
	/** From the terminal's last word to the next echo test; without a probe, how long an unanswered sale counts as "does not answer". */
	probeIdleMs: number;
	/** A request that moves money needs no echo test before it when the terminal has spoken within this. */
	freshMs: number;
	/** From the answer to an echo test to the request that waited for it. */
	restMs: number;
}

export const ECR_DEFAULTS: EcrSettings = {
	version: 1,
	// The echo test moves no money, and a terminal that is off must be seen before a customer chooses it.
	probe: 'echo',
	// No official figure is public; a terminal was seen to answer within 1 s.
	ackMs: 5_000,
	// Implementations wait 60 to 300 s; one on the serial line 125 s. What comes later still counts.
	answerMs: 125_000,
	echoMs: 30_000,
	// At 9600 baud, the slowest in use, a byte takes 1 ms; device servers send in lumps.
	halfFrameMs: 1_000,
	// Terminals were seen to say NAK twice in a row, and to say ACK within 1 s: what belongs to the last sending comes first.
	resendMs: 1_500,
	// A terminal that was switched on is offered to the next customer, not to the one after.
	probeAgainMs: 10_000,
	// Rare enough for a terminal that passes echo tests on to its bank.
	probeIdleMs: 60_000,
	// The screen's own retry after a decline; nobody switches a terminal off and pays in less.
	freshMs: 10_000,
	// A terminal may still show the result of the echo test; half a second and its ACK limit is what others leave it.
	restMs: 1_000,
};

/**
 * An ACK this long after an unanswered sale may still be about it: a TCP stack gives up sending after about 15 minutes, until
 * then a cable that is put back delivers the request.
 */
export const LATE_ACK_MS = 15 * 60_000;

/** A reading of the terminal's clock is used for this long: a hand that sets the clock comes seldom, drift is seconds a day. */
export const CLOCK_READING_MS = 5 * 60_000;

/**
 * Ticks come ten times a second. After a gap this long the whole process stood still, and what the terminal said meanwhile
 * has not been read yet: no limit counts before it is.
 */
export const STALL_MS = 1_000;

export const COUNTS = {
	/** One implementation repeats after NAK "at most 2 more times"; more will not mend a line. */
	sends: 3,
	/** How often the terminal is asked to say a damaged answer again. */
	naks: 3,
	/** So many bytes without a frame in them, with a request open: an answer whose first bytes were damaged. */
	lostFrameBytes: 100,
	/** Answers and timed-out requests that are remembered. */
	remembered: 8,
} as const;

/** A request whose limit has passed; its answer may still come. */
export interface TimedOut {
	/** null: the driver's own echo test. */
	readonly id: string | null;
	readonly request: TerminalRequest;
	readonly at: number;
	/** Reported as not begun, because the terminal had not said a byte; its ACK proves the contrary. */
	readonly unanswered: boolean;
}

/** A request that waits for the driver's echo test. */
export interface Queued {
	readonly id: string;
	readonly request: TerminalRequest;
	readonly frame: Uint8Array;
}

export interface Open {
	/** null: the driver's own echo test. */
	readonly id: string | null;
	readonly request: TerminalRequest;
	readonly frame: Uint8Array;
	readonly acked: boolean;
	readonly sends: number;
	/** When it was last sent, or acked. */
	readonly since: number;
	/** When its first byte went out. */
	readonly begunAt: number;
	/** Whether any byte has come since. */
	readonly heard: boolean;
	readonly nakAt: number | null;
	/** Bytes without meaning came since it was sent: a NAK among them proves nothing. */
	readonly noisy: boolean;
	/** An answer that equals the last one, before any ACK: said again, or the same outcome for this request too. */
	readonly alike: { readonly response: TerminalResponse; readonly at: number } | null;
}

/**
 * An answer that was reported. `waiting` for the desk to make it durable; `abandoned` when another request came first: the
 * terminal never got an ACK for it, so a repeat is told again, but never as the answer to something else.
 */
export interface Told {
	readonly response: TerminalResponse;
	readonly state: 'waiting' | 'durable' | 'abandoned';
}

export const isWaiting = ({ state }: Told): boolean => state === 'waiting';

export interface EcrState {
	readonly line: boolean;
	readonly decoder: DecoderState;
	readonly heardAt: number;
	readonly tickedAt: number;
	readonly open: Open | null;
	/** Oldest first. */
	readonly silent: readonly TimedOut[];
	/** Oldest first; the terminal may say them again. */
	readonly told: readonly Told[];
	/** Damaged answers since the last good one or the last request. */
	readonly damages: number;
	/** Bytes without meaning since the last quiet moment. */
	readonly noise: number;
	/** Whether a terminal is at the other end: unproven since the line opened, alive when it last spoke, dead when it did not. */
	readonly presence: 'unproven' | 'alive' | 'dead';
	/** When it last said something that a terminal says in answer to the kiosk. */
	readonly aliveAt: number;
	/** When it last refused every sending of a request. */
	readonly refusedAt: number;
	/** Whether it has said anything that a terminal says since the line opened. */
	readonly spoken: boolean;
	/** When the driver's next echo test is due; without a probe, when a dead terminal is offered again. */
	readonly probeAt: number;
	/** No echo test before: a customer may be paying, from before this run. */
	readonly quietUntil: number;
	readonly queued: Queued | null;
	/** When `queued` may go out. */
	readonly queuedAt: number;
	/** The terminal's own clock as an echo test told it, and when that test was sent. */
	readonly clock: { readonly told: number; readonly at: number } | null;
	readonly reported: (TerminalReport & { kind: 'state' })['state'];
}

export type EcrEvent =
	| { kind: 'opened'; now: number }
	| { kind: 'lost'; reason: string; now: number }
	| { kind: 'data'; bytes: Uint8Array; now: number }
	| { kind: 'tick'; now: number }
	| { kind: 'request'; request: TerminalRequest; id: string; now: number }
	| { kind: 'acknowledge'; now: number };

export type EcrEffect =
	| { kind: 'send'; frame: Uint8Array }
	| { kind: 'say'; control: 'ack' | 'nak' }
	| { kind: 'report'; report: TerminalReport }
	| { kind: 'log'; id: EventId; fields: LogFields };

export const NEVER = Number.NEGATIVE_INFINITY;

export const ECR_START: EcrState = {
	line: false,
	decoder: DECODER_START,
	heardAt: NEVER,
	tickedAt: NEVER,
	open: null,
	silent: [],
	told: [],
	damages: 0,
	noise: 0,
	presence: 'unproven',
	aliveAt: NEVER,
	refusedAt: NEVER,
	spoken: false,
	probeAt: NEVER,
	quietUntil: NEVER,
	queued: null,
	queuedAt: NEVER,
	clock: null,
	reported: 'disconnected',
};
