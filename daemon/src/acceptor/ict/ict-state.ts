/** State, limits, events and effects of the ICT state machine. */
import type { AcceptorState, ReturnReason } from '@kiosk/contract/live';
import type { AcceptorCommand, AcceptorReport } from '../driver.ts';
import type { Command } from './codes.ts';
import { DECODER_START, type DecoderState, type Meaning } from './decoder.ts';
import { endedRushOf, hearWord, NO_RUSH, type Rush, type Word, wordOf } from './rush.ts';

export const LIMITS = {
	/** Other drivers of these units poll an enabled unit every 100 to 500 ms. */
	pollEnabledMs: 300,
	/** Other drivers poll an inhibited unit as seldom as every 2 s. Each poll wakes the processor. */
	pollInhibitedMs: 1_000,
	/** Interval of the ticks, unless the unit is idle: a third of the shortest poll interval. */
	tickMs: 100,
	/** After five unanswered polls the unit counts as silent. */
	silentPolls: 5,
	/**
	 * The line is reopened when the unit becomes silent, and again after each further series of this
	 * many unanswered polls.
	 */
	reopenPolls: 20,
	/** Units take up to 15 s to answer after power-up or reset. */
	quietAfterPowerUpMs: 15_000,
	/** An escrow ends after 5 s, so one second later no note can be in escrow. */
	escrowOverMs: 6_000,
	/**
	 * ACCEPT (02) is sent only within this time after the escrow. Later the escrow may have ended, or
	 * another note may be in escrow.
	 */
	acceptMs: 4_000,
	/** An accepted note without an outcome after this time is in doubt. Stacking takes about 3 s. */
	outcomeMs: 15_000,
	/**
	 * A STACKED within this time after `outcomeMs`, or after the fault that held the note is cleared,
	 * still refers to the note in doubt. After this time a working unit has stopped moving the note,
	 * so a later STACKED does not settle it.
	 */
	lateMs: 15_000,
	/**
	 * After a doubt, or after the end of the fault that caused the doubt, the unit stays inhibited
	 * for this time, unless the outcome of the note comes first. Otherwise a late STACKED about the
	 * note in doubt would be attributed to the next note.
	 */
	nextNoteMs: 20_000,
	/**
	 * A fault that begins later than this after ACCEPT may hold the next note. Stacking takes 3 s. A
	 * unit that is twice as fast may have stacked the accepted note by then, and its STACKED may be
	 * lost.
	 */
	stackingMs: 1_500,
	/**
	 * A unit repeats an escrow within this time if it missed 02 or reports the note while stacking
	 * it. A new note of the same type comes later, because the unit must first stack the old note and
	 * read the new one.
	 */
	repeatMs: 2_500,
	/**
	 * After a pause of the process that is longer than this, an escrow in the read buffer may be
	 * over.
	 */
	stallMs: 1_500,
	/**
	 * Bytes read within this time after a pause of the process may have waited in the read buffer.
	 */
	stallReadMs: 250,
	/**
	 * Within `stallReadMs` after a pause of the process, a gap of more than this time between two
	 * events extends the pause. During that period the driver ticks every `tickMs`.
	 */
	jerkMs: 200,
	/**
	 * An escrow (81 4x) among this many unexpected bytes may be noise. A gap of `noiseWindowMs`
	 * starts the count again.
	 */
	noiseBytes: 8,
	noiseWindowMs: 500,
	/**
	 * An outcome among this many unexpected bytes proves nothing. In less noise a real STACKED is far
	 * more likely than a false one.
	 */
	floodBytes: 32,
	/**
	 * Without 2F, this many answers of 3E or 5E clear a fault. Fewer answers do not, because a unit
	 * may answer 5E while its fault persists.
	 */
	healthyAnswers: 3,
	/**
	 * A unit sends about ten bytes per second. The count of recent bytes falls by
	 * `crowdBytesPerSecond` each second. While the count is above `crowdBytes`, no report of a note
	 * is trusted.
	 */
	crowdBytes: 48,
	crowdBytesPerSecond: 48,
	/**
	 * After this many undecodable bytes without an answer of 3E or 5E, the line counts as garbled.
	 */
	garbledBytes: 20,
} as const;

export interface SeenNote {
	readonly type: number;
	/** Whether `type` is certain. */
	readonly sure: boolean;
	/** When the note entered its present phase. */
	readonly at: number;
	/** When the unit last reported that it holds the note. */
	readonly namedAt: number;
}
/** An accepted note whose outcome is not known. */
export type TakenNote = SeenNote & { readonly phase: 'accepted' | 'overdue' };
export type Note = { readonly phase: 'none' } | (SeenNote & { readonly phase: 'escrow' | 'rejected' }) | TakenNote;

export const isTaken = (note: Note): note is TakenNote => note.phase === 'accepted' || note.phase === 'overdue';

export interface IctState {
	readonly open: boolean;
	/** The line was closed because it carried more than a unit can send. */
	readonly flooded: boolean;
	readonly decoder: DecoderState;
	readonly wanted: 'enabled' | 'inhibited';
	/** The last of the commands 3E and 5E sent on this line. */
	readonly commanded: 'enabled' | 'inhibited' | null;
	/** The last of the answers 3E and 5E received on this line. */
	readonly answered: 'enabled' | 'inhibited' | null;
	/** Whether the unit has confirmed the last enable command. */
	readonly confirmed: boolean;
	readonly fault: AcceptorState | null;
	/**
	 * `out`: the unit has reported during the current fault that the cashbox was removed, even if it
	 * has sent another fault code since. `in`: during a lock, the driver has reported that the
	 * cashbox is in place.
	 */
	readonly box: 'out' | 'in' | null;
	/** Beginning and end of the current or last fault. */
	readonly faultAt: number;
	readonly clearedAt: number;
	/**
	 * Whether a manipulation attempt (note pulled) has locked the acceptor. 2F does not unlock it;
	 * only staff do.
	 */
	readonly locked: boolean;
	readonly note: Note;
	readonly polledAt: number;
	readonly tickedAt: number;
	/** When a pause of the process was last noticed. */
	readonly stalledAt: number;
	/** Unexpected bytes since the last gap of `noiseWindowMs`, and the time of the last such byte. */
	readonly noise: { readonly bytes: number; readonly at: number };
	/** When the line was last lost. The unit's reports from then until the reopening are missing. */
	readonly lostAt: number;
	readonly unanswered: number;
	/** Answers of 3E or 5E since the last fault code. */
	readonly healthyAnswers: number;
	/**
	 * Time of the last reported STACKED. Another STACKED within `repeatMs`, without a new escrow or a
	 * fault between them, is a repeat.
	 */
	readonly stackedAt: number;
	readonly quietUntil: number;
	/** No note is taken before this time, because a report may still be about a note in doubt. */
	readonly nextNoteAt: number;
	/** When a byte last indicated a note at the slot or in escrow. An outcome resets this time. */
	readonly escrowHintAt: number;
	/**
	 * The time since which the unit may be waiting for 02; `sure`: the complete pair 80 8F was
	 * received.
	 */
	readonly owed: { readonly since: number; readonly sure: boolean } | null;
	readonly undecodable: number;
	/** The number of reports of each kind that are still allowed, and the counts of a rush. */
	readonly rush: Rush;
	/** Count of recent bytes (see `crowdBytes`), and the time of that count. */
	readonly crowd: { readonly bytes: number; readonly at: number };
	/** The last reported state; null if the next state must be reported in any case. */
	readonly reported: AcceptorState | null;
}

export type IctEvent =
	| { kind: 'opened'; now: number }
	/** `flooded`: the line was closed because it carried more than a unit can send. */
	| { kind: 'lost'; flooded?: boolean; now: number }
	| { kind: 'data'; bytes: Uint8Array; now: number }
	| { kind: 'tick'; now: number }
	| { kind: 'command'; command: AcceptorCommand; now: number };

export type IctEffect =
	| { kind: 'write'; command: Command }
	| { kind: 'report'; report: AcceptorReport }
	| { kind: 'reopen'; reason: string }
	| { kind: 'heard'; meaning: Meaning };

export const ICT_START: IctState = {
	open: false,
	flooded: false,
	decoder: DECODER_START,
	wanted: 'inhibited',
	commanded: null,
	answered: null,
	confirmed: false,
	fault: null,
	box: null,
	faultAt: Number.NEGATIVE_INFINITY,
	clearedAt: Number.NEGATIVE_INFINITY,
	locked: false,
	note: { phase: 'none' },
	polledAt: Number.NEGATIVE_INFINITY,
	tickedAt: Number.NEGATIVE_INFINITY,
	stalledAt: Number.NEGATIVE_INFINITY,
	noise: { bytes: 0, at: Number.NEGATIVE_INFINITY },
	lostAt: Number.NEGATIVE_INFINITY,
	unanswered: 0,
	healthyAnswers: 0,
	stackedAt: Number.NEGATIVE_INFINITY,
	quietUntil: Number.NEGATIVE_INFINITY,
	nextNoteAt: Number.NEGATIVE_INFINITY,
	escrowHintAt: Number.NEGATIVE_INFINITY,
	owed: null,
	undecodable: 0,
	rush: NO_RUSH,
	crowd: { bytes: 0, at: 0 },
	reported: 'disconnected',
};

/** One step of the state machine while it is computed: the state and the effects so far. */
export class Step {
	state: IctState;
	readonly effects: IctEffect[] = [];
	readonly now: number;

	constructor(state: IctState, now: number) {
		this.state = state;
		this.now = now;
	}

	set(change: Partial<IctState>): void {
		this.state = { ...this.state, ...change };
	}

	write(command: Command): void {
		this.effects.push({ kind: 'write', command });
	}

	report(report: AcceptorReport): void {
		const word = wordOf(report);
		if (word === null || this.believe(word)) this.effects.push({ kind: 'report', report });
	}

	/**
	 * Counts a report whose rate is limited (rush.ts), and reports the beginning of a rush.
	 * @returns whether the report is passed on; false during a rush
	 */
	believe(word: Word): boolean {
		const before = this.state.rush;
		const { rush, believed } = hearWord(before, word, this.now);
		this.set({ rush });
		if (!believed && before.counted === null) this.effects.push({ kind: 'report', report: { kind: 'rush', phase: 'begun' } });
		return believed;
	}

	/** When the rush is over, reports its counts, and a removal if the cashbox is still out. */
	endRush(): void {
		const counted = endedRushOf(this.state.rush, this.now);
		if (counted === null) return;
		this.set({ rush: { ...this.state.rush, counted: null } });
		this.effects.push({ kind: 'report', report: { kind: 'rush', phase: 'over', refused: counted.refused, stacked: counted.stacked } });
		// During the rush a removal was only counted, and a lock would hide it from now on.
		if (this.state.box === 'out') this.effects.push({ kind: 'report', report: { kind: 'cashbox_removed' } });
	}

	refuse(reason: ReturnReason): void {
		const { note } = this.state;
		const type = note.phase === 'none' ? 0 : note.type;
		this.set({ note: { phase: 'rejected', type, sure: reason !== 'unreadable', at: this.now, namedAt: this.now } });
		this.write('reject');
		this.report({ kind: 'refused', reason });
	}
}

/** @returns the count of recent bytes after `bytes` more were read */
export function addToCrowd({ crowd }: IctState, bytes: number, now: number): IctState['crowd'] {
	const left = crowd.bytes - ((now - crowd.at) * LIMITS.crowdBytesPerSecond) / 1_000;
	// The count is capped, so that reports are trusted again at most one second after the last byte.
	return { bytes: Math.min(Math.max(0, left) + bytes, LIMITS.crowdBytes + LIMITS.crowdBytesPerSecond), at: now };
}

/**
 * @returns whether the line carries more bytes than a unit sends. Then no report of a note can be
 * trusted
 */
export const isCrowded = (state: IctState, now: number): boolean => addToCrowd(state, 0, now).bytes > LIMITS.crowdBytes;

/** @returns whether reports are only counted because the unit sends implausibly many */
export const isRush = ({ rush }: IctState): boolean => rush.counted !== null;

/**
 * @returns whether the line carries so many unexpected bytes that no escrow among them can be
 * trusted; `now` in monotonic ms
 */
export const isNoisy = ({ noise }: IctState, now: number): boolean =>
	noise.bytes >= LIMITS.noiseBytes && now - noise.at < LIMITS.noiseWindowMs;

/**
 * @returns whether the line carries so many bytes that not even a message of one byte can be
 * trusted; `now` in monotonic ms
 */
export const isFlooded = (state: IctState, now: number): boolean =>
	(isNoisy(state, now) && state.noise.bytes >= LIMITS.floodBytes) || isCrowded(state, now);
