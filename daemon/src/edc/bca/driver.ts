import { type Clock, tick } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import type { OpenPort } from '../../serial/port.ts';
import { superviseLine } from '../../serial/supervised-line.ts';
import type { CardTerminal, TerminalReport } from '../terminal.ts';
import { ecrStep } from './bca-machine.ts';
import { ECR_START, type EcrEffect, type EcrEvent, type EcrSettings, type EcrState, NEVER, pauseBeforeTick } from './bca-state.ts';
import { ACK, NAK } from './codes.ts';
import { traceOf } from './log-bytes.ts';

export interface BcaTerminalDeps {
	open: OpenPort;
	/** The tty path; null for TCP. */
	devicePath: string | null;
	settings: EcrSettings;
	/**
	 * Whether a sale of the previous run may still be in progress. If so, no echo test is sent for
	 * `answerMs`.
	 */
	midSale: boolean;
	clock: Clock;
	log: Log;
	/**
	 * Gets the reports in order, sometimes during a call of `request`. May itself call `request` and
	 * `acknowledge`.
	 */
	report: (report: TerminalReport) => void;
}

/**
 * Runs the ECR state machine on a line. The caller must call `acknowledge` once for each response
 * when it is on disk. Until then the terminal gets no ACK and may repeat the response; a repeat is
 * not reported. After the next request, an outstanding ACK is no longer sent.
 */
export function startBcaTerminal(deps: BcaTerminalDeps): CardTerminal {
	const { clock, log, report, settings } = deps;
	let state: EcrState = { ...ECR_START, quietUntil: deps.midSale ? clock.now() + settings.answerMs : NEVER };
	let lineKnownLost = false;
	const waiting: EcrEffect[] = [];
	let running = false;

	/**
	 * A report may cause further events. Their effects are queued behind the pending effects, so that
	 * reports stay in order.
	 */
	function handle(event: EcrEvent): void {
		const step = ecrStep(state, event, settings);
		state = step.state;
		waiting.push(...step.effects);
		if (running) return;
		running = true;
		try {
			for (let effect = waiting.shift(); effect; effect = waiting.shift()) run(effect);
		} finally {
			running = false;
		}
		ticks.check();
	}

	function run(effect: EcrEffect): void {
		switch (effect.kind) {
			case 'send':
				return write(effect.frame);
			case 'say':
				return write(Uint8Array.of(effect.control === 'ack' ? ACK : NAK));
			case 'report':
				return report(effect.report);
			case 'log':
				return log.event(effect.id, effect.fields);
			default:
				return effect satisfies never;
		}
	}

	const ticks = tick(
		clock,
		() => pauseBeforeTick(state),
		() => handle({ kind: 'tick', now: clock.now() }),
	);

	function write(bytes: Uint8Array): void {
		log.event('edc.trace', { from: 'kiosk', bytes: bytes.length, control: traceOf(bytes) });
		line.write(bytes);
	}

	const line = superviseLine(deps.open, deps.devicePath, clock, {
		opened() {
			lineKnownLost = false;
			handle({ kind: 'opened', now: clock.now() });
		},
		data(bytes) {
			log.event('edc.trace', { from: 'terminal', bytes: bytes.length, control: traceOf(bytes) });
			handle({ kind: 'data', bytes, now: clock.now() });
		},
		lost(reason) {
			// A loss is logged once. Otherwise each failed attempt to reopen the line would add an entry.
			if (!lineKnownLost) log.event('edc.line_lost', { reason });
			lineKnownLost = true;
			handle({ kind: 'lost', reason, now: clock.now() });
		},
	});

	return {
		request: (request, request_id) => handle({ kind: 'request', request, id: request_id, now: clock.now() }),
		withdraw: (request_id) => handle({ kind: 'withdraw', id: request_id, now: clock.now() }),
		acknowledge: (response) => handle({ kind: 'acknowledge', response, now: clock.now() }),
		stop() {
			ticks.stop();
			line.stop();
		},
	};
}
