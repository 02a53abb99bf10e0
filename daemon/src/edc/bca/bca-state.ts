/** State, events, effects and time limits of the link's state machine. */
import type { LogEffect } from '../../log/event-fields.ts';
import type { TerminalReport, TerminalRequest, TerminalResponse } from '../terminal.ts';
import { DECODER_START, type DecoderState, isInFrame } from './decoder.ts';
import type { EcrVersion } from './frame.ts';

/** Settings of the link to a terminal. All times in ms. */
export interface EcrSettings {
	version: EcrVersion;
	/**
	 * `echo`: a terminal counts as ready only while it answers echo tests. Echo tests are sent when
	 * the line opens, after `probeIdleMs` without an answer, and before a request that moves money
	 * (see `freshMs`). `none`: for terminals that do not support the echo test.
	 */
	probe: 'none' | 'echo';
	/** Time limit from a request to its ACK. */
	ackMs: number;
	/**
	 * Time limit from the ACK to the response. In this time the customer uses card and PIN, and the
	 * bank's host answers.
	 */
	answerMs: number;
	/**
	 * Time limit from the ACK of an echo test to its response. The test needs no customer, but some
	 * terminals contact the bank's host.
	 */
	echoMs: number;
	/** Time limit between two bytes of one frame. */
	halfFrameMs: number;
	/** Wait from a NAK to the repetition of the request. */
	resendMs: number;
	/** Interval between two echo tests while the terminal does not answer them. */
	probeAgainMs: number;
	/**
	 * Interval from the terminal's last answer to the next echo test. If echo tests are switched off:
	 * how long the terminal counts as silent after an unanswered sale or a refused request.
	 */
	probeIdleMs: number;
	/**
	 * A request that moves money needs no echo test if the terminal has answered within this time.
	 */
	freshMs: number;
	/** Wait from the answer to an echo test to the request that waited for this answer. */
	restMs: number;
}

export const ECR_DEFAULTS: EcrSettings = {
	version: 1,
	// The echo test moves no money, and an absent terminal must be noticed before a customer
	// chooses cards.
	probe: 'echo',
	// No official figure is public; a terminal was observed to answer within 1 s.
	ackMs: 5_000,
	// Other implementations wait 60 to 300 s; one for the serial line waits 125 s. A later response
	// is still accepted.
	answerMs: 125_000,
	echoMs: 30_000,
	// At 9600 baud, the slowest in use, a byte takes 1 ms; device servers send in bursts.
	halfFrameMs: 1_000,
	// Terminals were observed to send NAK twice, and ACK within 1 s. After this pause, a
	// second NAK or a late ACK should have arrived.
	resendMs: 1_500,
	// This is short enough that the next customer can use a terminal that was just switched on.
	probeAgainMs: 10_000,
	// This is seldom enough for a terminal that passes echo tests on to its bank.
	probeIdleMs: 60_000,
	// This time covers the screen's own retry after a decline. A terminal cannot be switched off and
	// on in less time.
	freshMs: 10_000,
	// The terminal may still show the result of the echo test. Other implementations allow half a
	// second plus the ACK limit.
	restMs: 1_000,
};

/**
 * Until this time after an unanswered sale, a late ACK may belong to the sale. A TCP stack gives up
 * after about 15 minutes; until then it delivers the request when the cable is reconnected.
 */
export const LATE_ACK_MS = 15 * 60_000;

/**
 * A reading of the terminal's clock is used for this long, because clocks are rarely set by hand
 * and drift only seconds per day.
 */
export const CLOCK_READING_MS = 5 * 60_000;

/** Pause between ticks while a time limit runs: a tenth of the shortest limit. */
const TICK_MS = 100;
/**
 * Pause between ticks while only an echo test can become due. Each tick wakes the processor.
 */
const IDLE_TICK_MS = 1_000;

/**
 * If a time limit runs, a longer gap between two ticks means that the process was suspended. The
 * limits are then not checked before the buffered bytes are read.
 */
export const STALL_MS = 1_000;

export const COUNTS = {
	/**
	 * How often a request is sent in all: once, and at most twice more after NAK. One known
	 * implementation of the link also repeats "at most 2 more times".
	 */
	sends: 3,
	/** How often the kiosk requests a damaged response again. */
	naks: 3,
	/**
	 * If this many bytes without a frame come while a request is open, they count as a response whose
	 * first bytes were damaged.
	 */
	lostFrameBytes: 100,
	/** How many responses, and how many timed-out requests, are remembered. */
	remembered: 16,
} as const;

/** A request that ended without a response; the response may still come. */
export interface TimedOut {
	/** null: the driver's own echo test. */
	readonly id: string | null;
	readonly request: TerminalRequest;
	readonly at: number;
	readonly acked: boolean;
	/**
	 * Whether the request was reported as not begun because the terminal had sent no byte. A late ACK
	 * disproves this report.
	 */
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
	/** When the request was last sent or acknowledged. */
	readonly since: number;
	/** When the first byte of the request was sent. */
	readonly begunAt: number;
	/**
	 * Whether the terminal has sent any byte since `begunAt`, or may have sent one during a pause of
	 * the process.
	 */
	readonly heard: boolean;
	readonly nakAt: number | null;
	/** Whether unexpected bytes have come since the request was sent. If so, a NAK is ignored. */
	readonly noisy: boolean;
	/**
	 * A response that came during this request and equals an earlier response: a repeat, or the same
	 * outcome again. `at`: when it first came during this request.
	 */
	readonly alike: { readonly response: TerminalResponse; readonly at: number } | null;
}

/**
 * A reported response. `waiting`: not on disk yet. `abandoned`: another request began before the
 * response was on disk, so the terminal got no ACK. A repeat of an abandoned response is reported
 * again, but never as the response to another request.
 */
export interface Told {
	readonly response: TerminalResponse;
	readonly state: 'waiting' | 'durable' | 'abandoned';
	/** Monotonic ms. */
	readonly at: number;
}

export const isWaiting = ({ state }: Told): boolean => state === 'waiting';

export interface EcrState {
	readonly line: boolean;
	readonly decoder: DecoderState;
	readonly heardAt: number;
	readonly tickedAt: number;
	readonly open: Open | null;
	/** Requests that ended without a response, oldest first. */
	readonly silent: readonly TimedOut[];
	/** Reported responses, oldest first; the terminal may repeat them. */
	readonly told: readonly Told[];
	/** Number of damaged responses since the last good response or the last request. */
	readonly damages: number;
	/** Number of unexpected bytes since the last response, request, or pause of `halfFrameMs`. */
	readonly noise: number;
	/**
	 * Whether a terminal is connected. `unproven`: no answer yet since the line opened. `alive`: it
	 * has answered. `dead`: it did not react to an echo test, it sent no byte at all when a sale was
	 * sent, or it refused every transmission of a request.
	 */
	readonly presence: 'unproven' | 'alive' | 'dead';
	/** When the terminal last answered the kiosk. */
	readonly aliveAt: number;
	/** When the terminal last refused every transmission of a request. */
	readonly refusedAt: number;
	/** Whether the terminal has sent any protocol byte since the line opened. */
	readonly spoken: boolean;
	/**
	 * When the driver sends its next echo test. If echo tests are switched off: when the kiosk offers
	 * cards again although the terminal was silent.
	 */
	readonly probeAt: number;
	/** No echo test is sent before this time: a customer of the previous run may still be paying. */
	readonly quietUntil: number;
	readonly queued: Queued | null;
	/** When `queued` may be sent. */
	readonly queuedAt: number;
	/** The terminal's clock and id from an echo test, and when that test was sent. */
	readonly clock: { readonly told: number; readonly at: number; readonly terminal_id: string } | null;
	readonly reported: (TerminalReport & { kind: 'state' })['state'];
}

export type EcrEvent =
	| { kind: 'opened'; now: number }
	| { kind: 'lost'; reason: string; now: number }
	| { kind: 'data'; bytes: Uint8Array; now: number }
	| { kind: 'tick'; now: number }
	| { kind: 'request'; request: TerminalRequest; id: string; now: number }
	| { kind: 'withdraw'; id: string; now: number }
	| { kind: 'acknowledge'; response: TerminalResponse; now: number };

export type EcrEffect =
	| { kind: 'send'; frame: Uint8Array }
	| { kind: 'say'; control: 'ack' | 'nak' }
	| { kind: 'report'; report: TerminalReport }
	| LogEffect;

export const NEVER = Number.NEGATIVE_INFINITY;

/** @returns whether no time limit runs: only an echo test can become due */
export const isIdle = ({ open, queued, decoder, noise, told }: EcrState): boolean =>
	open === null && queued === null && !isInFrame(decoder) && noise === 0 && !told.some(isWaiting);

/** @returns time until the next tick, ms */
export const pauseBeforeTick = (state: EcrState): number => (isIdle(state) ? IDLE_TICK_MS : TICK_MS);

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
