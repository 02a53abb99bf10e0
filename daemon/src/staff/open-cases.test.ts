/** Money that staff give back or settle on the screen. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import type { StaffCase } from '@kiosk/contract/staff-cases';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LastCount } from '../journal/cash-book.ts';
import { begin, journal, journalOfEachTest, TIME, take } from '../journal/journal.fixture.ts';
import { keyOf, paymentOf, saidPaid } from '../journal/payment.fixture.ts';
import { type GivenSlip, screenReason, secondNameIn } from '../journal/print-book.ts';
import { type OpenCases, openCases } from './open-cases.ts';

const PAYMENT = paymentOf(7);

let cases: OpenCases;
/** Give-backs and counts whose slip was sent to the printer, oldest first. */
let printed: string[];

journalOfEachTest();
beforeEach(() => {
	printed = [];
	cases = openCases({
		journal,
		invoices: { refresh: async () => 'answered' },
		cash: { paying: () => null, isPayingInvoice: () => false },
		card: {},
		twoNamesAbove: rupiah(1_000_000),
		nominals: [],
		isSupervisor: () => true,
		slips: {
			hasPrinter: () => true,
			givenBack: ({ give_id }: GivenSlip) => beginPrint(give_id),
			collected: ({ collection_id }: LastCount) => beginPrint(collection_id),
		},
		newId: randomUUID,
		now: () => TIME,
		log: { event: () => {} },
	} as unknown as Parameters<typeof openCases>[0]);
});

/**
 * Takes a note of 2,000. The back office lists a payment of the invoice's total plus 50,000,
 * without this note.
 */
function payTwice(): void {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_intent', note_id, payment: PAYMENT, nominal: rupiah(2_000), code: '0x41', time: TIME });
	journal.append({ kind: 'cash_credit', note_id, late: false });
	const listed = [PAYMENT.total + 50_000].map((nominal) => ({ nominal: rupiah(nominal), note_id: null, time: TIME }));
	const own = { notes_confirmed: rupiah(0), cards_confirmed: rupiah(0), told: rupiah(0) };
	journal.append({
		kind: 'invoice_seen',
		seen_id: randomUUID(),
		payment: PAYMENT,
		is_paid: true,
		listed,
		own,
		source: 'look_up',
		time: TIME,
	});
}

const open = (): StaffCase[] => cases.list().cases.filter(({ kind }) => kind === 'twice');
const give = ({ kind, id, amount }: StaffCase) =>
	cases.decide({ kind, id, amount, decision: 'given', nominal: null, by: 'Sari', second: null });

test('an invoice paid twice stays open after the kiosk’s money is given back, until staff also settle the excess paid elsewhere', async () => {
	payTwice();
	expect(open()).toMatchObject([{ id: keyOf(7), amount: 2_000 }]);
	for (const one of open()) expect(await give(one)).toMatchObject({ ok: true });
	// The rest of the excess was paid elsewhere, so staff give it back there.
	expect(open()).toMatchObject([{ id: keyOf(7), amount: 0 }]);
	for (const one of open()) expect(await give(one)).toMatchObject({ ok: true });
	expect([open(), journal.money.ownMoney(keyOf(7))]).toEqual([[], 0]);
});

test('with more than 200 partly paid invoices, an invoice paid twice is listed, and a partly paid invoice that is not listed can still be decided', async () => {
	for (let id = 1_000; id < 1_201; id += 1) take(50_000, id);
	payTwice();
	expect(open()).toHaveLength(1);
	const last = cases.of(keyOf(1_200)) ?? expect.fail('the case is not found');
	expect(cases.list().cases.map(({ id }) => id)).not.toContain(last.id);
	expect(await cases.decide({ ...last, decision: 'rest_elsewhere', nominal: null, by: 'Sari', second: null })).toMatchObject({ ok: true });
	expect(journal.money.attentionOf(keyOf(1_200))).toBeNull();
	expect(journal.money.attentionSum('partial').count).toBe(200);
});

test('a give-back is refused while the terminal voids a card payment of the invoice', async () => {
	const [attempt_id, action_id] = [randomUUID(), randomUUID()];
	const sale = {
		kind: 'card_sale',
		attempt_id,
		payment: PAYMENT,
		amount: PAYMENT.total,
		method: 'card',
		attempt: 1,
		time: TIME,
	} as const;
	const voided = {
		kind: 'card_action',
		action_id,
		action: 'void',
		attempt_id,
		by: 'Budi',
		why: '',
		time: TIME,
	} as const;
	const unknown = { kind: 'card_unknown', attempt_id, why: '', response: null } as const;
	const settled = {
		kind: 'card_settled',
		settle_id: randomUUID(),
		attempt_id,
		outcome: 'not_charged',
		by: 'Budi',
		why: '',
		time: TIME,
	} as const;
	for (const record of [sale, unknown, settled, voided]) expect(journal.append(record).ok).toBe(true);
	payTwice();
	for (const one of open()) expect(await give(one)).toMatchObject({ ok: false, error: { code: 'busy' } });
	expect(journal.append({ kind: 'card_action_ended', action_id, outcome: 'refused', response: null, why: '' }).ok).toBe(true);
	for (const one of open()) expect(await give(one)).toMatchObject({ ok: true });
	expect(journal.money.ownMoney(keyOf(7))).toBe(0);
});

/** The newest print. */
let print_id = '';

function beginPrint(id: string): void {
	print_id = randomUUID();
	printed.push(id);
	journal.append({ kind: 'print_requested', print_id, payment_id: id, purpose: 'slip' });
}

const endPrint = (state: 'done' | 'failed' | 'abandoned') => journal.append({ kind: 'print_ended', print_id, state, reason: '' });

const slips = (): StaffCase[] => cases.list().cases.filter(({ kind }) => kind === 'slip');
const print = ({ kind, id, amount }: StaffCase) =>
	cases.decide({ kind, id, amount, decision: 'print', nominal: null, by: 'Budi', second: null });

test('for the slip, the second name of a decision is read from the reason; a reason without a second name gives no name', () => {
	for (const approval of [undefined, '081737']) {
		expect(secondNameIn(screenReason({ second: 'Budi, kasir with care', approval }))).toBe('Budi, kasir with care');
		expect(secondNameIn(screenReason({ second: null, approval }))).toBeNull();
	}
	expect(secondNameIn('uang kembali with thanks')).toBeNull();
});

test('the slip of a give-back stays open until it has been printed', async () => {
	payTwice();
	for (const one of open()) await give(one);
	const [id] = printed;
	expect(slips()).toEqual([]);
	endPrint('failed');
	expect(slips()).toMatchObject([{ id, noinvoice: PAYMENT.noinvoice, amount: 2_000 }]);
	for (const one of slips()) expect(await print(one)).toMatchObject({ ok: true });
	expect(printed).toEqual([id, id]);
	endPrint('done');
	expect(slips()).toEqual([]);
	expect(await print({ kind: 'slip', id: id ?? '', noinvoice: '', time: '', amount: rupiah(2_000), heard: '' })).toMatchObject({
		ok: false,
		error: { code: 'not_open' },
	});
});

test('only the slip of the last count of the cashbox stays open until it has been printed', async () => {
	payTwice();
	for (const one of open()) await give(one);
	const collection_id = randomUUID();
	const notes = [{ nominal: rupiah(2_000), count: 1 }];
	journal.append({
		kind: 'cashbox_collected',
		collection_id,
		by: 'Sari',
		expected: rupiah(2_000),
		notes,
		counted: rupiah(2_000),
		time: TIME,
	});
	expect(slips()).toMatchObject([{ id: collection_id, noinvoice: 'Kotak uang, periode 1', amount: 2_000 }]);
	for (const one of slips()) expect(await print(one)).toMatchObject({ ok: true });
	expect(printed.at(-1)).toBe(collection_id);
	endPrint('abandoned');
	expect(slips()).toHaveLength(1);
	for (const one of slips()) await print(one);
	endPrint('done');
	expect(slips()).toEqual([]);
});

describe('change stays listed', () => {
	const changes = () => cases.list().cases.filter(({ kind }) => kind === 'change');

	const upload = (id: number) => journal.append({ kind: 'note_uploaded', note_id: take(100_000, id) });
	/** Payments with two notes each, whose invoices were looked up several times. */
	function payMany(count: number): void {
		for (let id = 100; id < 100 + count; id += 1) {
			upload(id);
			upload(id);
			for (let times = 0; times < 4; times += 1) journal.append(saidPaid(id, rupiah(200_000)));
		}
	}
	const change = (id: number, amount: number) => expect.objectContaining({ id: keyOf(id), noinvoice: `INV/${id}`, amount });

	test('for the payments of a busy day, however often their invoices were looked up', () => {
		upload(7);
		upload(7);
		payMany(50);
		expect(changes()).toContainEqual(change(7, 62_500));
	});

	test('for an older payment whose note in doubt is found in the cashbox', () => {
		const note_id = begin(100_000);
		journal.append({ kind: 'cash_in_doubt', note_id, why: 'no outcome within 15 s' });
		upload(7);
		upload(7);
		payMany(80);
		expect(changes()).not.toContainEqual(change(7, 62_500));
		const nominal = rupiah(100_000);
		journal.append({ kind: 'cash_settled', note_id, outcome: 'in_box', nominal, by: 'Budi', why: '' });
		expect(changes()[0]).toEqual(change(7, 162_500));
	});

	test('for an older note that staff move to an invoice covered by other notes', () => {
		const note_id = take(100_000, 8);
		journal.append({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'there is no such invoice' });
		upload(7);
		upload(7);
		payMany(80);
		journal.append({ kind: 'note_moved', move_id: randomUUID(), note_id, payment: PAYMENT, from: keyOf(8), by: 'Budi', why: '' });
		expect(changes()[0]).toEqual(change(7, 162_500));
	});
});
