/** What the link machine knows, hears and does, and how long it waits. */
import type { EventId, LogFields } from '../../log/log.ts';
import type { TerminalReport, TerminalRequest, TerminalResponse } from '../terminal.ts';
import { DECODER_START, type DecoderState } from './decoder.ts';
import type { EcrVersion } from './frame.ts';

/** How one terminal is spoken to. All times in ms. */
export interface EcrSettings {
	version: EcrVersion;
	/** `echo`: after the line has opened the terminal must answer an echo test before it counts as ready. */
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
}

export const ECR_DEFAULTS: EcrSettings = {
	version: 1,
	// What a terminal does with an echo test while a customer pays is not known, and a daemon may start at that moment.
	probe: 'none',
	// No official figure is public; a terminal was seen to answer within 1 s.
	ackMs: 5_000,
	// Implementations wait 60 to 300 s; one on the serial line 125 s. What comes later still counts.
	answerMs: 125_000,
	echoMs: 30_000,
	// At 9600 baud, the slowest in use, a byte takes 1 ms; device servers send in lumps.
	halfFrameMs: 1_000,
	// Terminals were seen to say NAK twice in a row, and to say ACK within 1 s: what belongs to the last sending comes first.
	resendMs: 1_500,
	probeAgainMs: 30_000,
};

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
	readonly nakAt: number | null;
	/** Bytes without meaning came since it was sent: a NAK among them proves nothing. */
	readonly noisy: boolean;
}

/**
 * An answer that was reported. `waiting` for the desk to make it durable; `abandoned` when another request came first: the
 * terminal never got an ACK for it, so a repeat is told again, but never as the answer to something else.
 */
export interface Told {
	readonly response: TerminalResponse;
	readonly state: 'waiting' | 'durable' | 'abandoned';
}

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
	/** When the driver's next echo test is due; null when the terminal has proven itself or need not. */
	readonly probeAt: number | null;
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
	probeAt: null,
	reported: 'disconnected',
};
