import type { EdcStart, EdcState, LiveText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { Clock } from '../base/clock.ts';
import type { CardTerminal, TerminalReport } from '../edc/terminal.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { Journal, JournalError } from '../journal/journal.ts';
import { accountKey, type JournalRecord, type Payment, paymentKey, samePayment } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import { cardStep, initialCardState, shownStateOf } from './card-machine.ts';
import { greetingOf } from './card-messages.ts';
import {
	type CardEffect,
	type CardEvent,
	type CardPolicy,
	type CardState,
	phaseOf,
	type Sale,
	type StaffAnswer,
	type StaffAsk,
} from './card-state.ts';
import { isAskedFor, refusalOfBooks } from './sale-guards.ts';

/**
 * Interval for checking journal and disk; the cash desk reopens a broken journal at the same
 * interval.
 */
const JOURNAL_CHECK_MS = 5_000;
/** Interval of inquiries about an unknown sale, if the terminal supports them. */
const INQUIRY_MS = 60_000;
/** How long stopping waits for a customer at the terminal; systemd kills the daemon after 90 s. */
const STOP_WAIT_MS = 30_000;
const IDLE_CHECK_MS = 50;

/** A request of staff, without the fields that the desk adds. */
export type StaffWish = StaffAsk extends infer Ask ? (Ask extends StaffAsk ? Omit<Ask, 'action_id' | 'time'> : never) : never;

/** Runs the effects of the pure card machine on journal, terminal, screen and outbox. */
export interface CardDesk {
	/** Starts a sale that the screen requests; its progress is sent over the live socket. */
	start(asked: EdcStart['data']): void;
	/** What the terminal can do for the next customer. */
	shownState(): EdcState;
	/** The messages for a newly connected screen. */
	greeting(): LiveText[];
	/** Whether this invoice's card sale is open or unknown, so that no other payment may begin. */
	isHolding(payment: Payment): boolean;
	/** Resolves when the request has ended, answered or not. */
	carryOut(wish: StaffWish): Promise<StaffAnswer>;
	/**
	 * No further request to the terminal. Resolves when no sale is open or STOP_WAIT_MS is over.
	 */
	leave(): Promise<void>;
	stop(): void;
}

export interface CardDeskDeps {
	journal: Journal;
	policy: CardPolicy;
	/** Whether QR codes on the terminal are enabled. */
	qris: boolean;
	clock: Clock;
	log: Log;
	/** A fresh UUID. */
	newId: () => string;
	notify: (text: LiveText) => void;
	/** Called when an approval is on disk, to report it to the back office. */
	relay: () => void;
	/** The last looked-up invoice and its due amount. */
	invoices: Pick<InvoiceDesk, 'current' | 'balanceOf' | 'keep'>;
	/** The account that is logged in, or null. */
	account: () => Payment['account'];
	/** Ends an open cash payment; a note in flight keeps its intent in the journal. */
	closeCash: () => void;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	/**
	 * null without a terminal in the settings. `midSale`: the previous run ended during a sale,
	 * which may still be in progress.
	 */
	startTerminal: ((report: (report: TerminalReport) => void, midSale: boolean) => CardTerminal) | null;
}

export function startCardDesk(deps: CardDeskDeps): CardDesk {
	const { journal, policy, clock, log } = deps;
	const { cards } = journal;
	const answers = new Map<string, (answer: StaffAnswer) => void>();
	let cancelLook = () => {};
	let leaving = false;
	const now = () => deps.timestamp(clock.wall());

	const midSale = cards.open().length > 0;
	const unrecovered = recover();
	let state: CardState = {
		...initialCardState(deps.startTerminal !== null),
		trouble: journal.trouble()?.code ?? unrecovered,
		unresolved: cards.unknown(),
		last: lastSale(cards.last()),
	};

	/**
	 * Marks every sale without an outcome as unknown, except the open one: the terminal may have
	 * charged a card.
	 * @returns the journal's trouble if that could not be written
	 */
	function recover(open: CardState['open'] = null): JournalError['code'] | null {
		const why = 'the kiosk stopped before the terminal’s answer was on disk';
		const records: JournalRecord[] = [];
		for (const { attempt_id } of cards.open())
			if (open?.kind !== 'sale' || open.sale.attempt_id !== attempt_id)
				records.push({ kind: 'card_unknown', attempt_id, why, response: null });
		for (const { action_id } of cards.openActions())
			if (open?.kind !== 'staff' || open.ask.action_id !== action_id)
				records.push({ kind: 'card_action_ended', action_id, outcome: 'unknown', why, response: null });
		for (const record of records) {
			const written = journal.append(record);
			if (!written.ok) return written.error.code;
		}
		return null;
	}

	function handle(event: CardEvent): void {
		const step = cardStep(state, event, policy);
		state = step.state;
		for (const effect of step.effects) run(effect);
	}

	function run(effect: CardEffect): void {
		switch (effect.kind) {
			case 'write': {
				const { record } = effect;
				const written = journal.append(record);
				if (written.ok) return handle({ kind: 'written', record, unresolved: cards.unknown() });
				log.event('journal.unhealthy', { code: written.error.code, message: written.error.message });
				return handle({ kind: 'not_written', record, error: written.error });
			}
			case 'request':
				return terminal?.request(effect.request, effect.request_id);
			case 'acknowledge':
				return terminal?.acknowledge();
			case 'look_later':
				cancelLook = clock.after(effect.ms, () => handle({ kind: 'look_due', request_id: deps.newId() }));
				return;
			case 'tell':
				return deps.notify(effect.text);
			case 'relay':
				return deps.relay();
			case 'staff_answer':
				answers.get(effect.action_id)?.(effect.answer);
				answers.delete(effect.action_id);
				return;
			case 'log':
				return log.event(effect.id, effect.fields);
			default:
				return effect satisfies never;
		}
	}

	function reported(report: TerminalReport): void {
		const named = report.kind === 'answer' || report.kind === 'acked' ? report.request_id : null;
		const sale = named === null ? null : cards.sale(named);
		const known = report.kind === 'answer' && cards.knows(report.response);
		handle({ kind: 'terminal', report, sale, known, fresh_id: deps.newId(), time: now() });
	}

	const terminal = deps.startTerminal?.(reported, midSale) ?? null;

	let cancelCheck = clock.after(JOURNAL_CHECK_MS, checkOften);
	function checkOften(): void {
		cancelCheck = clock.after(JOURNAL_CHECK_MS, checkOften);
		checkJournal();
	}

	function checkJournal(): void {
		const trouble = journal.trouble()?.code ?? (state.trouble && recover(state.open));
		if (trouble === state.trouble && state.unwritten.length === 0) return;
		if (!trouble) deps.relay();
		const [first] = state.unwritten;
		const known = first !== undefined && cards.knows(first.response);
		handle({
			kind: 'journal',
			trouble,
			unresolved: trouble ? state.unresolved : cards.unknown(),
			known,
			fresh_id: deps.newId(),
			time: now(),
		});
	}

	let cancelInquiry = clock.after(INQUIRY_MS, inquire);
	function inquire(): void {
		cancelInquiry = clock.after(INQUIRY_MS, inquire);
		handle({ kind: 'quiet', request_id: deps.newId() });
	}

	/**
	 * Excludes ended declines (a screen that missed one can start again), sales that no longer pay
	 * their invoice, and sales of another outlet, where the same id is another invoice.
	 */
	function concernsScreen({ sale: { payment }, phase }: NonNullable<CardState['last']>): boolean {
		if (phase === 'declined' || accountKey(payment.account) !== accountKey(deps.account())) return false;
		return phase !== 'approved' || deps.invoices.balanceOf(paymentKey(payment)).due === 0;
	}

	return {
		start(asked) {
			checkJournal();
			const current = deps.invoices.current();
			const invoice = current && isAskedFor(asked, current.info.results) ? current : null;
			const nothing: Payment = { account: null, id: asked.id ?? '', odoo_id: null, noinvoice: '', total: rupiah(0) };
			const payment = invoice?.payment ?? nothing;
			const key = paymentKey(payment);
			const tried = cards.ofPayment(key);
			const books = invoice && { balance: deps.invoices.balanceOf(key), notes: journal.notesOf(key) };
			const method = asked.method ?? 'card';
			const sale: Sale = { attempt_id: deps.newId(), payment, amount: asked.amount, method, attempt: tried.length + 1, time: now() };
			const refusal = leaving || (method === 'qris' && !deps.qris) ? 'not_ready' : refusalOfBooks(asked.amount, books);
			if (invoice && refusal === null) {
				deps.closeCash();
				deps.invoices.keep(invoice);
			}
			handle({ kind: 'start', sale, refusal, before: tried.findLast((one) => isNotOver(one, books?.balance.due ?? 0)) ?? null });
		},
		shownState: () => shownStateOf(state),
		greeting: () => [
			{ type: 'kiosk_edc', state: shownStateOf(state) },
			...(state.last && concernsScreen(state.last) ? greetingOf(state.last) : []),
		],
		isHolding: (payment) =>
			(state.open?.kind === 'sale' && samePayment(state.open.sale.payment, payment)) ||
			(state.last?.phase === 'unknown' && samePayment(state.last.sale.payment, payment)) ||
			state.unresolved.some((sale) => sale.payment !== null && samePayment(sale.payment, payment)),
		carryOut: (wish) =>
			new Promise((answer) => {
				if (leaving) return answer({ code: 'not_ready', text: 'The kiosk is shutting down; try again in a moment.', response: null });
				const action_id = deps.newId();
				answers.set(action_id, answer);
				handle({ kind: 'staff', ask: { ...wish, action_id, time: now() } });
			}),
		async leave() {
			leaving = true;
			const limit = clock.now() + STOP_WAIT_MS;
			while (state.open?.kind === 'sale' && clock.now() < limit)
				await new Promise<void>((resolve) => void clock.after(IDLE_CHECK_MS, resolve));
		},
		stop() {
			cancelCheck();
			cancelInquiry();
			cancelLook();
			terminal?.stop();
		},
	};
}

/**
 * A sale that paid the invoice or may have. @param due rupiah due now: if anything is due, an
 * approval does not end a new request
 */
const isNotOver = ({ state }: CardSale, due: number): boolean =>
	phaseOf(state) !== 'declined' && !(phaseOf(state) === 'approved' && due > 0);

const lastSale = (sale: CardSale | null): CardState['last'] =>
	sale?.payment ? { sale: { ...sale, payment: sale.payment }, phase: phaseOf(sale.state) } : null;
