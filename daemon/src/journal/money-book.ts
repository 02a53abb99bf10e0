import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { type AttentionBook, attentionBook } from './attention.ts';
import { type Balance, balanceOf, ownOf } from './balance.ts';
import { keptElsewhere } from './listed-payments.ts';
import type { InvoiceView, MoneyFacts, StrangeNote } from './money-facts.ts';
import { findHeldUnderOther } from './other-number.ts';
import { keysOfNumbers, type PaymentBook, paymentBook } from './payment-book.ts';
import { idAndNumber, withoutNumber } from './payment-keys.ts';
import type { OwnAtAnswer, PaymentKey } from './records.ts';
import { GIVEN_BACK_OF, notReceived, type ReturnedMoney, removedMoney, returnedMoney, UNDONE_AT } from './returned-money.ts';
import type { Rows } from './rows.ts';
import { SeenBody, viewOf } from './statement.ts';
import { takenWithoutAccount, unassignedMoney } from './unassigned-money.ts';

/** Facts about a question to the back office and about the answer. */
export interface AskedAt {
	/**
	 * Number of the newest record when the question was sent. The answer must include the money that
	 * was confirmed up to this record, except notes for which `isConfirmedLately` is true.
	 */
	seq: number;
	/**
	 * Whether the back office may know the note or sale with this id although it has not confirmed
	 * it.
	 */
	mayBeTold: (id: string) => boolean;
	/** Whether the back office confirmed this note so recently that its list may lack the note. */
	isConfirmedLately: (note_id: string) => boolean;
	/** Whether the answer lists this note by its id. */
	isNamed: (note_id: string) => boolean;
	/** Whether the answer reports "paid". */
	isPaid: boolean;
}

/** Received, due and disputed amounts of each payment. */
export interface MoneyBook extends PaymentBook, AttentionBook {
	/** @param seen a newer statement of the back office that is not in the journal yet */
	balanceOf(key: PaymentKey, seen?: InvoiceView): Balance;
	/** The back office's newest statement in the journal. */
	viewOf(key: PaymentKey): InvoiceView | null;
	/** The payment's balance if staff confirm the back office's statement in a review. */
	afterReview(key: PaymentKey): Balance;
	/**
	 * Whether, after this journal record, money of the payment's invoice was given back, or one of
	 * its card sales was voided or found not charged.
	 */
	isReturnedSince(key: PaymentKey, seq: number): boolean;
	/**
	 * This kiosk's money for the payment, split by what the back office knew about it when it
	 * answered.
	 */
	ownAtAnswer(key: PaymentKey, asked: AskedAt): OwnAtAnswer;
	/**
	 * @returns the part of a new list that earlier lists showed to be paid elsewhere, rupiah. This
	 * part may contain notes that staff entered in the back office by hand, if they have not reported
	 * the entry to the kiosk yet.
	 */
	keptElsewhere(key: PaymentKey, seen: InvoiceView): Rupiah;
	/** Money that this kiosk has received and not given back, rupiah. */
	ownMoney(key: PaymentKey): Rupiah;
	/** Whether this kiosk has taken, or may have taken, money for the payment. */
	hasMoneyOf(key: PaymentKey): boolean;
	/**
	 * Whether the back office's answers about the invoice must be recorded. True if this kiosk has or
	 * may have had money for the invoice, under any number. This includes an approved sale that staff
	 * found not charged. It also includes a note that staff moved to another invoice, because the
	 * back office may have booked the note although it refused it. Also true if the invoice needs
	 * staff, or if an earlier "paid" is recorded, because only an answer can end a dispute or
	 * contradict a "paid".
	 */
	keepsAnswersOn(key: PaymentKey): boolean;
	/**
	 * Whether all money of this kiosk for the payment was confirmed by the back office or entered
	 * there by staff.
	 */
	isReported(key: PaymentKey): boolean;
	/**
	 * The side, back office or kiosk, whose "paid" was last shown to the customer of this payment.
	 * The present state may differ (`balanceOf`).
	 */
	toldPaid(key: PaymentKey): 'back_office' | 'kiosk' | null;
	/**
	 * The total of the back office's newest "paid" since the last review by staff, rupiah; null if
	 * there is none.
	 */
	paidTotal(key: PaymentKey): Rupiah | null;
	/** Number of the newest record; 0 if the journal is empty or closed. */
	position(): number;
}

const OwnNote = v.pipe(
	v.object({
		note_id: v.string(),
		nominal: RupiahSchema,
		time: v.string(),
		credited_seq: v.number(),
		uploaded_seq: v.nullable(v.number()),
		by_hand: v.number(),
		recorded: v.nullable(v.number()),
		grounded: v.number(),
	}),
	v.check(({ nominal, recorded, grounded }) => nominal === recorded && grounded === 1, 'it differs from its record'),
);
const OwnSale = v.pipe(
	v.object({
		attempt_id: v.string(),
		amount: RupiahSchema,
		time: v.string(),
		relayed_seq: v.nullable(v.number()),
		recorded: v.nullable(v.number()),
		grounded: v.number(),
	}),
	v.check(({ amount, recorded, grounded }) => amount === recorded && grounded === 1, 'it differs from its record'),
);
const CountedSale = v.object({ attempt_id: v.string(), amount: RupiahSchema, relayed_seq: v.nullable(v.number()) });
const ViewJson = v.pipe(SeenBody, v.transform(viewOf));
const Strange = v.object({ nominal: RupiahSchema, noinvoice: v.string() });
const ClaimJson = v.object({ total: RupiahSchema, elsewhere: RupiahSchema });
const InvoiceRow = v.object({
	seen_seq: v.nullable(v.number()),
	view: v.nullable(v.pipe(v.string(), v.parseJson(), ViewJson)),
	claim: v.nullable(v.pipe(v.string(), v.parseJson(), ClaimJson)),
});
/** Credited notes joined with their records: a note that differs from its record must not count. */
const NOTES = `SELECT note_id, nominal, time, credited_seq, uploaded_seq,
	EXISTS (SELECT 1 FROM records WHERE kind = 'note_booked' AND subject = note_id) AS by_hand,
	(SELECT body ->> 'nominal' FROM records WHERE kind = 'cash_intent' AND subject = note_id) AS recorded,
	EXISTS (SELECT 1 FROM records WHERE seq = credited_seq AND subject = note_id AND kind IN ('cash_credit', 'cash_settled')) AS grounded
	FROM notes WHERE payment_id = ? AND state = 'credited' ORDER BY credited_seq`;
const cardsIn = (states: string): string => `SELECT attempt_id, amount, time, relayed_seq,
	(SELECT body ->> 'amount' FROM records WHERE kind = 'card_sale' AND subject = attempt_id) AS recorded,
	EXISTS (SELECT 1 FROM records WHERE seq = approved_seq AND body ->> 'attempt_id' = attempt_id) AS grounded
	FROM card_sales WHERE payment_id = ? AND state IN (${states}) AND approved_seq IS NOT NULL ORDER BY approved_seq`;
const CARDS = cardsIn(`'approved'`);
/**
 * Card sales that the back office counts after they are reported. They include unknown sales,
 * because after a void of unknown outcome the back office still counts the sale.
 */
const REPORTED_CARDS = cardsIn(`'approved', 'unknown'`);
const UNDONE_CARDS = cardsIn(`'unknown', 'voided', 'not_charged'`);
/**
 * Approved sales whose charge was returned. The kiosk does not report voids, so the server's "paid"
 * may include such a sale until the server answers "unpaid" after the void.
 */
const STILL_COUNTED = `SELECT attempt_id, amount, relayed_seq FROM card_sales AS sale
	WHERE payment_id = ?1 AND state IN ('voided', 'not_charged') AND approved_seq IS NOT NULL AND NOT EXISTS (
		SELECT 1 FROM invoices JOIN records ON seq = seen_seq WHERE invoices.payment_id = ?1 AND kind = 'invoice_seen' AND body ->> 'is_paid' = 0
			AND seq > ${UNDONE_AT})`;
const RETURNED_SINCE = `SELECT 1 FROM card_sales AS sale
	WHERE payment_id IN (SELECT value FROM json_each(?1)) AND state IN ('voided', 'not_charged') AND approved_seq IS NOT NULL AND ${UNDONE_AT} > ?2
	UNION ALL SELECT 1 FROM given_back WHERE payment_id IN (SELECT value FROM json_each(?1)) AND seq > ?2`;
/**
 * The oldest note in ?1 that is credited for another invoice, except notes whose money was given
 * back after they were taken. Notes with the same invoice id are left out, because an invoice with
 * a new number keeps its id.
 */
const STRANGE = `SELECT nominal, noinvoice FROM notes AS taken WHERE note_id IN (SELECT value FROM json_each(?1)) AND state = 'credited'
	AND payment_id IS NOT NULL AND substr(payment_id, 1, length(?2)) <> ?2 AND NOT ${takenWithoutAccount('?3', '?4')}
	AND (${GIVEN_BACK_OF('taken.payment_id')} < nominal
		OR (SELECT coalesce(sum(amount), 0) FROM given_back AS later
			WHERE later.payment_id = taken.payment_id AND later.seq > coalesce(moved_seq, credited_seq)) < nominal)
	ORDER BY credited_seq LIMIT 1`;
/**
 * Money given back for the credited notes in ?1 that were taken under other numbers of the invoice.
 */
const GIVEN_BACK_EARLIER = `SELECT coalesce(sum(min(nominal, given)), 0) AS total FROM (
	SELECT sum(nominal) AS nominal, ${GIVEN_BACK_OF('taken.payment_id')} AS given
	FROM notes AS taken WHERE note_id IN (SELECT value FROM json_each(?1)) AND state = 'credited'
		AND ((payment_id <> ?3 AND substr(payment_id, 1, length(?2)) = ?2) OR ${takenWithoutAccount('?4', '?5')}) GROUP BY payment_id)`;
/** A sale that was reported or may have been reported. The back office may still count it. */
const SOLD = `SELECT 1 FROM card_sales WHERE payment_id IN (SELECT value FROM json_each(?)) AND coalesce(approved_seq, relayed_seq) IS NOT NULL LIMIT 1`;
const LISTED_FOR_STAFF = `SELECT 1 FROM balances WHERE payment_id IN (SELECT value FROM json_each(?)) LIMIT 1`;
const CLAIMED = `SELECT 1 FROM invoices WHERE payment_id IN (SELECT value FROM json_each(?)) AND claim IS NOT NULL LIMIT 1`;
const MOVED_FROM = `SELECT 1 FROM records WHERE kind = 'note_moved' AND body ->> 'from' IN (SELECT value FROM json_each(?)) LIMIT 1`;
const GIVEN_BACK = `SELECT coalesce(sum(body ->> 'amount'), 0) AS total, coalesce(max(records.seq), 0) AS last
	FROM given_back CROSS JOIN records ON records.seq = given_back.seq WHERE given_back.payment_id = ?`;
/**
 * Money that staff gave back although it was never received. `certain` assumes that all unknown
 * sales were charged, `possible` that none was.
 */
const LOST = `SELECT ${notReceived('?1', { unknown: true })} AS certain, ${notReceived('?1', { unknown: false })} AS possible`;
const LOST_UNTIL = `SELECT ${notReceived('?1', { until: '?2', unknown: true })} AS total`;
const LAST_REVIEW = `SELECT coalesce(max(seq), 0) AS seq FROM records WHERE kind = 'invoice_reviewed' AND body ->> 'payment_id' = ?`;
/**
 * Reads the back office's statement from the journal's record, because a change of a record is
 * detected.
 */
const INVOICE = `SELECT seen_seq, body AS view, claim FROM invoices LEFT JOIN records ON seq = seen_seq AND kind = 'invoice_seen' WHERE payment_id = ?`;
/** The last known total: from the back office, else from the record of the newest note or sale. */
const TOTAL = `SELECT coalesce((SELECT payment ->> 'total' FROM invoices WHERE payment_id = ?1),
	(SELECT total FROM (
		SELECT seq, body ->> '$.payment.total' AS total FROM notes CROSS JOIN records ON kind = 'cash_intent' AND subject = note_id WHERE payment_id = ?1
		UNION ALL SELECT sent_seq, payment ->> 'total' FROM card_sales WHERE payment_id = ?1) ORDER BY seq DESC LIMIT 1), 0) AS total`;
export function moneyBook(rows: Rows): MoneyBook {
	const payments = paymentBook(rows);
	const { paymentOf } = payments;
	const Sum = v.object({ total: RupiahSchema, last: v.number() });
	const givenBack = (key: string) => rows(Sum, GIVEN_BACK, key)[0] ?? { total: rupiah(0), last: 0 };
	const invoice = (key: string) => rows(InvoiceRow, INVOICE, key)[0] ?? null;

	/**
	 * @param own the ids of the payment's own notes
	 * @returns all other ids in the list
	 */
	const othersIn = (view: InvoiceView | null, own: ReadonlySet<string>): string[] =>
		(view?.listed ?? []).flatMap(({ note_id }) => (note_id === null || own.has(note_id) ? [] : [note_id]));

	/** @param named ids in the list that belong to no note of this payment */
	function findStrangeNote(key: PaymentKey, named: readonly string[]): StrangeNote | null {
		if (named.length === 0) return null;
		return rows(Strange, STRANGE, JSON.stringify(named), withoutNumber(key), ...idAndNumber(key))[0] ?? null;
	}

	const lostOf = (key: PaymentKey) =>
		rows(v.object({ certain: RupiahSchema, possible: RupiahSchema }), LOST, key)[0] ?? { certain: rupiah(0), possible: rupiah(0) };
	/**
	 * @returns the part of the money given back before this record that was never received, according
	 * to the records before it
	 */
	const lostUntil = (key: PaymentKey, seq: number): Rupiah =>
		rows(v.object({ total: RupiahSchema }), LOST_UNTIL, key, seq)[0]?.total ?? rupiah(0);
	const lastReview = (key: PaymentKey): number => rows(v.object({ seq: v.number() }), LAST_REVIEW, key)[0]?.seq ?? 0;

	function givenBackEarlier(key: PaymentKey, named: readonly string[]): Rupiah {
		const beginning = withoutNumber(key);
		if (named.length === 0 || beginning === key) return rupiah(0);
		const [given] = rows(v.object({ total: RupiahSchema }), GIVEN_BACK_EARLIER, JSON.stringify(named), beginning, key, ...idAndNumber(key));
		return given?.total ?? rupiah(0);
	}

	/**
	 * @param seen a statement that is not in the journal yet; null: the newest statement in the
	 * journal is used
	 */
	function returnedOf(key: PaymentKey, seen: InvoiceView | null, named: Rupiah): ReturnedMoney {
		const reported = () =>
			sumRupiah(rows(OwnSale, REPORTED_CARDS, key).flatMap(({ amount, relayed_seq }) => (relayed_seq === null ? [] : [amount])));
		return returnedMoney(rows, { key, keys: keysOfNumbers(rows, key), payment: paymentOf(key), reported, named }, seen);
	}

	function facts(key: PaymentKey, seen: InvoiceView | null): MoneyFacts {
		const known = invoice(key);
		const given = givenBack(key);
		const own = rows(OwnNote, NOTES, key);
		const notes = own.map(({ note_id, nominal, time, credited_seq }) => ({
			note_id,
			nominal,
			time,
			beforeGiveBack: credited_seq < given.last,
		}));
		const payment = paymentOf(key);
		const removed = payment && given.total > 0 ? removedMoney(rows, payment) : rupiah(0);
		// Given-back money that was never received is lost. It is not deducted from later payments of
		// the customer.
		const lost = given.total > 0 ? lostOf(key) : { certain: rupiah(0), possible: rupiah(0) };
		const list = { notes, givenBack: remaining(given.total, lost.certain), removed };
		const found = seen ? { ...seen, elsewhereKept: keptIn(key, seen, list) } : (known?.view ?? null);
		// A note that staff entered by hand may have been listed before they reported the entry to the
		// kiosk. If the list contains the note's id, the note was never counted as paid elsewhere.
		const named = new Set(found?.listed.map(({ note_id }) => note_id));
		const byHand = sumRupiah(own.flatMap(({ note_id, nominal, by_hand }) => (by_hand === 1 && !named.has(note_id) ? [nominal] : [])));
		const others = othersIn(found, new Set(notes.map(({ note_id }) => note_id)));
		const returned = returnedOf(key, seen, givenBackEarlier(key, others));
		const notElsewhere = sumRupiah([byHand, returned.listedEarlier]);
		const view = found && { ...found, elsewhereKept: remaining(found.elsewhereKept ?? rupiah(0), notElsewhere) };
		const claim = known?.claim ?? null;
		const [reviewed, until] = [lastReview(key), seen ? Number.MAX_SAFE_INTEGER : (known?.seen_seq ?? 0)];
		return {
			view,
			strange: findStrangeNote(key, others),
			underOther: payment && findHeldUnderOther(rows, payment, { paymentOf, reviewed, until }),
			unassigned: unassignedMoney(rows, key),
			returnedListed: sumRupiah([returned.listed, returned.listedEarlier]),
			returnedCounted: sumRupiah([returned.listed, returned.countedEarlier]),
			claim: claim && { ...claim, elsewhere: remaining(claim.elsewhere, returned.allEarlier) },
			total: view?.total ?? rows(v.object({ total: RupiahSchema }), TOTAL, key)[0]?.total ?? rupiah(0),
			...list,
			mayBeLost: remaining(lost.possible, lost.certain),
			cards: rows(OwnSale, CARDS, key).map(({ amount, time }) => ({ note_id: null, nominal: amount, time })),
			short: lost.certain > 0 ? remaining(lost.certain, lostUntil(key, reviewed)) : rupiah(0),
			undone: sumRupiah([...rows(OwnSale, UNDONE_CARDS, key).map(({ amount }) => amount), returned.allEarlier]),
		};
	}

	function keptIn(key: PaymentKey, { listed }: InvoiceView, list: Pick<MoneyFacts, 'notes' | 'givenBack' | 'removed'>): Rupiah {
		const before = invoice(key)?.view;
		return before ? keptElsewhere(before, listed, { ...list, returnedListed: returnedOf(key, null, rupiah(0)).listed }) : rupiah(0);
	}

	const hasMoneyOf = (keys: readonly string[]): boolean =>
		rows(
			v.object({ has: v.number() }),
			`SELECT EXISTS (SELECT 1 FROM notes WHERE payment_id IN (SELECT value FROM json_each(?1)) AND state <> 'returned')
			OR EXISTS (SELECT 1 FROM card_sales
				WHERE payment_id IN (SELECT value FROM json_each(?1)) AND state IN ('sent', 'approved', 'unknown', 'voided')) AS has`,
			JSON.stringify(keys),
		).some(({ has }) => has === 1);
	return {
		...payments,
		...attentionBook(rows),
		balanceOf: (key, seen) => balanceOf(facts(key, seen ?? null)),
		afterReview: (key) => balanceOf({ ...facts(key, null), claim: null, short: rupiah(0), underOther: null }),
		viewOf: (key) => invoice(key)?.view ?? null,
		isReturnedSince: (key, seq) => rows(v.object({}), RETURNED_SINCE, JSON.stringify(keysOfNumbers(rows, key)), seq).length > 0,
		paidTotal: (key) => invoice(key)?.claim?.total ?? null,
		ownAtAnswer(key, { seq, mayBeTold, isConfirmedLately, isNamed, isPaid }) {
			const own = { notes_confirmed: 0, cards_confirmed: 0, told: 0, nameless: 0 };
			for (const { note_id, nominal, uploaded_seq, by_hand } of rows(OwnNote, NOTES, key)) {
				// The back office may list a note only some time after staff entered it by hand, and
				// usually without its id.
				if (uploaded_seq !== null && uploaded_seq <= seq && by_hand === 0 && !isConfirmedLately(note_id)) own.notes_confirmed += nominal;
				if (uploaded_seq !== null || mayBeTold(note_id)) own.told += nominal;
				if (by_hand === 1 && !isNamed(note_id)) own.nameless += nominal;
			}
			for (const { attempt_id, amount, relayed_seq } of rows(OwnSale, REPORTED_CARDS, key)) {
				if (relayed_seq !== null && relayed_seq <= seq) own.cards_confirmed += amount;
				if (relayed_seq === null && !mayBeTold(attempt_id)) continue;
				own.told += amount;
				own.nameless += amount;
			}
			for (const { attempt_id, amount, relayed_seq } of isPaid ? rows(CountedSale, STILL_COUNTED, key) : []) {
				if (relayed_seq === null && !mayBeTold(attempt_id)) continue;
				own.told += amount;
				own.nameless += amount;
			}
			return {
				notes_confirmed: rupiah(own.notes_confirmed),
				cards_confirmed: rupiah(own.cards_confirmed),
				told: rupiah(own.told),
				nameless: rupiah(own.nameless),
			};
		},
		keptElsewhere(key, seen) {
			return keptIn(key, seen, facts(key, null));
		},
		ownMoney(key) {
			return ownOf(facts(key, null));
		},
		hasMoneyOf: (key) => hasMoneyOf([key]),
		keepsAnswersOn(key) {
			const keys = keysOfNumbers(rows, key);
			const hasAny = (sql: string): boolean => rows(v.object({}), sql, JSON.stringify(keys)).length > 0;
			return hasMoneyOf(keys) || [SOLD, MOVED_FROM, LISTED_FOR_STAFF, CLAIMED].some(hasAny);
		},
		isReported: (key) =>
			rows(
				v.object({ open: v.number() }),
				`SELECT EXISTS (SELECT 1 FROM notes WHERE payment_id = ?1 AND state = 'credited' AND uploaded_seq IS NULL)
				OR EXISTS (SELECT 1 FROM card_sales WHERE payment_id = ?1 AND state = 'approved' AND relayed_seq IS NULL) AS open`,
				key,
			).every(({ open }) => open === 0),
		toldPaid: (key) =>
			rows(v.object({ by: v.picklist(['back_office', 'kiosk']) }), 'SELECT by FROM paid WHERE payment_id = ?', key)[0]?.by ?? null,
		position: () => rows(v.object({ seq: v.number() }), 'SELECT coalesce(max(seq), 0) AS seq FROM records')[0]?.seq ?? 0,
	};
}
