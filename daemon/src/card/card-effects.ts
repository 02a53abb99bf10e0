import { type LiveText, paidText } from '@kiosk/contract/live';
import type { Rupiah } from '@kiosk/contract/money';
import type { CardTerminal, TerminalReport } from '../edc/terminal.ts';
import { type JournalRecord, type Payment, paymentKey } from '../journal/records.ts';
import { logTrouble } from '../journal/trouble.ts';
import type { CardDeskDeps } from './card-deps.ts';
import { cardStep } from './card-machine.ts';
import { restoreCardState } from './card-restart.ts';
import type { CardEffect, CardEvent, CardState, StaffAnswer, StaffAsk } from './card-state.ts';

/** Holds the state of the card machine, and runs its effects on journal, devices and screen. */
export class CardRunner {
	readonly deps: CardDeskDeps;
	readonly terminal: CardTerminal | null;
	state: CardState;
	/** The daemon is stopping: no request to the terminal begins. */
	leaving = false;
	readonly #answers = new Map<string, (answer: StaffAnswer) => void>();
	#cancelLook = () => {};

	constructor(deps: CardDeskDeps) {
		this.deps = deps;
		const midSale = deps.journal.cards.open().length > 0;
		this.state = restoreCardState(deps);
		this.terminal = deps.startTerminal?.((report) => this.#onReport(report), midSale) ?? null;
	}

	handle(event: CardEvent): void {
		const step = cardStep(this.state, event, this.deps.policy);
		this.state = step.state;
		for (const effect of step.effects) this.#run(effect);
	}

	/** @returns the answer to a request of staff once it has ended */
	carryOut(ask: StaffAsk): Promise<StaffAnswer> {
		return new Promise((answer) => {
			this.#answers.set(ask.action_id, answer);
			this.handle({ kind: 'staff', ask });
		});
	}

	/** @returns the time, ISO 8601 with the site's offset */
	now(): string {
		return this.deps.timestamp(this.deps.clock.wall());
	}

	stop(): void {
		this.#cancelLook();
		this.terminal?.stop();
	}

	#run(effect: CardEffect): void {
		switch (effect.kind) {
			case 'write':
				return this.#write(effect.record);
			case 'request':
				return this.terminal?.request(effect.request, effect.request_id);
			case 'acknowledge':
				return this.terminal?.acknowledge();
			case 'look_later':
				return this.#lookLater(effect.ms);
			case 'tell':
				return this.deps.notify(this.#withBalance(effect.text, effect.about), effect.about);
			case 'tell_paid':
				return this.#tellPaid(effect.payment);
			case 'relay':
				return this.deps.relay();
			case 'staff_answer':
				this.#answers.get(effect.action_id)?.(effect.answer);
				this.#answers.delete(effect.action_id);
				return;
			case 'log':
				return this.deps.log.event(effect.id, effect.fields);
			default:
				return effect satisfies never;
		}
	}

	/** The invoice may have grown since the sale began. */
	#tellPaid(payment: Payment): void {
		if (coveredBy(this, payment).paid) this.deps.notify(paidText(payment.id), payment);
	}

	/** @returns the text; an approval says whether it paid the invoice */
	#withBalance(text: LiveText, about: Payment | undefined): LiveText {
		if (!about) return text;
		const approves =
			(text.type === 'kiosk_edc_sale' && text.phase === 'approved') ||
			(text.type === 'payment_edc_bca_notification' && text.data.respCode === '00');
		return approves ? { ...text, ...coveredBy(this, about) } : text;
	}

	/** Writes a record and hands the outcome to the machine. */
	#write(record: JournalRecord): void {
		const { journal, log } = this.deps;
		const written = journal.append(record);
		if (written.ok) return this.handle({ kind: 'written', record, unresolved: journal.cards.unknown() });
		logTrouble(log, written.error);
		this.handle({ kind: 'not_written', record, error: written.error });
	}

	#lookLater(ms: number): void {
		const { clock, newId } = this.deps;
		this.#cancelLook = clock.after(ms, () => this.handle({ kind: 'look_due', request_id: newId() }));
	}

	#onReport(report: TerminalReport): void {
		const { cards } = this.deps.journal;
		const named = report.kind === 'answer' || report.kind === 'acked' ? report.request_id : null;
		const sale = named === null ? null : cards.sale(named);
		const known = report.kind === 'answer' && cards.knows(report.response);
		this.handle({ kind: 'terminal', report, sale, known, fresh_id: this.deps.newId(), time: this.now() });
	}
}

/** @returns whether everything received covers the invoice now, and the rupiah still due */
export function coveredBy({ deps }: CardRunner, payment: Payment): { paid: boolean; due: Rupiah } {
	const { state, due } = deps.invoices.balanceOf(paymentKey(payment));
	return { paid: state === 'paid' || state === 'paid_twice', due };
}
