/**
 * The conversation with an ICT acceptor as a pure machine: bytes and ticks in, command names and reports out.
 * ICT has no checksum, no replay and one byte (02) for both "I am here" and "take the note", so most rules here exist to
 * never send 02 while a note that nobody has recorded may lie in escrow.
 */
import type { AcceptorState, ReturnReason } from '../../../contract/live.ts';
import type { AcceptorCommand, AcceptorReport } from '../driver.ts';
import type { Command } from './codes.ts';
import { DECODER_START, type DecoderState, decodeByte, type Meaning } from './decoder.ts';

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
	/**
	 * A unit that did not hear 02, or that names the note it is stacking in poll answers, repeats the escrow within this since
	 * it was last named. A new note of the same type takes longer: the first has to be stacked and the next one read.
	 */
	repeatMs: 2_500,
	/** After a pause of the whole process longer than this, an escrow that waits in the buffer may be over. */
	stallMs: 1_500,
	/** What is read this soon after such a pause had waited in the buffer. */
	stallReadMs: 250,
	/** So many bytes without meaning with no longer gap than this: 81 4x among them is as likely noise as a note. */
	noiseBytes: 8,
	noiseWindowMs: 500,
	/** Only in a flood is an outcome not believed either: in lesser noise the true 10 is far likelier than a made-up one. */
	floodBytes: 32,
	/** A unit may echo 5E although its fault persists, so one such answer does not clear a fault; this many polls do. */
	healthyAnswers: 3,
	/** Undecodable bytes without one good answer between them: wrong speed or parity. */
	garbledBytes: 20,
} as const;

type Note =
	| { readonly phase: 'none' }
	| {
			readonly phase: 'escrow' | 'accepted' | 'rejected' | 'overdue';
			readonly type: number;
			/** When it came into this phase. */
			readonly at: number;
			/** When the unit last said that it holds it. */
			readonly namedAt: number;
	  };

export interface IctState {
	readonly open: boolean;
	readonly decoder: DecoderState;
	readonly wanted: 'enabled' | 'inhibited';
	/** The last of 3E/5E that we sent on this line. */
	readonly commanded: 'enabled' | 'inhibited' | null;
	/** The last of 3E/5E that the unit answered on this line. */
	readonly answered: 'enabled' | 'inhibited' | null;
	readonly fault: AcceptorState | null;
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
	/** When the last 10 was taken for a note; another 10 without a new escrow is a repeat. */
	readonly stackedAt: number;
	readonly quietUntil: number;
	/** The last moment at which a note may have come into escrow. */
	readonly escrowHintAt: number;
	/** The unit waits for 02 since this moment; `sure` when the whole pair 80 8F was seen. */
	readonly owed: { readonly since: number; readonly sure: boolean } | null;
	readonly undecodable: number;
	readonly reported: AcceptorState;
}

export type IctEvent =
	| { kind: 'opened'; now: number }
	| { kind: 'lost'; now: number }
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
	decoder: DECODER_START,
	wanted: 'inhibited',
	commanded: null,
	answered: null,
	fault: null,
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
	escrowHintAt: Number.NEGATIVE_INFINITY,
	owed: null,
	undecodable: 0,
	reported: 'disconnected',
};

/** A step in the making: the state so far and what must be done. */
class Step {
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
		this.effects.push({ kind: 'report', report });
	}

	refuse(reason: ReturnReason): void {
		const { note } = this.state;
		this.set({ note: { phase: 'rejected', type: note.phase === 'none' ? 0 : note.type, at: this.now, namedAt: this.now } });
		this.write('reject');
		this.report({ kind: 'refused', reason });
	}
}

/** @returns the next state and the effects in the order in which they must happen */
export function ictStep(state: IctState, event: IctEvent): { state: IctState; effects: IctEffect[] } {
	const step = new Step(state, event.now);
	if (event.kind === 'opened') open(step);
	else if (event.kind === 'lost') lose(step);
	else if (event.kind === 'data') data(step, event.bytes);
	else if (event.kind === 'tick') tick(step);
	else command(step, event.command);
	steer(step);
	reportState(step);
	return { state: step.state, effects: step.effects };
}

function open(step: Step): void {
	const { owed } = step.state;
	step.set({
		open: true,
		decoder: DECODER_START,
		commanded: null,
		answered: null,
		// What happened while the line was away is unknown: the wait for a possible escrow begins anew.
		owed: owed && { since: step.now, sure: false },
		polledAt: Number.NEGATIVE_INFINITY,
		tickedAt: step.now,
		undecodable: 0,
	});
}

function lose(step: Step): void {
	const { note } = step.state;
	// An accepted note goes on into the cashbox without us; any other returns to the customer by itself.
	const kept: Note = note.phase === 'accepted' || note.phase === 'overdue' ? note : { phase: 'none' };
	step.set({ open: false, lostAt: step.now, commanded: null, answered: null, note: kept, decoder: DECODER_START });
}

function data(step: Step, bytes: Uint8Array): void {
	noticeStall(step);
	step.set({ unanswered: 0 });
	for (const byte of bytes) {
		const decoded = decodeByte(step.state.decoder, byte, step.now);
		step.set({ decoder: decoded.state });
		for (const meaning of decoded.meanings) hear(step, meaning);
	}
	// Decided only after the whole read: what follows in it may have begun or ended an escrow.
	synchronise(step);
	const { note } = step.state;
	if (note.phase !== 'escrow') return;
	const { stalledAt, fault, locked } = step.state;
	if (step.now - stalledAt < LIMITS.stallReadMs) step.refuse('decided_too_late');
	else if (isNoisy(step.state, step.now)) step.refuse('unreadable');
	else if (fault !== null || locked) step.refuse('rejected_by_machine');
	else step.report({ kind: 'escrow', code: noteCode(note.type) });
}

const isNoisy = ({ noise }: IctState, now: number): boolean => noise.bytes >= LIMITS.noiseBytes && now - noise.at < LIMITS.noiseWindowMs;

/** Ticks stop while the process stands still, so the first thing that happens afterwards sees the gap. */
function noticeStall(step: Step): void {
	if (step.state.open && step.now - step.state.tickedAt > LIMITS.stallMs) step.set({ stalledAt: step.now });
	step.set({ tickedAt: step.now });
}

/** @returns the note type as the settings write it, e.g. "0x44" */
export const noteCode = (type: number): string => `0x${type.toString(16)}`;

function hear(step: Step, meaning: Meaning): void {
	step.effects.push({ kind: 'heard', meaning });
	switch (meaning.kind) {
		case 'power_up':
			return poweredUp(step);
		case 'power_up_begun':
		case 'not_synchronised':
			return oweSynchronise(step, false);
		case 'note_coming':
			return step.set({ escrowHintAt: step.now });
		case 'escrow':
			return escrow(step, meaning.type);
		case 'broken_escrow':
			if (step.state.note.phase !== 'accepted') step.refuse('unreadable');
			return;
		case 'bare_type':
			return bareType(step, meaning.type);
		case 'stacked':
			return stacked(step);
		case 'returned':
			return returned(step);
		case 'note_rejected':
			return rejected(step);
		case 'country':
			return;
		case 'enabled':
		case 'inhibited':
			return answered(step, meaning.kind);
		case 'fault_cleared':
			return step.set({ fault: null });
		case 'fault':
			return fault(step, meaning.fault);
		case 'busy':
		case 'invalid_command':
			return;
		case 'discarded':
			return discarded(step);
		default:
			return meaning satisfies never;
	}
}

/** 29: a note that nobody has accepted went back, also one that was offered a moment ago. */
function rejected(step: Step): void {
	const { phase } = step.state.note;
	if (phase !== 'none' && phase !== 'escrow') return;
	step.set({ note: { phase: 'none' } });
	step.report({ kind: 'refused', reason: 'rejected_by_machine' });
}

function discarded(step: Step): void {
	const { noise, undecodable } = step.state;
	const bytes = step.now - noise.at < LIMITS.noiseWindowMs ? noise.bytes + 1 : 1;
	step.set({ undecodable: undecodable + 1, noise: { bytes, at: step.now } });
}

function poweredUp(step: Step): void {
	const { note } = step.state;
	if (note.phase === 'accepted') step.report({ kind: 'outcome_missing', why: 'the acceptor restarted while it stacked the note' });
	step.set({
		note: { phase: 'none' },
		fault: null,
		answered: null,
		commanded: null,
		stackedAt: Number.NEGATIVE_INFINITY,
		quietUntil: step.now + LIMITS.quietAfterPowerUpMs,
	});
	oweSynchronise(step, true);
}

function oweSynchronise(step: Step, sure: boolean): void {
	step.set({ owed: { since: step.state.owed?.since ?? step.now, sure: sure || (step.state.owed?.sure ?? false) } });
}

/** Says 02: at once after a whole power-up, later after half of one, and never while a note may lie in escrow. */
function synchronise(step: Step): void {
	const { owed, escrowHintAt } = step.state;
	if (!owed) return;
	const quietSince = owed.sure ? escrowHintAt : Math.max(escrowHintAt, owed.since);
	if (step.now - quietSince <= LIMITS.escrowOverMs) return;
	step.write('synchronise');
	step.set({ owed: null });
}

function escrow(step: Step, type: number): void {
	step.set({ escrowHintAt: step.now });
	const { note } = step.state;
	const recent = note.phase !== 'none' && step.now - note.at <= LIMITS.repeatMs;
	if (note.phase === 'escrow') {
		if (note.type !== type) step.refuse('unreadable');
		return;
	}
	if (note.phase === 'rejected' && recent && note.type === type) return step.write('reject');
	if (note.phase === 'accepted') {
		if (step.now - note.namedAt <= LIMITS.repeatMs && note.type === type) return step.set({ note: { ...note, namedAt: step.now } });
		// Another note before the first one's outcome: that outcome was lost on the line.
		step.report({ kind: 'outcome_missing', why: 'another note came before the outcome of this one' });
		return step.refuse('unreadable');
	}
	step.set({ note: { phase: 'escrow', type, at: step.now, namedAt: step.now } });
}

function bareType(step: Step, type: number): void {
	const { note } = step.state;
	step.set({ escrowHintAt: step.now });
	if (note.phase === 'escrow' && note.type !== type) return step.refuse('unreadable');
	// Perhaps an escrow whose 81 was lost: giving it back is safe, an idle unit ignores the byte.
	if (note.phase === 'none' && step.state.commanded === 'enabled') step.refuse('unreadable');
}

function stacked(step: Step): void {
	const { note, stackedAt, escrowHintAt } = step.state;
	const accepted = note.phase === 'accepted' || note.phase === 'overdue';
	// ICT repeats nothing by design, yet lines do, at once: without a new escrow there is no second note. Much later it is one that
	// never came into escrow, such as a jammed note that staff pushed on into the cashbox.
	if (!accepted && step.now - stackedAt <= LIMITS.repeatMs && escrowHintAt <= stackedAt) return;
	if (accepted && isNoisy(step.state, step.now) && step.state.noise.bytes >= LIMITS.floodBytes) {
		// A 10 out of noise proves nothing; the true one, once the line is quiet, still settles it.
		if (note.phase === 'accepted') step.report({ kind: 'outcome_missing', why: 'the outcome was heard in the middle of line noise' });
		return step.set({ note: { ...note, phase: 'overdue' } });
	}
	step.set({ note: { phase: 'none' }, stackedAt: step.now, escrowHintAt: Number.NEGATIVE_INFINITY });
	step.report({
		kind: 'stacked',
		accepted,
		late: note.phase === 'overdue',
		code: note.phase === 'none' ? null : noteCode(note.type),
	});
}

function returned(step: Step): void {
	const { note } = step.state;
	if (note.phase === 'none') return;
	step.set({ note: { phase: 'none' }, escrowHintAt: Number.NEGATIVE_INFINITY });
	// A unit that went on naming a note for longer than an escrow lasts may have stacked it and now return the next, equal one.
	// So may one whose line was away since: it takes the next note without asking, and gives it back when nobody decides.
	const named = note.phase === 'accepted' && note.namedAt - note.at > 0 && step.now - note.at > LIMITS.escrowOverMs;
	const unheard = (note.phase === 'accepted' || note.phase === 'overdue') && step.state.lostAt >= note.at;
	if (note.phase === 'overdue' && unheard) return;
	if (named || unheard) step.report({ kind: 'outcome_missing', why: 'a note came back, but perhaps not this one' });
	else step.report({ kind: 'returned', accepted: note.phase === 'accepted' || note.phase === 'overdue' });
}

function answered(step: Step, now: 'enabled' | 'inhibited'): void {
	const healthyAnswers = step.state.healthyAnswers + 1;
	step.set({
		answered: now,
		healthyAnswers,
		fault: healthyAnswers >= LIMITS.healthyAnswers ? null : step.state.fault,
		undecodable: 0,
		owed: now === 'enabled' ? null : step.state.owed,
		quietUntil: step.now,
	});
}

function fault(step: Step, fault: AcceptorState): void {
	// Pulled out of the slot before anybody decided: there is nothing left to accept.
	if (fault === 'bill_removed' && step.state.note.phase === 'escrow') step.set({ note: { phase: 'none' } });
	step.set({ fault, healthyAnswers: 0, locked: step.state.locked || fault === 'bill_fish' });
	if (fault === 'communication_failure') oweSynchronise(step, false);
}

function tick(step: Step): void {
	noticeStall(step);
	expireNote(step);
	if (!step.state.open) return;
	synchronise(step);
	const pause = step.state.wanted === 'enabled' ? LIMITS.pollEnabledMs : LIMITS.pollInhibitedMs;
	if (step.now - step.state.polledAt >= pause) poll(step);
}

function expireNote(step: Step): void {
	const { note } = step.state;
	if (note.phase === 'none' || note.phase === 'overdue') return;
	const age = step.now - note.at;
	if (note.phase === 'accepted' && age > LIMITS.outcomeMs) {
		step.set({ note: { ...note, phase: 'overdue' } });
		step.report({ kind: 'outcome_missing', why: `the acceptor did not say within ${LIMITS.outcomeMs} ms what became of the note` });
	} else if (note.phase !== 'accepted' && age > LIMITS.escrowOverMs) step.set({ note: { phase: 'none' } });
}

function poll(step: Step): void {
	const { state } = step;
	// A status that contradicts us is answered by saying it again: some units forget it, some miss it.
	if (state.commanded !== null && state.answered !== null && state.answered !== state.commanded) step.set({ commanded: null });
	step.write('poll');
	const patient = step.now < state.quietUntil || state.note.phase === 'accepted' || state.owed !== null;
	const unanswered = patient ? 0 : state.unanswered + 1;
	step.set({ polledAt: step.now, unanswered });
	if (unanswered > LIMITS.silentPolls && unanswered % LIMITS.reopenPolls === LIMITS.silentPolls + 1)
		step.effects.push({ kind: 'reopen', reason: `no answer to ${unanswered - 1} polls` });
}

function command(step: Step, asked: AcceptorCommand): void {
	const { note } = step.state;
	switch (asked) {
		case 'enable':
			return step.set({ wanted: 'enabled' });
		case 'inhibit':
			return step.set({ wanted: 'inhibited' });
		case 'accept':
			if (note.phase === 'escrow') accept(step, note);
			return;
		case 'reject':
			if (note.phase !== 'escrow') return;
			step.set({ note: { ...note, phase: 'rejected', at: step.now } });
			return step.write('reject');
		case 'hold':
			if (note.phase === 'escrow') step.write('hold');
			return;
		case 'reset':
			// With a note on its way a reset would hide what becomes of it.
			if ((note.phase !== 'none' && note.phase !== 'overdue') || step.now - step.state.escrowHintAt < LIMITS.escrowOverMs) return;
			step.set({ note: { phase: 'none' }, quietUntil: step.now + LIMITS.quietAfterPowerUpMs, answered: null, commanded: null });
			return step.write('reset');
		case 'unlock':
			return step.set({ locked: false });
		default:
			return asked satisfies never;
	}
}

/** The decision may have waited for a slow disk; then the note goes back, and its intent is closed as returned. */
function accept(step: Step, note: Exclude<Note, { phase: 'none' }>): void {
	const late = step.now - note.at > LIMITS.acceptMs;
	step.set({ note: { ...note, phase: late ? 'rejected' : 'accepted', at: step.now, namedAt: step.now } });
	step.write(late ? 'reject' : 'accept');
	if (late) step.report({ kind: 'returned', accepted: true });
}

/** Sends 3E or 5E when what we want changed; never while a note moves. */
function steer(step: Step): void {
	const { state } = step;
	if (!state.open || state.note.phase === 'escrow' || state.note.phase === 'accepted') return;
	const wanted = state.locked || state.fault !== null ? 'inhibited' : state.wanted;
	if (wanted === state.commanded) return;
	step.write(wanted === 'enabled' ? 'enable' : 'inhibit');
	step.write('poll');
	step.set({ commanded: wanted, polledAt: step.now });
}

function reportState(step: Step): void {
	const state = stateOf(step.state);
	if (state === step.state.reported) return;
	step.set({ reported: state });
	step.report({ kind: 'state', state });
}

function stateOf(state: IctState): AcceptorState {
	if (!state.open) return 'disconnected';
	if (state.locked) return 'bill_fish';
	if (state.fault) return state.fault;
	if (state.unanswered > LIMITS.silentPolls) return 'silent';
	if (state.undecodable >= LIMITS.garbledBytes || isNoisy(state, state.tickedAt)) return 'garbled';
	if (state.answered === null) return 'starting';
	const enabled = state.answered === 'enabled' && state.commanded === 'enabled';
	return enabled && state.wanted === 'enabled' ? 'ready' : 'inhibited';
}
