import { type Clock, tick } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import type { OpenPort } from '../../serial/port.ts';
import { superviseLine } from '../../serial/supervised-line.ts';
import type { AcceptorDriver, AcceptorReport } from '../driver.ts';
import { COMMANDS } from './codes.ts';
import type { Meaning } from './decoder.ts';
import { ictStep } from './ict-machine.ts';
import { ICT_START, type IctEffect, type IctEvent, type IctState, LIMITS } from './ict-state.ts';
import { pauseBeforeTick } from './link.ts';
import { watchParity } from './parity.ts';

export interface IctDriverDeps {
	open: OpenPort;
	/** The tty path; null for TCP. */
	devicePath: string | null;
	/** Whether the acceptor is still locked because of a manipulation attempt in an earlier run. */
	locked: boolean;
	/** Whether the cashbox was removed in an earlier run and has not been seen in place since. */
	boxOut: boolean;
	/**
	 * When an earlier run recorded its newest note in doubt, wall-clock ms; null if no further report
	 * about that note is expected.
	 */
	doubtAt: number | null;
	clock: Clock;
	log: Log;
	/**
	 * The driver calls this synchronously and in order. The receiver can send a command, for example
	 * `accept`, before it returns.
	 */
	report: (report: AcceptorReport) => void;
}

/** Runs the ICT state machine on a serial line. */
export function startIctDriver(deps: IctDriverDeps): AcceptorDriver {
	const { clock, log, report } = deps;
	const age = deps.doubtAt === null ? LIMITS.nextNoteMs : clock.wall().getTime() - deps.doubtAt;
	// A time in the future comes from a wrong clock. The age of the doubt is then unknown and
	// counts as 0.
	let state: IctState = {
		...ICT_START,
		locked: deps.locked,
		...(deps.boxOut && { fault: 'cashbox_open', box: 'out' }),
		nextNoteAt: clock.now() + LIMITS.nextNoteMs - Math.max(0, age),
	};
	const parity = watchParity();
	let lineKnownLost = false;

	/** Events that arrived while the effects of an earlier event were running. */
	const events: IctEvent[] = [];
	let isBusy = false;

	/**
	 * The receiver of a report may send a command at once. The command is queued until all reports of
	 * this event are passed on. Otherwise a later state would be reported before an earlier one.
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
		ticks.check();
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

	const ticks = tick(
		clock,
		() => pauseBeforeTick(state, clock.now()),
		() => handle({ kind: 'tick', now: clock.now() }),
	);

	const line = superviseLine(deps.open, deps.devicePath, clock, {
		opened() {
			lineKnownLost = false;
			handle({ kind: 'opened', now: clock.now() });
		},
		data: (bytes) => handle({ kind: 'data', bytes, now: clock.now() }),
		lost(reason, flooded) {
			// Logged once per loss. Otherwise each failed attempt to reopen the line would add an entry.
			if (!lineKnownLost) log.event('acceptor.line_lost', { reason });
			lineKnownLost = true;
			handle({ kind: 'lost', flooded, now: clock.now() });
		},
	});

	return {
		send: (command) => handle({ kind: 'command', command, now: clock.now() }),
		stop() {
			ticks.stop();
			line.stop();
		},
	};
}
