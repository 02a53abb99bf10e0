import type { CardTerminal, TerminalReport, TerminalResponse } from '../edc/terminal.ts';
import type { CardBook } from '../journal/card-book.ts';
import { isClosed, logTrouble } from '../journal/trouble.ts';
import type { CardDeskDeps } from './card-deps.ts';
import { cardStep } from './card-machine.ts';
import { recover, restoreCardState } from './card-restart.ts';
import { CardScreen } from './card-screen.ts';
import type { CardEffect, CardEvent, CardState, KeptWord, Recalled, StaffAnswer, StaffAsk, WriteEffect } from './card-state.ts';
import { declinedBefore, subjectOf } from './card-unwritten.ts';

/** A sale that is unknown may be in progress at the terminal for this time after it began. */
const RECENT_SALE_MS = 5 * 60_000;

/**
 * Holds the state of the card desk's state machine, and runs its effects on journal, terminal and
 * screen.
 */
export class CardRunner {
	readonly deps: CardDeskDeps;
	readonly terminal: CardTerminal | null;
	readonly screen: CardScreen;
	state: CardState;
	/** The daemon is stopping: no request to the terminal begins. */
	leaving = false;
	readonly #answers = new Map<string, (answer: StaffAnswer) => void>();
	#cancelLook = () => {};

	constructor(deps: CardDeskDeps) {
		this.deps = deps;
		const midSale = mayBeMidSale(deps);
		this.state = restoreCardState(deps);
		this.screen = new CardScreen(deps, () => this.state.last);
		this.terminal = deps.startTerminal?.((report) => this.#onReport(report), midSale) ?? null;
	}

	handle(event: CardEvent): void {
		const step = cardStep(this.state, event, this.deps.policy);
		this.state = step.state;
		for (const effect of step.effects) this.#run(effect);
		this.deps.endHeldCash();
	}

	/**
	 * Checks journal and disk now, and hands a change to the card machine. After a recovery, marks
	 * sales and staff requests without an outcome as unknown, starts the reports of approvals, and
	 * handles the unwritten reports of the terminal.
	 */
	checkJournal(): void {
		const { deps, state } = this;
		const { journal } = deps;
		const trouble = journal.trouble()?.code ?? (state.trouble && recover(journal, state.open));
		if (trouble === state.trouble && state.unwritten.length === 0) return;
		if (!trouble && state.trouble) deps.relay();
		const unresolved = trouble ? state.unresolved : journal.cards.unknown();
		const last = trouble || !state.last ? null : journal.cards.sale(state.last.sale.attempt_id);
		this.handle({ kind: 'journal', trouble, unresolved, last });
		if (!trouble) this.#retryUnwritten();
	}

	/** Handles the unwritten reports, oldest first, until one of them cannot be written. */
	#retryUnwritten(): void {
		const { journal, newId } = this.deps;
		for (let left = Number.POSITIVE_INFINITY; this.state.unwritten.length < left && !journal.trouble(); ) {
			const [oldest] = this.state.unwritten;
			if (!oldest) return;
			left = this.state.unwritten.length;
			const recalled = this.#recallWord(oldest);
			// A failed read has closed the journal, so the data are incomplete.
			if (isClosed(journal.trouble())) return;
			this.handle({ kind: 'retry', ...recalled, fresh_id: newId(), time: this.now() });
		}
	}

	#recallWord(word: KeptWord): Recalled {
		const { journal } = this.deps;
		const { record } = word;
		if (!record) return recall(journal.cards, subjectOf(this.state, word), word.response);
		if (record.kind === 'card_evidence') return { ...NOTHING, known: journal.has(record) };
		// If a later answer has already reopened the sale, the record is dropped.
		return { ...NOTHING, known: journal.cards.sale(record.attempt_id)?.state !== 'not_begun' };
	}

	/** @returns the answer to a staff request when the request has ended */
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
		this.screen.stop();
		this.#cancelLook();
		this.terminal?.stop();
	}

	#run(effect: CardEffect): void {
		switch (effect.kind) {
			case 'write':
				return this.#write(effect);
			case 'request':
				return this.terminal?.request(effect.request, effect.request_id);
			case 'acknowledge':
				return this.terminal?.acknowledge(effect.response);
			case 'look_later':
				return this.#lookLater(effect.ms);
			case 'tell':
				return this.screen.tell(effect.text, effect.about);
			case 'tell_paid':
				return this.screen.tellPaid(effect.payment);
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

	/** Writes a record and hands the outcome to the state machine. */
	#write({ record, heard = null, word, next }: WriteEffect): void {
		const { journal, log } = this.deps;
		const written = journal.append(record);
		if (!written.ok) {
			logTrouble(log, written.error);
			this.handle({ kind: 'not_written', record, heard, error: written.error, word });
			// A kept report produces its records again. Without such a report, the next record fails
			// as well.
			if (next && !word) this.handle({ kind: 'not_written', record: next.record, heard, error: written.error });
			return;
		}
		const last = next ? {} : { heard, done: word };
		const unknown = journal.cards.unknown();
		const trouble = journal.trouble();
		const isUnread = isClosed(trouble);
		this.handle({ kind: 'written', record, ...last, unresolved: isUnread ? this.state.unresolved : unknown });
		// The failed read has closed the journal. The next check of the journal reads the sales again.
		if (trouble && isUnread) this.handle({ kind: 'journal', trouble: trouble.code, unresolved: this.state.unresolved, last: null });
		if (next) this.#write(next);
	}

	#lookLater(ms: number): void {
		const { clock, newId } = this.deps;
		this.#cancelLook = clock.after(ms, () => this.handle({ kind: 'look_due', request_id: newId() }));
	}

	/** @returns the id of the sale whose inquiry this report answers */
	#inquired(report: TerminalReport): string | null {
		const { open } = this.state;
		return report.kind === 'answer' && open?.kind === 'inquiry' && open.request_id === report.request_id ? open.sale.attempt_id : null;
	}

	#onReport(report: TerminalReport): void {
		const { journal, newId } = this.deps;
		// Earlier reports may decide how this one counts.
		if (this.state.unwritten.length > 0) this.checkJournal();
		const named = report.kind === 'answer' || report.kind === 'acked' ? report.request_id : null;
		const response = report.kind === 'answer' ? report.response : null;
		const about = this.#inquired(report) ?? named ?? (response && declinedBefore(this.state, response));
		const found = { ...recall(journal.cards, about, response), isClosed: isClosed(journal.trouble()) };
		this.handle({ kind: 'terminal', report, ...found, fresh_id: newId(), time: this.now() });
	}
}

/**
 * @returns whether a sale or void of an earlier run may still be in progress at the terminal. A
 * journal that cannot be read shows no sale
 */
function mayBeMidSale({ journal, clock }: CardDeskDeps): boolean {
	const { cards } = journal;
	if (isClosed(journal.trouble()) || cards.open().length > 0 || cards.openActions().length > 0) return true;
	const since = clock.wall().getTime() - RECENT_SALE_MS;
	return cards.unknown().some(({ payment, time }) => payment !== null && Date.parse(time) >= since);
}

const NOTHING: Recalled = { sale: null, known: false, isOtherListed: false, voided: null };

/**
 * Finds the journal's data about a response.
 * @param about the id of the request or sale that the response may concern
 */
function recall(cards: CardBook, about: string | null, response: TerminalResponse | null): Recalled {
	const asked = about === null ? null : cards.ofVoid(about);
	const sale = asked ?? (about === null ? null : cards.sale(about));
	if (response === null) return { ...NOTHING, sale };
	const isOtherListed = sale?.response ? cards.isListedAlone(sale.response) : false;
	// Some terminals omit the sale's number in the answer to a void.
	const voided = cards.voidedBy(response) ?? (response.type === 'void' && response.code === '00' ? asked : null);
	return { sale, known: cards.knows(response), isOtherListed, voided };
}
