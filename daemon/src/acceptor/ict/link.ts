/**
 * The link to the unit: opening and loss of the line, SYNCHRONISE, polls, silence, noise, faults,
 * ENABLE and INHIBIT.
 */
import type { AcceptorState } from '@kiosk/contract/live';
import { WITH_BOX } from '../driver.ts';
import { DECODER_START } from './decoder.ts';
import { type IctState, isCrowded, isFlooded, isNoisy, isRush, isTaken, LIMITS, type Note, type Step } from './ict-state.ts';
import { reportMissing, stopMatching } from './note.ts';

/** Handles the opening of the line. Whether the unit is enabled is unknown until it answers. */
export function open(step: Step): void {
	const { owed } = step.state;
	step.set({
		open: true,
		flooded: false,
		crowd: { bytes: 0, at: step.now },
		decoder: DECODER_START,
		commanded: null,
		answered: null,
		// An escrow may have begun while the line was closed, so the wait before SYNCHRONISE restarts.
		owed: owed && { since: step.now, sure: false },
		polledAt: Number.NEGATIVE_INFINITY,
		tickedAt: step.now,
		undecodable: 0,
	});
}

/**
 * Handles the loss of the line.
 * @param flooded whether the daemon closed the line because its bytes cannot be trusted
 */
export function lose(step: Step, flooded: boolean): void {
	const { note, fault, clearedAt } = step.state;
	// While the line is lost, the fault may be cleared, and another note may take this note's place.
	if (isTaken(note) && (fault !== null || clearedAt > note.at)) stopMatching(step, 'the line went away after a fault');
	// An accepted note moves into the cashbox without further commands. The unit returns any other
	// note to the customer.
	const kept: Note = step.state.note.phase === 'accepted' ? step.state.note : { phase: 'none' };
	step.set({ open: false, flooded, lostAt: step.now, commanded: null, answered: null, note: kept, decoder: DECODER_START });
}

/**
 * Notices a pause of the process. Ticks stop while the process is suspended, so the first event
 * afterwards sees the gap. On a busy computer the process resumes in jerks and reads old bytes
 * late. Therefore the pause ends only after a period of regular ticks.
 */
export function noticeStall(step: Step): void {
	const { open, tickedAt, stalledAt } = step.state;
	const comingBack = tickedAt - stalledAt < LIMITS.stallReadMs;
	if (open && step.now - tickedAt > (comingBack ? LIMITS.jerkMs : LIMITS.stallMs)) step.set({ stalledAt: step.now });
	step.set({ tickedAt: step.now });
}

/** Counts an unexpected byte. */
export function countNoise(step: Step): void {
	const { noise, undecodable } = step.state;
	const bytes = step.now - noise.at < LIMITS.noiseWindowMs ? noise.bytes + 1 : 1;
	step.set({ undecodable: undecodable + 1, noise: { bytes, at: step.now } });
}

/** Handles POWER_UP (80 8F): the unit has restarted, so earlier commands no longer apply. */
export function onPowerUp(step: Step): void {
	const { note } = step.state;
	if (note.phase === 'accepted') reportMissing(step, 'the acceptor restarted while it stacked the note', step.state.lostAt >= note.at);
	// A restart does not show that a removed cashbox is back, so the fault of the removal continues.
	if (step.state.box === 'out') step.set({ healthyAnswers: 0 });
	else endFault(step);
	step.set({
		note: { phase: 'none' },
		answered: null,
		commanded: null,
		stackedAt: Number.NEGATIVE_INFINITY,
		quietUntil: step.now + LIMITS.quietAfterPowerUpMs,
	});
	oweSynchronise(step, true);
}

/**
 * Records that the unit may be waiting for SYNCHRONISE (02).
 * @param sure whether the unit sent the complete power-up message
 */
export function oweSynchronise(step: Step, sure: boolean): void {
	step.set({ owed: { since: step.state.owed?.since ?? step.now, sure: sure || (step.state.owed?.sure ?? false) } });
}

/**
 * Sends SYNCHRONISE (02) if the unit may be waiting for it and no note can be in escrow. For this,
 * `escrowOverMs` must have passed since the last sign of a note and, if the power-up message was
 * incomplete, also since that message.
 */
export function synchronise(step: Step): void {
	const { owed, escrowHintAt } = step.state;
	if (!owed) return;
	const quietSince = owed.sure ? escrowHintAt : Math.max(escrowHintAt, owed.since);
	if (step.now - quietSince <= LIMITS.escrowOverMs) return;
	step.write('synchronise');
	step.set({ owed: null });
}

/** Handles ENABLED (3E) or INHIBITED (5E): a poll answer and a sign of health. */
export function onAnswer(step: Step, now: 'enabled' | 'inhibited'): void {
	const healthyAnswers = step.state.healthyAnswers + 1;
	step.set({
		answered: now,
		confirmed: now === 'enabled' && step.state.commanded === 'enabled',
		healthyAnswers,
		undecodable: 0,
		owed: now === 'enabled' ? null : step.state.owed,
		quietUntil: step.now,
	});
	if (healthyAnswers >= LIMITS.healthyAnswers) endFault(step);
}

/**
 * Handles a fault code, which a unit sends once or as its answer to every poll. Decides whether the
 * fault certainly belongs to the note in transit.
 */
export function onFault(step: Step, fault: AcceptorState): void {
	const { note, lostAt, clearedAt } = step.state;
	// Fishing locks cash until staff unlock it. So in a flood of noise the fishing byte is ignored,
	// like STACKED. In a rush of plausible reports the byte still locks cash: fishing returns notes
	// quickly and may itself cause the rush.
	if (fault === 'bill_fish' && isFlooded(step.state, step.now)) return countNoise(step);
	const begins = step.state.fault === null;
	// The note was pulled out of the slot before the decision: there is nothing left to accept.
	if (fault === 'bill_removed' && note.phase === 'escrow') step.set({ note: { phase: 'none' } });
	// The first fault during transit holds the note itself. Before a second fault, or before a fault
	// reported after a lost line, staff may have taken the note out. When a fault begins late, the
	// note may already be in the cashbox.
	if (isTaken(note)) {
		const another = begins && (clearedAt > note.at || step.now - note.at > LIMITS.stackingMs);
		if (another || lostAt >= note.at) stopMatching(step, 'a fault began that may hold another note');
	}
	if (fault === 'cashbox_open' && step.state.box !== 'out' && !isFlooded(step.state, step.now)) reportRemoval(step);
	step.set({
		fault,
		faultAt: begins ? step.now : step.state.faultAt,
		// The unit is ready again only when it has answered a poll after the fault.
		confirmed: false,
		healthyAnswers: 0,
		stackedAt: Number.NEGATIVE_INFINITY,
		locked: step.state.locked || fault === 'bill_fish',
	});
	if (fault === 'communication_failure') oweSynchronise(step, false);
}

/**
 * Reports a removed cashbox at once, except during a rush. A removal ends a cashbox period. A state
 * report could miss the removal: the same read may contain the return of the cashbox, and a lock
 * after fishing hides every other state.
 */
function reportRemoval(step: Step): void {
	step.set({ box: 'out' });
	if (!step.believe('box')) return;
	step.report({ kind: 'cashbox_removed' });
	// Forces a state report after this read: even an unchanged state may mean that the cashbox is
	// back.
	step.set({ reported: null });
}

/** Ends the fault, after FAULT_CLEARED (2F), enough healthy answers or a restart of the unit. */
export function endFault(step: Step): void {
	if (step.state.fault !== null) step.set({ fault: null, clearedAt: step.now, box: null });
}

/**
 * If nothing but the next poll can become due, the next tick waits for that poll, because each tick
 * wakes the processor.
 * @returns time until the next tick, ms
 */
export function pauseBeforeTick(state: IctState, now: number): number {
	if (!isIdle(state)) return LIMITS.tickMs;
	if (!state.open) return LIMITS.pollInhibitedMs;
	// Timers count whole ms and may run up to one ms early.
	return Math.ceil(Math.max(0, state.polledAt + LIMITS.pollInhibitedMs - now)) + 1;
}

/**
 * @returns whether nothing but a poll can become due: no note is on its way and there is no rush.
 * In addition, the line is closed, or all of this is true: the unit is inhibited, it answers, and
 * the process did not pause a moment ago
 */
function isIdle(state: IctState): boolean {
	const { open, wanted, commanded, reported, note, owed, unanswered, tickedAt, stalledAt } = state;
	if (note.phase !== 'none' || isRush(state)) return false;
	if (!open) return true;
	const inhibited = wanted === 'inhibited' && commanded === 'inhibited' && reported === 'inhibited';
	return inhibited && owed === null && unanswered <= 1 && tickedAt - stalledAt >= LIMITS.stallReadMs;
}

/** Polls the unit; reopens the line if the unit is silent. */
export function poll(step: Step): void {
	const { state } = step;
	// If the reported status contradicts the last command, the command is sent again, because some
	// units lose a command.
	if (state.commanded !== null && state.answered !== null && state.answered !== state.commanded) step.set({ commanded: null });
	step.write('poll');
	const patient = step.now < state.quietUntil || state.note.phase === 'accepted' || state.owed !== null;
	const unanswered = patient ? 0 : state.unanswered + 1;
	step.set({ polledAt: step.now, unanswered });
	if (unanswered > LIMITS.silentPolls && unanswered % LIMITS.reopenPolls === LIMITS.silentPolls + 1)
		step.effects.push({ kind: 'reopen', reason: `no answer to ${unanswered - 1} polls` });
}

/**
 * Sends ENABLE (3E) or INHIBIT (5E) if the right state differs from the last command, and no note
 * is in escrow or being stacked. A lock, a fault, a rush or a recent doubt requires INHIBIT.
 */
export function steer(step: Step): void {
	const { state } = step;
	if (!state.open || state.note.phase === 'escrow' || state.note.phase === 'accepted') return;
	const closed = state.locked || state.fault !== null || step.now < state.nextNoteAt || isRush(state);
	const wanted = closed ? 'inhibited' : state.wanted;
	if (wanted === state.commanded) return;
	step.write(wanted === 'enabled' ? 'enable' : 'inhibit');
	step.write('poll');
	// Earlier answers may describe an older state, for example from before a fault.
	step.set({ commanded: wanted, confirmed: false, polledAt: step.now });
}

/** Reports the unit's state when it has changed. */
export function reportState(step: Step): void {
	if (step.state.locked) reportBoxBehindLock(step);
	const state = stateOf(step.state, step.now);
	if (state === step.state.reported) return;
	step.set({ reported: state });
	step.report({ kind: 'state', state });
}

/**
 * Called while the acceptor is locked: reports once that the cashbox is in place, because the lock
 * hides the state that would show this.
 */
function reportBoxBehindLock(step: Step): void {
	if (step.state.box === 'in' || !WITH_BOX.has(stateOf({ ...step.state, locked: false }, step.now))) return;
	step.set({ box: 'in' });
	step.report({ kind: 'cashbox_in_place' });
}

function stateOf(state: IctState, now: number): AcceptorState {
	if (!state.open) return state.flooded ? 'garbled' : 'disconnected';
	if (state.locked) return 'bill_fish';
	// During a rush no fault is shown: a flapping contact would look like a cashbox removed many
	// times per second.
	if (isRush(state)) return 'garbled';
	if (state.fault) return state.fault;
	if (state.unanswered > LIMITS.silentPolls) return 'silent';
	if (state.undecodable >= LIMITS.garbledBytes || isNoisy(state, state.tickedAt) || isCrowded(state, now)) return 'garbled';
	if (state.answered === null) return 'starting';
	if (now < state.nextNoteAt) return 'busy';
	const enabled = state.confirmed && state.commanded === 'enabled';
	return enabled && state.wanted === 'enabled' ? 'ready' : 'inhibited';
}
