import { type EventFields, loggedEvent } from '../../log/event-fields.ts';
import type { EventId } from '../../log/events.ts';
import type { TerminalReport } from '../terminal.ts';
import type { EcrEffect, EcrSettings, EcrState } from './bca-state.ts';

/** A step under construction: the state so far and its effects. */
export class Step {
	state: EcrState;
	readonly effects: EcrEffect[] = [];
	readonly settings: EcrSettings;
	readonly now: number;
	/** The reply to send when all bytes of the read are decoded. */
	wants: 'nothing' | 'ack' | 'nak' = 'nothing';

	constructor(state: EcrState, settings: EcrSettings, now: number) {
		this.state = state;
		this.settings = settings;
		this.now = now;
	}

	set(change: Partial<EcrState>): void {
		this.state = { ...this.state, ...change };
	}

	say(control: 'ack' | 'nak'): void {
		if (this.state.line) this.effects.push({ kind: 'say', control });
	}

	report(report: TerminalReport): void {
		this.effects.push({ kind: 'report', report });
	}

	log<E extends EventId>(id: E, fields: EventFields[E]): void {
		this.effects.push({ kind: 'log', ...loggedEvent(id, fields) });
	}
}
