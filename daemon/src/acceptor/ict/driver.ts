import { type Clock, every } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import type { OpenPort } from '../../serial/port.ts';
import { superviseLine } from '../../serial/supervised-line.ts';
import type { AcceptorDriver, AcceptorReport } from '../driver.ts';
import { COMMANDS } from './codes.ts';
import type { Meaning } from './decoder.ts';
import { ictStep } from './ict-machine.ts';
import { ICT_START, type IctEffect, type IctEvent, type IctState, LIMITS } from './ict-state.ts';
import { watchParity } from './parity.ts';

/** Interval of the ticks: a third of the shortest wait of the machine. */
const TICK_MS = 100;

export interface IctDriverDeps {
	open: OpenPort;
	/** The tty path; null for TCP. */
	devicePath: string | null;
	/** Locked since a manipulation attempt in an earlier run. */
	locked: boolean;
	/**
	 * When the newest doubt of an earlier run was written, wall-clock ms; null if no report about
	 * it is expected any more.
	 */
	doubtAt: number | null;
	clock: Clock;
	log: Log;
	/** Called synchronously, in order; it may call `accept` or `reject` itself. */
	report: (report: AcceptorReport) => void;
}

/** Runs the ICT machine on a line. */
export function startIctDriver(deps: IctDriverDeps): AcceptorDriver {
	const { clock, log, report } = deps;
	const age = deps.doubtAt === null ? LIMITS.nextNoteMs : clock.wall().getTime() - deps.doubtAt;
	// A time in the future comes from a wrong clock. The age of the doubt is then unknown and
	// counts as 0.
	let state: IctState = { ...ICT_START, locked: deps.locked, nextNoteAt: clock.now() + LIMITS.nextNoteMs - Math.max(0, age) };
	const parity = watchParity();
	let lineKnownLost = false;

	/** Events that came while the effects of an earlier one were carried out. */
	const events: IctEvent[] = [];
	let isBusy = false;

	/**
	 * A report may lead to a command at once. The command waits until all reports of this event are
	 * passed on; otherwise a later state would be reported before an earlier one.
	 */
	function handle(event: IctEvent): void {
		events.push(event);
		if (isBusy) return;
		isBusy = true;
		try {
			for (let next = events.shift(); next; next = events.shift()) {
				const step = ictStep(state, next);
				state = step.state;
				for (const effect of step.effects) run(effect);
			}
		} finally {
			isBusy = false;
		}
	}

	function run(effect: IctEffect): void {
		if (effect.kind === 'write') line.write(Uint8Array.of(COMMANDS[effect.command]));
		else if (effect.kind === 'reopen') {
			log.event('acceptor.reopened', { reason: effect.reason });
			line.reopen(effect.reason);
		} else if (effect.kind === 'report') {
			if (effect.report.kind === 'escrow') log.event('acceptor.escrow', { code: effect.report.code });
			report(effect.report);
		} else logMeaning(effect.meaning);
	}

	function logMeaning(meaning: Meaning): void {
		if (meaning.kind === 'discarded') log.event('acceptor.odd_byte', { meaning: meaning.kind, byte: meaning.byte });
		if (meaning.kind === 'invalid_command') log.event('acceptor.odd_byte', { meaning: meaning.kind });
		const sign = parity.hear(meaning);
		if (sign === 'right') log.event('acceptor.parity_right', {});
		else if (sign !== null) log.event('acceptor.parity_suspected', { sign });
	}

	const line = superviseLine(deps.open, deps.devicePath, clock, {
		opened() {
			lineKnownLost = false;
			handle({ kind: 'opened', now: clock.now() });
		},
		data: (bytes) => handle({ kind: 'data', bytes, now: clock.now() }),
		lost(reason, flooded) {
			// Logged once; repeated attempts would only fill the log.
			if (!lineKnownLost) log.event('acceptor.line_lost', { reason });
			lineKnownLost = true;
			handle({ kind: 'lost', flooded, now: clock.now() });
		},
	});

	const stopTicks = every(clock, TICK_MS, () => handle({ kind: 'tick', now: clock.now() }));

	return {
		send: (command) => handle({ kind: 'command', command, now: clock.now() }),
		stop() {
			stopTicks();
			line.stop();
		},
	};
}
