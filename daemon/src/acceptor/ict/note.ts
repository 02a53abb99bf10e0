/** The note in escrow and on its way: what the unit says of it, whose 10 and 11 is it, and when nobody waits for them any more. */
import { isCrowded, isNoisy, isRush, isTaken, LIMITS, type SeenNote, type Step } from './state.ts';

/** @returns the note type as the settings write it, e.g. "0x44" */
export const noteCode = (type: number): string => `0x${type.toString(16)}`;

/** Reports the note in escrow, or gives it back when what was read around it cannot be believed. */
export function offer(step: Step): void {
	const { note } = step.state;
	if (note.phase !== 'escrow') return;
	const { stalledAt, fault, locked, nextNoteAt } = step.state;
	if (step.now - stalledAt < LIMITS.stallReadMs) step.refuse('decided_too_late');
	else if (isNoisy(step.state, step.now) || isCrowded(step.state, step.now) || isRush(step.state)) step.refuse('unreadable');
	else if (fault !== null || locked || step.now < nextNoteAt) step.refuse('rejected_by_machine');
	else step.report({ kind: 'escrow', code: noteCode(note.type) });
}

/** 81 and a type: a note waits for the decision, or is named again. */
export function escrow(step: Step, type: number): void {
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
		missing(step, 'another note came before the outcome of this one', true);
		return step.refuse('unreadable');
	}
	step.set({ note: { phase: 'escrow', type, sure: true, at: step.now, namedAt: step.now } });
}

/** A type without 81: never a note that could be taken. */
export function bareType(step: Step, type: number): void {
	const { note } = step.state;
	step.set({ escrowHintAt: step.now });
	if (note.phase === 'escrow' && note.type !== type) return step.refuse('unreadable');
	// Perhaps an escrow whose 81 was lost: giving it back is safe, an idle unit ignores the byte.
	if (note.phase === 'none' && step.state.commanded === 'enabled') step.refuse('unreadable');
}

/** 29: a note that nobody has accepted went back, also one that was offered a moment ago. */
export function rejected(step: Step): void {
	const { note } = step.state;
	// Another one may be at the slot, so that a return from now on need not be that of the note on its way.
	if (isTaken(note)) return step.set({ escrowHintAt: step.now });
	if (note.phase === 'rejected') return;
	step.set({ note: { phase: 'none' } });
	step.report({ kind: 'refused', reason: 'rejected_by_machine' });
}

/** The decision may have waited for a slow disk; then the note goes back, and its intent is closed as returned. */
export function accept(step: Step, note: SeenNote): void {
	const late = step.now - note.at > LIMITS.acceptMs;
	step.set({ note: { ...note, phase: late ? 'rejected' : 'accepted', at: step.now, namedAt: step.now } });
	step.write(late ? 'reject' : 'accept');
	if (late) step.report({ kind: 'returned', accepted: true });
}

/** 10: reported as the accepted note's only where it can be no other's (docs/developer/money.md). */
export function stacked(step: Step): void {
	const { note, stackedAt, escrowHintAt, faultAt, nextNoteAt } = step.state;
	const accepted = isTaken(note);
	// ICT repeats nothing by design, yet lines do, at once: without a new escrow there is no second note. Much later it is one that
	// never came into escrow, such as a jammed note that staff pushed on into the cashbox.
	if (!accepted && step.now - stackedAt <= LIMITS.repeatMs && escrowHintAt <= stackedAt) return;
	const flooded = isNoisy(step.state, step.now) && step.state.noise.bytes >= LIMITS.floodBytes;
	if (accepted && (flooded || isCrowded(step.state, step.now) || isRush(step.state))) {
		// A 10 out of noise proves nothing; the true one, once the line is quiet, still settles it.
		if (note.phase === 'accepted') missing(step, 'the outcome was heard in the middle of line noise', false);
		return step.set({ note: { ...note, phase: 'overdue' } });
	}
	// After a fault a second 10 may be the note behind it, pushed on by a person.
	const repeatable = !(accepted && faultAt >= note.at);
	step.set({
		note: { phase: 'none' },
		stackedAt: repeatable ? step.now : Number.NEGATIVE_INFINITY,
		escrowHintAt: Number.NEGATIVE_INFINITY,
		nextNoteAt: accepted ? Number.NEGATIVE_INFINITY : nextNoteAt,
	});
	step.report({
		kind: 'stacked',
		accepted,
		late: note.phase === 'overdue',
		code: note.phase !== 'none' && note.sure ? noteCode(note.type) : null,
	});
}

/** 11: likewise; where it may be another note's return, the accepted one is in doubt. */
export function returned(step: Step): void {
	const { note, escrowHintAt, lostAt } = step.state;
	if (note.phase === 'none') return;
	step.set({ note: { phase: 'none' }, escrowHintAt: Number.NEGATIVE_INFINITY });
	if (!isTaken(note)) return step.report({ kind: 'returned', accepted: false });
	// A unit that spoke of a note for longer than an escrow lasts may have stacked this one and now return the next.
	// So may one whose line was away since: it takes the next note without asking, and gives it back when nobody decides.
	const other = escrowHintAt > note.at && step.now - note.at > LIMITS.escrowOverMs;
	if (!other && lostAt < note.at) {
		step.set({ nextNoteAt: Number.NEGATIVE_INFINITY });
		step.report({ kind: 'returned', accepted: true });
	} else if (note.phase === 'accepted') missing(step, 'a note came back, but perhaps not this one', true);
}

/**
 * The outcome of the accepted note did not come. It may still come later, so the next note waits.
 * @param other whether another note may have come meanwhile
 */
export function missing(step: Step, why: string, other: boolean): void {
	step.set({ nextNoteAt: step.now + LIMITS.nextNoteMs });
	step.report({ kind: 'outcome_missing', why, other });
}

/** From now on 10 and 11 may be about another note: nothing settles this one any more. */
export function outOfSight(step: Step, why: string): void {
	if (step.state.note.phase === 'accepted') missing(step, why, true);
	step.set({ note: { phase: 'none' } });
}

/** What is over by time alone: an escrow, the wait for an outcome, and the time in which a late one can be this note's. */
export function expireNote(step: Step): void {
	const { note, fault, clearedAt, lostAt, locked } = step.state;
	if (note.phase === 'none') return;
	const age = step.now - note.at;
	if (note.phase === 'accepted') {
		if (age <= LIMITS.outcomeMs) return;
		const unheard = lostAt >= note.at;
		step.set({ note: unheard ? { phase: 'none' } : { ...note, phase: 'overdue' } });
		missing(step, `the acceptor did not say within ${LIMITS.outcomeMs} ms what became of the note`, unheard || locked);
	} else if (note.phase === 'overdue') {
		const since = Math.max(note.at + LIMITS.outcomeMs, clearedAt);
		// While the fault that holds it stands, it is where it was.
		const over = lostAt >= note.at ? age > LIMITS.outcomeMs : fault === null && step.now - since > LIMITS.lateMs;
		// Over by its own time, the note keeps the next one waiting from the doubt on, or from the end of the fault.
		if (over) step.set({ note: { phase: 'none' }, nextNoteAt: since + LIMITS.nextNoteMs });
	} else if (age > LIMITS.escrowOverMs) step.set({ note: { phase: 'none' } });
}

/** Where anything else ends that a note is overdue, such as a lost line or a restart of the unit, the next one waits from then on. */
export function keepWaiting(step: Step): void {
	if (step.state.note.phase === 'overdue') step.set({ nextNoteAt: step.now + LIMITS.nextNoteMs });
}
