import type { IncomingMessage, ServerResponse } from 'node:http';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import { beginningOf } from '@kiosk/contract/reference';
import * as v from 'valibot';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import { isPaidState } from '../journal/balance.ts';
import type { CashNote } from '../journal/cash-book.ts';
import type { Journal } from '../journal/journal.ts';
import { NOTE_OUTCOMES, type PaymentKey, paymentKey } from '../journal/records.ts';
import { isClosed, refusedRecordText } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import type { Slips } from '../printer/slips.ts';
import { NOMINALS } from '../settings/settings.ts';
import { isBeingPaid } from './being-paid.ts';
import { collectCashbox, type NotCollected } from './collect-cashbox.ts';
import { Decision } from './decision.ts';

const STATUS_OF: Record<NotCollected['code'], number> = { no_such_period: 404, busy: 409, changed: 409, not_written: 503 };

/** The beginning of a note's id, in upper or lower case. */
const note = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.minLength(4, 'at least the first four characters of the note'));

const Wish = v.variant('action', [
	v.object({
		action: v.literal('settle'),
		note,
		outcome: v.picklist(NOTE_OUTCOMES),
		nominal: v.nullable(RupiahSchema),
		...Decision.entries,
	}),
	/**
	 * `expected`: the amount shown to the person. If notes came in meanwhile, the call is refused.
	 */
	v.object({
		action: v.literal('collected'),
		by: Decision.entries.by,
		expected: RupiahSchema,
		counted: v.nullable(RupiahSchema),
		/**
		 * Number of the last period to count. Default: the last period whose box was removed, else the
		 * current period.
		 */
		through: v.optional(v.nullable(v.number()), null),
	}),
	/**
	 * `state`, `held` and `twice`: the values that the person saw. If they have changed, the
	 * settlement is refused: it could hide new money that must be given back.
	 */
	v.object({
		action: v.literal('partial'),
		invoice: v.pipe(v.string(), v.trim(), v.nonEmpty('the invoice')),
		state: v.picklist(['partial', 'paid_twice']),
		held: RupiahSchema,
		twice: RupiahSchema,
		...Decision.entries,
	}),
]);
type Wish = v.InferOutput<typeof Wish>;
type Asked<A extends Wish['action']> = Extract<Wish, { action: A }>;

/**
 * Staff-socket calls: GET /cash/report, /cash/report/NUMBER, /cash/due, /cash/due/NUMBER,
 * /cash/uncounted, /cash/note/BEGINNING, /cash/partials and POST /cash.
 */
export function cashCalls(deps: {
	cash: CashDesk;
	journal: Journal;
	slips: Slips;
	tellAnchor: () => void;
	/** @returns a fresh UUID */
	newId: () => string;
	/** @returns the present time, ISO 8601 with the site's offset */
	now: () => string;
	log: Log;
}): Handler {
	const { cash, journal, log } = deps;
	const book = journal.cashbox;

	async function wished(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = await readJson(Wish, request, response);
		if (asked === null) return;
		switch (asked.action) {
			case 'settle':
				return settle(response, asked);
			case 'collected':
				return collected(response, asked);
			case 'partial':
				return partial(response, asked);
			default:
				return asked satisfies never;
		}
	}

	function settle(response: ServerResponse, wish: Asked<'settle'>): void {
		const found = oneNote(response, wish.note);
		if (!found) return;
		const { outcome, by, why } = wish;
		const problem = unsettleable(found, wish);
		if (problem) return refuse(response, 409, 'not_settled', problem);
		const nominal = outcome === 'in_box' ? (found.nominal ?? wish.nominal) : null;
		const settled = cash.settleNote(found, { outcome, nominal, by, why });
		if (!settled.ok) return refuse(response, 503, settled.error.code, refusedRecordText(settled.error));
		const was_paid = found.payment_id !== null && isPaidState(journal.money.balanceOf(found.payment_id as PaymentKey).state);
		answerJson(response, 200, { ...found, nominal: nominal ?? found.nominal, was_paid });
	}

	function collected(response: ServerResponse, wish: Asked<'collected'>): void {
		const { by, counted, expected, through } = wish;
		const done = collectCashbox(deps, { by, counted, expected, through });
		if (done.ok) answerJson(response, 200, done.value);
		else refuse(response, STATUS_OF[done.error.code], done.error.code, done.error.message);
	}

	function partial(response: ServerResponse, wish: Asked<'partial'>): void {
		const { by, why } = wish;
		const [found, ...others] = journal.money
			.attention()
			.filter(({ state }) => state !== 'dispute')
			.filter(({ payment }) => payment.noinvoice === wish.invoice || String(payment.id) === wish.invoice);
		if (!found || others.length > 0) {
			const count = found ? `${others.length + 1} invoices are` : 'no invoice is';
			return refuse(
				response,
				404,
				'no_such_partial',
				`${count} paid in part or twice under ${wish.invoice}; kioskctl cash attention lists them`,
			);
		}
		if (isBeingPaid(deps, found.payment)) return refuse(response, 409, 'busy', 'Not now: a customer is paying this invoice.');
		const payment_id = paymentKey(found.payment);
		if (found.state !== wish.state || found.twice !== wish.twice || journal.money.ownMoney(payment_id) !== wish.held)
			return refuse(response, 409, 'changed', 'The money of this invoice has changed. Check it again. Nothing was done.');
		const written = journal.append({ kind: 'partial_settled', settle_id: deps.newId(), payment_id, by, why });
		if (!written.ok) return refuse(response, 503, written.error.code, refusedRecordText(written.error));
		log.event('cash.partial_settled', { invoice: found.payment.noinvoice, received: found.received });
		answerJson(response, 200, found);
	}

	/**
	 * @returns the note whose id begins with this. If there is no such note or more than one, refuses
	 * the request and returns null.
	 */
	function oneNote(response: ServerResponse, beginning: string): CashNote | null {
		const [found, ...others] = book.find(beginningOf(beginning));
		if (found && others.length === 0) return found;
		const count = found ? `${others.length + 1} notes begin` : 'no note begins';
		refuse(response, 404, 'no_such_note', `${count} with ${beginning}; kioskctl cash report lists those in doubt`);
		return null;
	}

	return async (request, response, path) => {
		if (!path.startsWith('/cash')) return false;
		const trouble = journal.trouble();
		if (trouble && isClosed(trouble)) {
			// An unreadable journal would look empty.
			refuse(response, 503, trouble.code, `the journal cannot be read: ${trouble.message}`);
			return true;
		}
		const number = /^\/cash\/report(?:\/(\d{1,6}))?$/.exec(path);
		const due = /^\/cash\/due(?:\/(\d{1,6}))?$/.exec(path);
		const beginning = /^\/cash\/note\/([\w-]{4,36})$/.exec(path)?.[1];
		if (request.method === 'POST' && path === '/cash') await wished(request, response);
		else if (request.method !== 'GET') return false;
		else if (number) {
			const period = book.period(number[1] === undefined ? null : Number(number[1]));
			if (period) answerJson(response, 200, period);
			else refuse(response, 404, 'no_such_period', `there is no period ${number[1]}`);
		} else if (due) {
			const period = book.due(due[1] === undefined ? null : Number(due[1]));
			if (period) answerJson(response, 200, period);
			else refuse(response, 404, 'no_such_period', `period ${due[1]} cannot be counted: there is none, or it has been counted`);
		} else if (path === '/cash/uncounted') answerJson(response, 200, { removals: book.uncounted() });
		else if (path === '/cash/partials') answerJson(response, 200, { partials: book.partials() });
		else if (beginning) {
			const found = oneNote(response, beginning.toLowerCase());
			if (found) answerJson(response, 200, found);
		} else return false;
		return true;
	};
}

/** @returns why this note cannot be settled with this outcome; null if it can */
export function unsettleable(found: CashNote, wish: Pick<Asked<'settle'>, 'outcome' | 'nominal'>): string | null {
	if (found.state === 'intended') return 'The note is still moving; wait for the acceptor.';
	if (found.state !== 'in_doubt') return `This note is not in doubt: it is ${found.state}. Nothing was done.`;
	if (wish.outcome !== 'in_box') return null;
	if (found.nominal === null && wish.nominal === null) return 'Give the value of the note: --nominal AMOUNT';
	if (wish.nominal !== null && !NOMINALS.includes(wish.nominal)) return `A note has a value of ${NOMINALS.join(', ')}. Nothing was done.`;
	if (found.nominal !== null && wish.nominal !== null && wish.nominal !== found.nominal)
		return `The acceptor read this note as Rp ${found.nominal}. If there is no such note, settle it as not-ours.`;
	return null;
}
