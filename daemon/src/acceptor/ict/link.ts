/** The link to the unit: opened and lost, greeted and polled, silent, noisy or in a fault, switched on and off. */
import type { AcceptorState } from '../../../contract/live.ts';
import { DECODER_START } from './decoder.ts';
import { missing, outOfSight } from './note.ts';
import { type IctState, isCrowded, isNoisy, isRush, isTaken, LIMITS, type Note, type Step } from './state.ts';

/** The line is there: whatever was known of the unit's switch is not known any more. */
export function open(step: Step): void {
	const { owed } = step.state;
	step.set({
		open: true,
		flooded: false,
		crowd: { bytes: 0, at: step.now },
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

/** The line is away. @param flooded closed by us, and nothing that came on it can be believed */
export function lose(step: Step, flooded: boolean): void {
	const { note, fault, clearedAt } = step.state;
	// What held it may be cleared unheard, and the next note take its place.
	if (isTaken(note) && (fault !== null || clearedAt > note.at)) outOfSight(step, 'the line went away after a fault');
	// An accepted note goes on into the cashbox without us; any other returns to the customer by itself.
	const kept: Note = step.state.note.phase === 'accepted' ? step.state.note : { phase: 'none' };
	step.set({ open: false, flooded, lostAt: step.now, commanded: null, answered: null, note: kept, decoder: DECODER_START });
}

/**
 * Ticks stop while the process stands still, so the first thing that happens afterwards sees the gap. On a busy machine it comes back in
 * jerks, and reads late what waited: the pause is over only when it has run evenly for a while.
 */
export function noticeStall(step: Step): void {
	const { open, tickedAt, stalledAt } = step.state;
	const comingBack = tickedAt - stalledAt < LIMITS.stallReadMs;
	if (open && step.now - tickedAt > (comingBack ? LIMITS.jerkMs : LIMITS.stallMs)) step.set({ stalledAt: step.now });
	step.set({ tickedAt: step.now });
}

/** A byte without meaning. */
export function discarded(step: Step): void {
	const { noise, undecodable } = step.state;
	const bytes = step.now - noise.at < LIMITS.noiseWindowMs ? noise.bytes + 1 : 1;
	step.set({ undecodable: undecodable + 1, noise: { bytes, at: step.now } });
}

/** 80 8F: the unit has started, and has forgotten what it was told. */
export function poweredUp(step: Step): void {
	const { note } = step.state;
	if (note.phase === 'accepted') missing(step, 'the acceptor restarted while it stacked the note', step.state.lostAt >= note.at);
	faultOver(step);
	step.set({
		note: { phase: 'none' },
		answered: null,
		commanded: null,
		stackedAt: Number.NEGATIVE_INFINITY,
		quietUntil: step.now + LIMITS.quietAfterPowerUpMs,
	});
	oweSynchronise(step, true);
}

/** The unit may wait for 02. @param sure whether it said so in full */
export function oweSynchronise(step: Step, sure: boolean): void {
	step.set({ owed: { since: step.state.owed?.since ?? step.now, sure: sure || (step.state.owed?.sure ?? false) } });
}

/** Says 02: at once after a whole power-up, later after half of one, and never while a note may lie in escrow. */
export function synchronise(step: Step): void {
	const { owed, escrowHintAt } = step.state;
	if (!owed) return;
	const quietSince = owed.sure ? escrowHintAt : Math.max(escrowHintAt, owed.since);
	if (step.now - quietSince <= LIMITS.escrowOverMs) return;
	step.write('synchronise');
	step.set({ owed: null });
}

/** 3E or 5E: an answer to a poll, and a sign of health. */
export function answered(step: Step, now: 'enabled' | 'inhibited'): void {
	const healthyAnswers = step.state.healthyAnswers + 1;
	step.set({
		answered: now,
		confirmed: now === 'enabled' && step.state.commanded === 'enabled',
		healthyAnswers,
		undecodable: 0,
		owed: now === 'enabled' ? null : step.state.owed,
		quietUntil: step.now,
	});
	if (healthyAnswers >= LIMITS.healthyAnswers) faultOver(step);
}

/** A fault code, said once or in answer to every poll; decides whether the note on its way is still the only one it can be about. */
export function fault(step: Step, fault: AcceptorState): void {
	const { note, lostAt, clearedAt } = step.state;
	const begins = step.state.fault === null;
	if (begins && fault === 'cashbox_open') step.believe('box');
	// Pulled out of the slot before anybody decided: there is nothing left to accept.
	if (fault === 'bill_removed' && note.phase === 'escrow') step.set({ note: { phase: 'none' } });
	// The first fault on its way holds the note itself. It may have been taken out by hand before a second one, or before one that is
	// heard after the line was away; and one that begins late found it in the cashbox.
	if (isTaken(note)) {
		const another = begins && (clearedAt > note.at || step.now - note.at > LIMITS.stackingMs);
		if (another || lostAt >= note.at) outOfSight(step, 'a fault began that may hold another note');
	}
	step.set({
		fault,
		faultAt: begins ? step.now : step.state.faultAt,
		healthyAnswers: 0,
		stackedAt: Number.NEGATIVE_INFINITY,
		locked: step.state.locked || fault === 'bill_fish',
	});
	if (fault === 'communication_failure') oweSynchronise(step, false);
}

/** 2F, or healthy answers enough. */
export function faultOver(step: Step): void {
	if (step.state.fault !== null) step.set({ fault: null, clearedAt: step.now });
}

/** Asks the unit how it is, and has the line reopened when it has not answered for long. */
export function poll(step: Step): void {
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

/** Sends 3E or 5E when what we want changed; never while a note moves. */
export function steer(step: Step): void {
	const { state } = step;
	if (!state.open || state.note.phase === 'escrow' || state.note.phase === 'accepted') return;
	const closed = state.locked || state.fault !== null || step.now < state.nextNoteAt || isRush(state);
	const wanted = closed ? 'inhibited' : state.wanted;
	if (wanted === state.commanded) return;
	step.write(wanted === 'enabled' ? 'enable' : 'inhibit');
	step.write('poll');
	// What it said before was about another time, such as the one before a fault.
	step.set({ commanded: wanted, confirmed: false, polledAt: step.now });
}

/** Reports what the unit is doing, when that has changed. */
export function reportState(step: Step): void {
	const state = stateOf(step.state, step.now);
	if (state === step.state.reported) return;
	step.set({ reported: state });
	step.report({ kind: 'state', state });
}

function stateOf(state: IctState, now: number): AcceptorState {
	if (!state.open) return state.flooded ? 'garbled' : 'disconnected';
	if (state.locked) return 'bill_fish';
	// A contact that flaps would be a cashbox that is taken out many times a second.
	if (isRush(state)) return 'garbled';
	if (state.fault) return state.fault;
	if (state.unanswered > LIMITS.silentPolls) return 'silent';
	if (state.undecodable >= LIMITS.garbledBytes || isNoisy(state, state.tickedAt) || isCrowded(state, now)) return 'garbled';
	if (state.answered === null) return 'starting';
	if (now < state.nextNoteAt) return 'busy';
	const enabled = state.confirmed && state.commanded === 'enabled';
	return enabled && state.wanted === 'enabled' ? 'ready' : 'inhibited';
}
