import { rupiah } from '@kiosk/contract/money';
import { ACK } from '../../../../tests/integration/card-line/frames.ts';
import type { TerminalReport, TerminalRequest, TerminalResponse } from '../terminal.ts';
import { ecrStep } from './bca-machine.ts';
import { ECR_DEFAULTS, ECR_START, type EcrEffect, type EcrEvent, type EcrSettings, type EcrState } from './bca-state.ts';

export const SALE: TerminalRequest = { type: 'sale', amount: rupiah(137_500) };

/**
 * The link's state machine in simulated time. The test plays the terminal. Effects are collected
 * until they are cleared.
 */
export class BcaFixture {
	now = 100_000;
	state: EcrState = ECR_START;
	effects: EcrEffect[] = [];
	/** All reported answers, oldest first. */
	readonly answers: TerminalResponse[] = [];
	readonly settings: EcrSettings;

	/** Echo tests are off by default, because most tests are about one request. */
	constructor(settings: Partial<EcrSettings> = {}) {
		this.settings = { ...ECR_DEFAULTS, probe: 'none', ...settings };
		this.do({ kind: 'opened', now: this.now }).wait(100);
	}

	do(event: EcrEvent): this {
		const step = ecrStep(this.state, event, this.settings);
		this.state = step.state;
		this.effects.push(...step.effects);
		for (const effect of step.effects)
			if (effect.kind === 'report' && effect.report.kind === 'answer') this.answers.push(effect.report.response);
		return this;
	}

	/** Lets the terminal send its first byte after the line has opened; clears `effects`. */
	met(): this {
		return this.hear(ACK).wait(100).forget();
	}

	ask(id: string, request: TerminalRequest = SALE): this {
		return this.do({ kind: 'request', request, id, now: this.now });
	}

	withdraw(id: string): this {
		return this.do({ kind: 'withdraw', id, now: this.now });
	}

	/** Sends a request that the terminal acknowledges; clears `effects`. */
	acked(id: string, request: TerminalRequest = SALE): this {
		return this.ask(id, request).hear(ACK).forget();
	}

	/** Delivers these bytes and frames in one read. */
	hear(...said: (number | readonly number[])[]): this {
		return this.do({ kind: 'data', bytes: Uint8Array.from(said.flat()), now: this.now });
	}

	/** Acknowledges the newest reported answer, or the one with this index. */
	acknowledge(index = -1): this {
		const response = this.answers.at(index);
		return response ? this.do({ kind: 'acknowledge', response, now: this.now }) : this;
	}

	lose(): this {
		return this.do({ kind: 'lost', reason: 'cable', now: this.now });
	}

	reopen(): this {
		return this.do({ kind: 'opened', now: this.now });
	}

	wait(ms: number): this {
		for (const end = this.now + ms; this.now < end; ) {
			this.now += 100;
			this.do({ kind: 'tick', now: this.now });
		}
		return this;
	}

	/** Suspends the whole process. Afterwards a tick comes before the buffered bytes. */
	stall(ms: number): this {
		this.now += ms;
		return this.do({ kind: 'tick', now: this.now });
	}

	forget(): this {
		this.effects = [];
		return this;
	}

	/** The kiosk's frames and control bytes in short form: the type of a request, "ack" or "nak". */
	get written(): string[] {
		return this.effects.flatMap((effect) => {
			if (effect.kind === 'send') return [Buffer.from(effect.frame).toString('latin1', 4, 6)];
			return effect.kind === 'say' ? [effect.control] : [];
		});
	}

	/** The terminal's clock, as reported at the beginning of each request. */
	get begun(): (number | null)[] {
		return this.effects.flatMap((effect) => (effect.kind === 'report' && effect.report.kind === 'begun' ? [effect.report.clock] : []));
	}

	/** Reports except `state` and `begun`, in short form: "answer s1 00", "silent s1". */
	get reports(): string[] {
		return this.effects.flatMap((effect) =>
			effect.kind === 'report' && effect.report.kind !== 'state' && effect.report.kind !== 'begun' ? [short(effect.report)] : [],
		);
	}

	get states(): string[] {
		return this.effects.flatMap((effect) => (effect.kind === 'report' && effect.report.kind === 'state' ? [effect.report.state] : []));
	}
}

function short(report: Exclude<TerminalReport, { kind: 'state' | 'begun' }>): string {
	const { kind, request_id } = report;
	return kind === 'answer' ? `${kind} ${request_id} ${report.response.code}` : `${kind} ${request_id}`;
}
