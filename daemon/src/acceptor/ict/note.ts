/**
 * Follows the note in escrow and in transit: matches STACKED (10) and RETURNED (11) to the current
 * note, and handles the timeouts.
 */
import { isCrowded, isFlooded, isNoisy, isRush, isTaken, LIMITS, type SeenNote, type Step, type TakenNote } from './ict-state.ts';

/** @returns the note code as in the settings, e.g. "0x44" */
export const noteCode = (type: number): string => `0x${type.toString(16)}`;

/**
 * Reports the note in escrow. Rejects it instead if the bytes around it cannot be trusted, if they
 * may have waited in the read buffer, or if no note may be taken now.
 */
export function offer(step: Step): void {
	const { note } = step.state;
	if (note.phase !== 'escrow') return;
	const { stalledAt, fault, locked, nextNoteAt } = step.state;
	if (step.now - stalledAt < LIMITS.stallReadMs) step.refuse('decided_too_late');
	else if (isNoisy(step.state, step.now) || isCrowded(step.state, step.now) || isRush(step.state)) step.refuse('unreadable');
	else if (fault !== null || locked || step.now < nextNoteAt) step.refuse('rejected_by_machine');
	else step.report({ kind: 'escrow', code: noteCode(note.type) });
}

/**
 * Handles ESCROW (81 and a type): a note waits for the decision, or the unit repeats its report.
 */
export function onEscrow(step: Step, type: number): void {
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
		// Another note came before the outcome of the accepted note. Therefore that outcome may be
		// lost.
		reportMissing(step, 'another note came before the outcome of this one', true);
		return step.refuse('unreadable');
	}
	step.set({ note: { phase: 'escrow', type, sure: true, at: step.now, namedAt: step.now } });
}

/** Handles a note type without 81, which never begins an escrow. */
export function onBareType(step: Step, type: number): void {
	const { note } = step.state;
	step.set({ escrowHintAt: step.now });
	if (note.phase === 'escrow' && note.type !== type) return step.refuse('unreadable');
	// The type may belong to an escrow whose 81 was lost. REJECT is safe, because an idle unit
	// ignores it.
	if (note.phase === 'none' && step.state.commanded === 'enabled') step.refuse('unreadable');
}

/**
 * Handles NOTE_REJECTED (29): the unit returned a note that was not accepted, for example the note
 * in escrow.
 */
export function onRejected(step: Step): void {
	const { note } = step.state;
	// Another note may be at the slot, so a later RETURNED may belong to it.
	if (isTaken(note)) return step.set({ escrowHintAt: step.now });
	if (note.phase === 'rejected') return;
	step.set({ note: { phase: 'none' } });
	step.report({ kind: 'refused', reason: 'rejected_by_machine' });
}

/**
 * Accepts the note in escrow. If the decision comes later than `acceptMs`, for example because of a
 * slow disk, rejects the note and reports it as returned.
 */
export function accept(step: Step, note: SeenNote): void {
	const late = step.now - note.at > LIMITS.acceptMs;
	step.set({ note: { ...note, phase: late ? 'rejected' : 'accepted', at: step.now, namedAt: step.now } });
	step.write(late ? 'reject' : 'accept');
	if (late) step.report({ kind: 'returned', accepted: true });
}

/**
 * Handles STACKED (10), which is attributed to the accepted note only if no other note is possible
 * (docs/developer/money.md).
 */
export function onStacked(step: Step): void {
	const { note, stackedAt, escrowHintAt, faultAt, nextNoteAt } = step.state;
	const accepted = isTaken(note);
	// ICT never repeats a message on purpose, but a line may deliver a byte twice in quick
	// succession. So a quick second STACKED without a new escrow is a repeat. A later STACKED counts
	// as another note, for example a jammed note that staff pushed into the cashbox.
	if (!accepted && step.now - stackedAt <= LIMITS.repeatMs && escrowHintAt <= stackedAt) return;
	if (accepted && isHidden(step)) return leaveOverdue(step, note);
	// After a fault, a second STACKED may be another note that staff pushed into the cashbox.
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

/**
 * Whether an outcome byte proves nothing, because noise or a rush of reports may contain such a
 * byte by chance.
 */
const isHidden = (step: Step): boolean => isFlooded(step.state, step.now) || isRush(step.state);

/**
 * Makes the note overdue, and reports its outcome as missing unless this was reported before. An
 * outcome on a quiet line can still settle the note.
 */
function leaveOverdue(step: Step, note: TakenNote): void {
	if (note.phase === 'accepted') reportMissing(step, 'the outcome arrived in the middle of line noise', false);
	step.set({ note: { ...note, phase: 'overdue' } });
}

/**
 * Handles RETURNED (11), which is attributed like STACKED. If another note may have been returned,
 * the accepted note is in doubt.
 */
export function onReturned(step: Step): void {
	const { note, escrowHintAt, lostAt } = step.state;
	if (note.phase === 'none') return;
	if (isTaken(note) && isHidden(step)) return leaveOverdue(step, note);
	// After this RETURNED, a STACKED is not a repeat of an earlier STACKED.
	step.set({ note: { phase: 'none' }, escrowHintAt: Number.NEGATIVE_INFINITY, stackedAt: Number.NEGATIVE_INFINITY });
	if (!isTaken(note)) return step.report({ kind: 'returned', accepted: false });
	// If a note was reported after ACCEPT, and ACCEPT is longer ago than an escrow lasts, RETURNED
	// may be about the next note. The same is possible after a lost line, because an enabled unit
	// takes the next note and returns it without a decision.
	const other = escrowHintAt > note.at && step.now - note.at > LIMITS.escrowOverMs;
	if (!other && lostAt < note.at) {
		step.set({ nextNoteAt: Number.NEGATIVE_INFINITY });
		step.report({ kind: 'returned', accepted: true });
	} else if (note.phase === 'accepted') reportMissing(step, 'a note came back, but perhaps not this one', true);
}

/**
 * Reports that the outcome of the accepted note is missing. The outcome may still come, so no note
 * is taken for `nextNoteMs`.
 * @param other whether another note may have come meanwhile
 */
export function reportMissing(step: Step, why: string, other: boolean): void {
	step.set({ nextNoteAt: step.now + LIMITS.nextNoteMs });
	step.report({ kind: 'outcome_missing', why, other });
}

/**
 * Stops attributing reports to the note in transit: from now on STACKED and RETURNED may belong to
 * another note.
 */
export function stopMatching(step: Step, why: string): void {
	if (step.state.note.phase === 'accepted') reportMissing(step, why, true);
	step.set({ note: { phase: 'none' } });
}

/**
 * Ends an escrow, the wait for an outcome, and the time in which a late outcome settles the note,
 * each after its time limit.
 */
export function expireNote(step: Step): void {
	const { note, fault, clearedAt, lostAt, locked } = step.state;
	if (note.phase === 'none') return;
	const age = step.now - note.at;
	if (note.phase === 'accepted') {
		if (age <= LIMITS.outcomeMs) return;
		const unheard = lostAt >= note.at;
		step.set({ note: unheard ? { phase: 'none' } : { ...note, phase: 'overdue' } });
		reportMissing(step, `the acceptor did not say within ${LIMITS.outcomeMs} ms what became of the note`, unheard || locked);
	} else if (note.phase === 'overdue') {
		const since = Math.max(note.at + LIMITS.outcomeMs, clearedAt);
		// While the fault that holds the note lasts, the note cannot move, so the timeout does not run.
		const over = lostAt >= note.at ? age > LIMITS.outcomeMs : fault === null && step.now - since > LIMITS.lateMs;
		// The wait before the next note starts at the beginning of the doubt or the end of the fault,
		// not at this timeout.
		if (over) step.set({ note: { phase: 'none' }, nextNoteAt: since + LIMITS.nextNoteMs });
	} else if (age > LIMITS.escrowOverMs) step.set({ note: { phase: 'none' } });
}

/**
 * Restarts the wait before the next note at every event while a note is overdue. If an event such
 * as a lost line ends this phase early, the full wait is then still ahead.
 */
export function keepWaiting(step: Step): void {
	if (step.state.note.phase === 'overdue') step.set({ nextNoteAt: step.now + LIMITS.nextNoteMs });
}
