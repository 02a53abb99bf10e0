/** What the machine of an ICT acceptor knows, how long it waits, and what it may be told and answer. */
import type { AcceptorState, ReturnReason } from '../../../contract/live.ts';
import type { AcceptorCommand, AcceptorReport } from '../driver.ts';
import type { Command } from './codes.ts';
import { DECODER_START, type DecoderState, type Meaning } from './decoder.ts';
import { hearWord, NO_RUSH, overRush, type Rush, type Word, wordOf } from './rush.ts';

export const LIMITS = {
	/** Drivers in the field poll every 100 to 500 ms while enabled. */
	pollEnabledMs: 300,
	pollInhibitedMs: 600,
	/** Five unanswered polls and the unit counts as silent. */
	silentPolls: 5,
	/** While it stays silent the line is reopened after every so many polls. */
	reopenPolls: 20,
	/** Units take up to 15 s to answer after power-up or reset. */
	quietAfterPowerUpMs: 15_000,
	/** Escrow ends by itself after 5 s; one second more and no note can be waiting for a 02. */
	escrowOverMs: 6_000,
	/** Later than this after escrow a 02 might meet the end of the escrow, or another note. */
	acceptMs: 4_000,
	/** Stacking takes about 3 s; the outcome of an accepted note that has not come by now is missing. */
	outcomeMs: 15_000,
	/** So long after that, or after the fault that held the note was cleared, 10 may still be about it. Later nothing moves in a working unit. */
	lateMs: 15_000,
	/** So long after a doubt began, or a fault that held its note was cleared, no next note begins: a late 10 would be taken for that one's. */
	nextNoteMs: 20_000,
	/** The quickest units have stacked a note by then: a fault that begins later after 02 may be that of the next one. */
	stackingMs: 2_500,
	/**
	 * A unit that did not hear 02, or that names the note it is stacking in poll answers, repeats the escrow within this since
	 * it was last named. A new note of the same type takes longer: the first has to be stacked and the next one read.
	 */
	repeatMs: 2_500,
	/** After a pause of the whole process longer than this, an escrow that waits in the buffer may be over. */
	stallMs: 1_500,
	/** What is read this soon after such a pause had waited in the buffer. */
	stallReadMs: 250,
	/** A shorter pause, soon after such a one, belongs to it. The driver ticks every 100 ms. */
	jerkMs: 200,
	/** So many bytes without meaning with no longer gap than this: 81 4x among them is as likely noise as a note. */
	noiseBytes: 8,
	noiseWindowMs: 500,
	/** Only in a flood is an outcome not believed either: in lesser noise the true 10 is far likelier than a made-up one. */
	floodBytes: 32,
	/** A unit may echo 5E although its fault persists, so one such answer does not clear a fault; this many polls do. */
	healthyAnswers: 3,
	/** A unit says some ten bytes a second; above so many, less so many for every second, a note among them cannot be believed. */
	crowdBytes: 48,
	crowdBytesPerSecond: 48,
	/** Undecodable bytes without one good answer between them: wrong speed or parity. */
	garbledBytes: 20,
} as const;

export interface SeenNote {
	readonly type: number;
	/** Whether `type` can be believed. */
	readonly sure: boolean;
	/** When it came into its phase. */
	readonly at: number;
	/** When the unit last said that it holds it. */
	readonly namedAt: number;
}
/** The note that we took and of which nobody has heard where it is. */
export type TakenNote = SeenNote & { readonly phase: 'accepted' | 'overdue' };
export type Note = { readonly phase: 'none' } | (SeenNote & { readonly phase: 'escrow' | 'rejected' }) | TakenNote;

export const isTaken = (note: Note): note is TakenNote => note.phase === 'accepted' || note.phase === 'overdue';

export interface IctState {
	readonly open: boolean;
	/** The line is closed because more came than a unit can say. */
	readonly flooded: boolean;
	readonly decoder: DecoderState;
	readonly wanted: 'enabled' | 'inhibited';
	/** The last of 3E/5E that we sent on this line. */
	readonly commanded: 'enabled' | 'inhibited' | null;
	/** The last of 3E/5E that the unit answered on this line. */
	readonly answered: 'enabled' | 'inhibited' | null;
	/** Whether the unit has said that it is enabled since it was last told so. */
	readonly confirmed: boolean;
	readonly fault: AcceptorState | null;
	/** When the fault that stands, or stood last, began, and when it was over. */
	readonly faultAt: number;
	readonly clearedAt: number;
	/** Somebody pulled at a note: only a person unlocks this, never 2F alone. */
	readonly locked: boolean;
	readonly note: Note;
	readonly polledAt: number;
	readonly tickedAt: number;
	/** When the process last found that it had stood still. */
	readonly stalledAt: number;
	/** Bytes without meaning since the last longer gap, and when the last one came. */
	readonly noise: { readonly bytes: number; readonly at: number };
	/** When the line last went away: what the unit did meanwhile nobody heard. */
	readonly lostAt: number;
	readonly unanswered: number;
	/** Answers of 3E or 5E since the last fault code. */
	readonly healthyAnswers: number;
	/** When the last 10 was taken for a note; another 10 without a new escrow or a fault is a repeat. */
	readonly stackedAt: number;
	readonly quietUntil: number;
	/** No note is taken before: what the unit says until then may be about one that is in doubt. */
	readonly nextNoteAt: number;
	/** The last sign of a note at the slot or in escrow, also of one that went back. */
	readonly escrowHintAt: number;
	/** The unit waits for 02 since this moment; `sure` when the whole pair 80 8F was seen. */
	readonly owed: { readonly since: number; readonly sure: boolean } | null;
	readonly undecodable: number;
	/** How many words about notes were believed one by one lately, and what has only been counted. */
	readonly rush: Rush;
	/** Bytes that came lately, and when that was counted. */
	readonly crowd: { readonly bytes: number; readonly at: number };
	readonly reported: AcceptorState;
}

export type IctEvent =
	| { kind: 'opened'; now: number }
	/** `flooded`: the line was closed because more came than a unit can say. */
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

/** A step in the making: the state so far and what must be done. */
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

	/** After more words about notes than paper can move, none is reported until the line is calm. */
	believe(word: Word): boolean {
		const before = this.state.rush;
		const { rush, believed } = hearWord(before, word, this.now);
		this.set({ rush });
		if (!believed && before.counted === null) this.effects.push({ kind: 'report', report: { kind: 'rush', phase: 'begun' } });
		return believed;
	}

	/** Tells what was counted once the line is calm. */
	endRush(): void {
		const counted = overRush(this.state.rush, this.now);
		if (counted === null) return;
		this.set({ rush: { ...this.state.rush, counted: null } });
		this.effects.push({ kind: 'report', report: { kind: 'rush', phase: 'over', refused: counted.refused, stacked: counted.stacked } });
	}

	refuse(reason: ReturnReason): void {
		const { note } = this.state;
		const type = note.phase === 'none' ? 0 : note.type;
		this.set({ note: { phase: 'rejected', type, sure: reason !== 'unreadable', at: this.now, namedAt: this.now } });
		this.write('reject');
		this.report({ kind: 'refused', reason });
	}
}

/** @returns the bytes that came lately with so many more among them */
export function crowdWith({ crowd }: IctState, bytes: number, now: number): IctState['crowd'] {
	const left = crowd.bytes - ((now - crowd.at) * LIMITS.crowdBytesPerSecond) / 1_000;
	// However many came, the line is believed again a second after the last of them.
	return { bytes: Math.min(Math.max(0, left) + bytes, LIMITS.crowdBytes + LIMITS.crowdBytesPerSecond), at: now };
}

/** @returns whether more comes than a unit says, so that no note in it can be believed */
export const isCrowded = (state: IctState, now: number): boolean => crowdWith(state, 0, now).bytes > LIMITS.crowdBytes;

/** @returns whether so many notes are spoken of that none of them can be believed */
export const isRush = ({ rush }: IctState): boolean => rush.counted !== null;

/** @returns whether bytes without meaning come so densely that nothing among them can be believed; `now` in monotonic ms */
export const isNoisy = ({ noise }: IctState, now: number): boolean =>
	noise.bytes >= LIMITS.noiseBytes && now - noise.at < LIMITS.noiseWindowMs;
