import type { AcceptorCommand, AcceptorReport } from '../driver.ts';
import type { Command } from './codes.ts';
import { ictStep } from './ict-machine.ts';
import { ICT_START, type IctEffect, type IctEvent, type IctState } from './ict-state.ts';

/** A unit on a line in simulated time; collects the writes and reports since the last `forget`. */
export class IctFixture {
	now = 100_000;
	state: IctState = ICT_START;
	effects: IctEffect[] = [];

	do(event: IctEvent): this {
		const step = ictStep(this.state, event);
		this.state = step.state;
		this.effects.push(...step.effects);
		return this;
	}

	open(): this {
		return this.do({ kind: 'opened', now: this.now });
	}

	hear(...bytes: number[]): this {
		return this.do({ kind: 'data', bytes: Uint8Array.from(bytes), now: this.now });
	}

	ask(command: AcceptorCommand): this {
		return this.do({ kind: 'command', command, now: this.now });
	}

	/** Advances time in ticks; `answer`: the unit's answer to every poll. */
	wait(ms: number, answer?: number): this {
		for (const end = this.now + ms; this.now < end; ) {
			this.now += 100;
			const polls = this.written().filter((command) => command === 'poll').length;
			this.do({ kind: 'tick', now: this.now });
			if (answer !== undefined && this.written().filter((command) => command === 'poll').length > polls) this.hear(answer);
		}
		return this;
	}

	written(): Command[] {
		return this.effects.flatMap((effect) => (effect.kind === 'write' ? [effect.command] : []));
	}

	reports(): AcceptorReport[] {
		return this.effects.flatMap((effect) => (effect.kind === 'report' ? [effect.report] : []));
	}

	forget(): this {
		this.effects = [];
		return this;
	}

	/** A healthy unit that takes notes. */
	ready(): this {
		return this.open().ask('enable').wait(400, 0x3e).forget();
	}
}

/** The states reported since the last `forget`. */
export const states = (unit: IctFixture) => unit.reports().flatMap((report) => (report.kind === 'state' ? [report.state] : []));
/** How many removals of the cashbox were reported since the last `forget`. */
export const removals = (unit: IctFixture) => unit.reports().filter(({ kind }) => kind === 'cashbox_removed').length;
/** All reports since the last `forget` except states and movements of the cashbox. */
export const moneyReports = (unit: IctFixture) =>
	unit.reports().filter(({ kind }) => !['state', 'cashbox_removed', 'cashbox_in_place'].includes(kind));
export const kinds = (unit: IctFixture) => moneyReports(unit).map(({ kind }) => kind);

export const stacked = (late: boolean, code: string | null = '0x44', accepted = true): AcceptorReport => ({
	kind: 'stacked',
	accepted,
	late,
	code,
});
export const inEscrow = () => new IctFixture().ready().hear(0x81, 0x44).forget();
export const accepted = () => new IctFixture().ready().hear(0x81, 0x44).ask('accept').forget();
/** Advances time at once with a single tick at the end, as if the process had paused. */
export const later = (unit: IctFixture, ms: number): IctFixture => {
	unit.now += ms;
	return unit.do({ kind: 'tick', now: unit.now });
};
/** Advances time; the unit answers every poll. */
export const calm = (unit: IctFixture, ms: number, answer = 0x3e): IctFixture => unit.wait(ms, answer);
