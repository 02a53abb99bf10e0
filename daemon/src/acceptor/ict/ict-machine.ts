/**
 * The ICT protocol as a pure state machine. Its inputs are bytes, commands, ticks, and the opening
 * and loss of the line. Its outputs are `IctEffect`s. ICT has no checksums and no retransmission,
 * and it uses one byte (02) for both SYNCHRONISE and ACCEPT. Most rules therefore prevent 02 while
 * an unrecorded note may be in escrow.
 */
import type { AcceptorCommand } from '../driver.ts';
import { decodeByte, type Meaning } from './decoder.ts';
import { addToCrowd, type IctEffect, type IctEvent, type IctState, LIMITS, Step } from './ict-state.ts';
import {
	countNoise,
	endFault,
	lose,
	noticeStall,
	onAnswer,
	onFault,
	onPowerUp,
	open,
	oweSynchronise,
	poll,
	reportState,
	steer,
	synchronise,
} from './link.ts';
import { accept, expireNote, keepWaiting, offer, onBareType, onEscrow, onRejected, onReturned, onStacked } from './note.ts';

/** @returns the next state and the effects in the order in which they must happen */
export function ictStep(state: IctState, event: IctEvent): { state: IctState; effects: IctEffect[] } {
	const step = new Step(state, event.now);
	if (event.kind === 'opened') open(step);
	else if (event.kind === 'lost') lose(step, event.flooded ?? false);
	else if (event.kind === 'data') onData(step, event.bytes);
	else if (event.kind === 'tick') onTick(step);
	else onCommand(step, event.command);
	keepWaiting(step);
	steer(step);
	reportState(step);
	return { state: step.state, effects: step.effects };
}

function onData(step: Step, bytes: Uint8Array): void {
	noticeStall(step);
	step.set({ unanswered: 0, crowd: addToCrowd(step.state, bytes.length, step.now) });
	for (const byte of bytes) {
		const decoded = decodeByte(step.state.decoder, byte, step.now);
		step.set({ decoder: decoded.state });
		for (const meaning of decoded.meanings) onMeaning(step, meaning);
	}
	// Done only after the whole read, because its later bytes may begin or end an escrow.
	synchronise(step);
	offer(step);
}

function onMeaning(step: Step, meaning: Meaning): void {
	step.effects.push({ kind: 'heard', meaning });
	switch (meaning.kind) {
		case 'power_up':
			return onPowerUp(step);
		case 'power_up_begun':
		case 'not_synchronised':
			return oweSynchronise(step, false);
		case 'note_coming':
			return step.set({ escrowHintAt: step.now });
		case 'escrow':
			return onEscrow(step, meaning.type);
		case 'broken_escrow':
			if (step.state.note.phase !== 'accepted') step.refuse('unreadable');
			return;
		case 'bare_type':
			return onBareType(step, meaning.type);
		case 'stacked':
			return onStacked(step);
		case 'returned':
			return onReturned(step);
		case 'note_rejected':
			return onRejected(step);
		case 'country':
			return;
		case 'enabled':
		case 'inhibited':
			return onAnswer(step, meaning.kind);
		case 'fault_cleared':
			return endFault(step);
		case 'fault':
			return onFault(step, meaning.fault);
		case 'busy':
		case 'invalid_command':
			return;
		case 'discarded':
			return countNoise(step);
		default:
			return meaning satisfies never;
	}
}

function onTick(step: Step): void {
	noticeStall(step);
	step.endRush();
	expireNote(step);
	if (!step.state.open) return;
	synchronise(step);
	const pause = step.state.wanted === 'enabled' ? LIMITS.pollEnabledMs : LIMITS.pollInhibitedMs;
	if (step.now - step.state.polledAt >= pause) poll(step);
}

function onCommand(step: Step, asked: AcceptorCommand): void {
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
			// A reset would hide the outcome of a note in transit.
			if ((note.phase !== 'none' && note.phase !== 'overdue') || step.now - step.state.escrowHintAt < LIMITS.escrowOverMs) return;
			step.set({ note: { phase: 'none' }, quietUntil: step.now + LIMITS.quietAfterPowerUpMs, answered: null, commanded: null });
			return step.write('reset');
		case 'lock':
			return step.set({ locked: true });
		case 'unlock':
			step.set({ locked: false });
			// The next report of a pulled note is a new manipulation attempt, and locks again.
			if (step.state.fault === 'bill_fish') endFault(step);
			return;
		default:
			return asked satisfies never;
	}
}
