import { type Rupiah, rupiah } from '@kiosk/contract/money';
import {
	DECISIONS,
	needsSupervisor,
	needsTwoNames,
	type StaffCase,
	type StaffCases,
	type StaffDecision,
} from '@kiosk/contract/staff-cases';
import { type InvoiceDesk, SHORT_LOOK_UP_MS } from '../back-office/invoice-desk.ts';
import { customerText } from '../base/customer-text.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { CardDesk } from '../card/card-desk.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import type { Attention } from '../journal/attention.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { Journal } from '../journal/journal.ts';
import { owedChange } from '../journal/owed-change.ts';
import { screenReason } from '../journal/print-book.ts';
import { type PaymentKey, paymentKey } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import type { Slips } from '../printer/slips.ts';
import { isBeingPaid } from './being-paid.ts';
import { unsettleable } from './cash-calls.ts';
import { describeDeviceReport } from './device-report.ts';
import { giveBack } from './give-back.ts';

/**
 * Number of newest payments that are searched for change still owed. A busy day has fewer payments.
 */
const SEARCHED_PAYMENTS = 60;

/**
 * Maximum number of listed invoices of each state: more than staff can decide in a day. The number
 * is limited because reading them blocks the daemon.
 */
const LISTED_INVOICES = 200;
/** Kinds of cases that may be missing from the list because of its limits. */
const IS_ABOUT_INVOICE: ReadonlySet<string> = new Set(['change', 'partial', 'twice']);

/** Id of the case about a locked acceptor. A kiosk has only one acceptor. */
const LOCK = 'acceptor';

type Refusal = {
	code: 'not_open' | 'busy' | 'two_names' | 'need_supervisor' | 'need_nominal' | 'not_written' | 'other_decision' | 'other_amount';
	message: string;
};

/** Cases that staff decide on the screen. */
export interface OpenCases {
	list(): StaffCases;
	/** @returns the case about money of this payment that staff can give to the customer, or null */
	of(key: PaymentKey): StaffCase | null;
	decide(decision: StaffDecision): Promise<Result<StaffCases, Refusal>>;
}

/**
 * @param deps.twoNamesAbove rupiah above which a decision needs a second name
 * @param deps.nominals notes that the acceptor may take, rupiah
 */
export function openCases(deps: {
	journal: Pick<Journal, 'append' | 'inDoubt' | 'parked' | 'cashbox' | 'cards' | 'money' | 'givenWithoutSlip' | 'hasSlip' | 'acceptorLock'>;
	invoices: Pick<InvoiceDesk, 'refresh'>;
	cash: Pick<CashDesk, 'settleNote' | 'paying' | 'isPayingInvoice' | 'unlock'>;
	card: Pick<CardDesk, 'carryOut'>;
	twoNamesAbove: Rupiah;
	nominals: readonly Rupiah[];
	isSupervisor: (name: string) => boolean;
	slips: Pick<Slips, 'givenBack' | 'collected' | 'hasPrinter'>;
	/** @returns a fresh UUID */
	newId: () => string;
	/** @returns the present time, ISO 8601 with the site's offset */
	now: () => string;
	log: Log;
}): OpenCases {
	const { journal, cash, card, log } = deps;

	/** @returns a case for each of the newest payments for which the kiosk owes change */
	const changes = (): StaffCase[] =>
		journal.cashbox
			.newestPayments(SEARCHED_PAYMENTS)
			.flatMap(({ payment_id, time }) => changeCase(payment_id, journal.money.paymentOf(payment_id)?.noinvoice ?? '', time) ?? []);

	function changeCase(id: PaymentKey, noinvoice: string, time: string): StaffCase | null {
		const amount = owedChange(journal.money, id);
		return amount > 0 ? { kind: 'change', id, noinvoice, time, amount, heard: '' } : null;
	}

	/**
	 * @returns the case about this payment's money, even if the list leaves it out; null if there is
	 * no such case
	 */
	function caseOf(key: PaymentKey): StaffCase | null {
		const payment = journal.money.paymentOf(key);
		const listed = journal.money.attentionOf(key);
		if (listed && listed.state !== 'dispute' && key !== cash.paying()) return invoiceCase(listed);
		return payment && changeCase(key, payment.noinvoice, '');
	}

	/**
	 * Invoices paid in part, paid twice or in dispute, except the one that a customer is paying now.
	 */
	const invoices = (): StaffCase[] =>
		journal.money
			.attention(LISTED_INVOICES)
			.filter(({ payment }) => paymentKey(payment) !== cash.paying())
			.map(invoiceCase);

	function invoiceCase({ payment, state, received, twice }: Attention): StaffCase {
		const id = paymentKey(payment);
		const held = journal.money.ownMoney(id);
		const kind = state === 'paid_twice' ? 'twice' : state;
		const amount = kind === 'twice' ? rupiah(Math.min(twice, held)) : kind === 'partial' ? held : received;
		return { kind, id, noinvoice: payment.noinvoice, time: '', amount, heard: '' };
	}

	const notes = (): StaffCase[] =>
		journal.inDoubt().map(({ note_id, noinvoice, nominal, time, why }) => {
			const heard = describeDeviceReport('note', why);
			return { kind: 'note', id: note_id, noinvoice, time, amount: nominal, heard };
		});
	const parked = (): StaffCase[] =>
		journal
			.parked()
			.map(({ note_id, noinvoice, nominal, time }) => ({ kind: 'parked', id: note_id, noinvoice, time, amount: nominal, heard: '' }));
	const saleCase =
		(kind: 'sale' | 'charged_twice') =>
		({ attempt_id, payment, time, amount, why }: CardSale): StaffCase => ({
			kind,
			id: attempt_id,
			noinvoice: payment?.noinvoice ?? '',
			time,
			amount,
			heard: kind === 'sale' ? describeDeviceReport('sale', why) : '',
		});

	const slipCase = (id: string, noinvoice: string, time: string, amount: Rupiah): StaffCase => ({
		kind: 'slip',
		id,
		noinvoice,
		time,
		amount,
		heard: '',
	});

	const locks = (): StaffCase[] =>
		journal.acceptorLock() === null ? [] : [{ kind: 'lock', id: LOCK, noinvoice: '', time: '', amount: null, heard: '' }];

	/** Slips that still need printing, e.g. because the printer had no paper or the kiosk stopped. */
	function slips(): StaffCase[] {
		if (!deps.slips.hasPrinter()) return [];
		const count = journal.cashbox.lastCount();
		return [
			...journal
				.givenWithoutSlip()
				.map((one) => slipCase(one.give_id, journal.money.paymentOf(one.payment_id)?.noinvoice ?? '', one.time, one.amount)),
			...(count === null || journal.hasSlip(count.collection_id)
				? []
				: [slipCase(count.collection_id, customerText.boxPeriod(count.number), count.time, count.expected)]),
		];
	}

	function printSlip({ id }: StaffDecision): Result<void, Refusal> {
		const count = journal.cashbox.lastCount();
		const given = journal.givenWithoutSlip().find(({ give_id }) => give_id === id);
		const payment = given && journal.money.paymentOf(given.payment_id);
		if (given && payment) deps.slips.givenBack(given, payment);
		else if (count?.collection_id === id && !journal.hasSlip(id)) deps.slips.collected(count);
		else return fail({ code: 'not_open', message: 'this slip is printed, or not needed any more' });
		return journal.hasSlip(id) ? ok(undefined) : fail({ code: 'not_written', message: 'the print could not be recorded' });
	}

	const list = (): StaffCases => ({
		two_names_above: deps.twoNamesAbove,
		nominals: [...deps.nominals].sort((a, b) => b - a),
		cases: [
			...notes(),
			...journal.cards.unknown().map(saleCase('sale')),
			...changes(),
			...invoices(),
			...journal.cards.chargedTwice().map(saleCase('charged_twice')),
			...parked(),
			...locks(),
			...slips(),
		],
	});

	function settleNote(wish: StaffDecision, why: string): Result<void, Refusal> {
		const note = journal.cashbox.find(wish.id).find(({ note_id }) => note_id === wish.id);
		const [outcome] = DECISIONS.note.filter((one) => one === wish.decision);
		if (!note || !outcome) return fail({ code: 'not_open', message: 'there is no such note in doubt' });
		if (outcome === 'in_box' && note.nominal === null && wish.nominal === null)
			return fail({ code: 'need_nominal', message: 'the value of the note is not known' });
		const problem = unsettleable(note, { outcome, nominal: wish.nominal });
		if (problem) return fail({ code: 'not_open', message: problem });
		const nominal = outcome === 'in_box' ? (note.nominal ?? wish.nominal) : null;
		const settled = cash.settleNote(note, { outcome, nominal, by: wish.by, why });
		return settled.ok ? ok(undefined) : fail({ code: 'not_written', message: settled.error.message });
	}

	async function settleSale(wish: StaffDecision, why: string): Promise<Result<void, Refusal>> {
		const sale = journal.cards.unknown().find(({ attempt_id }) => attempt_id === wish.id);
		const [outcome] = DECISIONS.sale.filter((one) => one === wish.decision);
		if (!sale || !outcome) return fail({ code: 'not_open', message: 'there is no such unknown sale' });
		const { code, text } = await card.carryOut({ action: 'settle', sale, outcome, by: wish.by, why });
		if (code === 'done') return ok(undefined);
		if (code === 'other_amount') return fail({ code, message: text });
		if (code === 'not_possible') return fail({ code: 'not_open', message: text });
		return fail({ code: code === 'journal' ? 'not_written' : 'busy', message: text });
	}

	/** Records that staff give change, a partial payment or a double payment back to the customer. */
	function giveMoney(wish: StaffDecision, amount: Rupiah, why: string): Result<void, Refusal> {
		const payment = journal.money.paymentOf(wish.id as PaymentKey);
		if (!payment || amount <= 0) return fail({ code: 'not_open', message: 'there is no money to give back' });
		return giveBack(deps, payment, amount, { by: wish.by, why });
	}

	/**
	 * Removes an invoice from the list, because the rest of a partly paid invoice was paid elsewhere
	 * or the excess of an invoice paid twice was given back elsewhere.
	 */
	function settleElsewhere(wish: StaffDecision, why: string): Result<void, Refusal> {
		const asked = wish.kind === 'twice' ? 'paid_twice' : 'partial';
		const found = journal.money.attentionOf(wish.id as PaymentKey);
		if (found?.state !== asked) return fail({ code: 'not_open', message: 'this invoice is not paid in part or twice' });
		if (isBeingPaid(deps, found.payment)) return fail({ code: 'busy', message: 'a customer is paying this invoice' });
		const written = journal.append({ kind: 'partial_settled', settle_id: deps.newId(), payment_id: wish.id, by: wish.by, why });
		if (!written.ok) return fail({ code: 'not_written', message: written.error.message });
		log.event('cash.partial_settled', { invoice: found.payment.noinvoice, received: found.received });
		return ok(undefined);
	}

	function unlock({ by }: StaffDecision, why: string): Result<void, Refusal> {
		const written = cash.unlock(`${by}: ${why}`);
		return written.ok ? written : fail({ code: 'not_written', message: written.error.message });
	}

	async function carryOut(wish: StaffDecision, amount: Rupiah, why: string): Promise<Result<void, Refusal>> {
		if (wish.kind === 'note') return settleNote(wish, why);
		if (wish.kind === 'sale') return settleSale(wish, why);
		if (wish.kind === 'slip') return printSlip(wish);
		if (wish.kind === 'lock') return unlock(wish, why);
		const isElsewhere = wish.decision === 'rest_elsewhere' || (wish.kind === 'twice' && amount === 0);
		return isElsewhere ? settleElsewhere(wish, why) : giveMoney(wish, amount, why);
	}

	return {
		list,
		of: caseOf,
		async decide(wish) {
			if (!(DECISIONS[wish.kind] as readonly string[]).includes(wish.decision))
				return fail({ code: 'other_decision', message: `${wish.decision} is not a decision for a ${wish.kind}` });
			const gives = wish.decision === 'given' ? journal.money.paymentOf(wish.id as PaymentKey) : null;
			if (gives) await deps.invoices.refresh(gives, SHORT_LOOK_UP_MS);
			const older = IS_ABOUT_INVOICE.has(wish.kind) ? caseOf(wish.id as PaymentKey) : null;
			const found = list().cases.find(({ kind, id }) => kind === wish.kind && id === wish.id) ?? older;
			if (found?.kind !== wish.kind || found.amount !== wish.amount)
				return fail({ code: 'not_open', message: 'this case is not open, or its amount has changed' });
			const amount = found.amount ?? wish.nominal ?? rupiah(0);
			const isAlone = wish.second === null || wish.second === wish.by;
			if (isAlone && needsTwoNames(wish.kind, amount, deps.twoNamesAbove))
				return fail({ code: 'two_names', message: 'this amount needs two different names' });
			const isApproved = [wish.by, wish.second].some((name) => name !== null && deps.isSupervisor(name));
			if (needsSupervisor(wish.kind) && !isApproved)
				return fail({ code: 'need_supervisor', message: `a supervisor decides about a ${wish.kind}` });
			const why = screenReason({ second: isAlone ? null : wish.second, approval: wish.approval });
			const done = await carryOut(wish, amount, why);
			return done.ok ? ok(list()) : done;
		},
	};
}
