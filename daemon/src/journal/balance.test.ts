import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceOf } from './balance.ts';
import { keptElsewhere } from './listed-payments.ts';
import type { InvoiceView, MoneyFacts, OwnCash } from './money-facts.ts';

const TOTAL = 150_000;
const NOTHING = { notes_confirmed: rupiah(0), cards_confirmed: rupiah(0), told: rupiah(0) };

const note = (nominal: number, at: number, beforeGiveBack = false): OwnCash => ({
	note_id: `note ${at}`,
	nominal: rupiah(nominal),
	time: String(at),
	beforeGiveBack,
});
const before = (taken: OwnCash[]): OwnCash[] => taken.map((one) => ({ ...one, beforeGiveBack: true }));
const notes = (...nominals: number[]): OwnCash[] => nominals.map((nominal, at) => note(nominal, at));
const cards = (...amounts: number[]) => amounts.map((amount) => ({ note_id: null, nominal: rupiah(amount), time: '' }));
const listed = (...nominals: number[]) =>
	nominals.map((nominal) => ({ nominal: rupiah(nominal), note_id: null as string | null, time: '' }));
const own = (notes_confirmed: number, cards_confirmed = 0, told = notes_confirmed + cards_confirmed) => ({
	notes_confirmed: rupiah(notes_confirmed),
	cards_confirmed: rupiah(cards_confirmed),
	told: rupiah(told),
});
/**
 * The server may have received the report of a note of Rp 50.000. It lists notes with their ids.
 */
const NAMED_LATER = { ...own(0, 0, 50_000), nameless: rupiah(0) };
const OTHER_KIOSKS_NOTE = '0b0e7f6a-5a0c-4c4e-9a52-3f4b1f0c9d11';
const view = (more: Partial<InvoiceView> = {}): InvoiceView => ({
	total: rupiah(TOTAL),
	is_paid: false,
	listed: [],
	own: NOTHING,
	...more,
});
const facts = (more: Partial<MoneyFacts> = {}): MoneyFacts => ({
	view: view(),
	claim: null,
	total: more.view?.total ?? rupiah(TOTAL),
	notes: [],
	cards: [],
	givenBack: rupiah(0),
	...more,
});
const balance = (more: Partial<MoneyFacts> = {}) => balanceOf(facts(more));

describe('the received amount', () => {
	test.each([
		['is 0 without any payment', {}, 0],
		['counts a payment that only the server lists', { view: view({ listed: listed(50_000) }) }, 50_000],
		['counts a waiting note', { notes: notes(50_000) }, 50_000],
		[
			'counts both a waiting note and an equal payment at the cashier',
			{ notes: notes(50_000), view: view({ listed: listed(50_000) }) },
			100_000,
		],
		[
			'counts a note once if the server confirmed and lists it',
			{ notes: notes(50_000), view: view({ listed: listed(50_000), own: own(50_000) }) },
			50_000,
		],
		[
			'counts several notes once if the server lists them as one sum',
			{ notes: notes(50_000, 50_000, 20_000), view: view({ listed: listed(120_000), own: own(120_000) }) },
			120_000,
		],
		[
			'counts both a listed sum and a waiting note',
			{ notes: notes(50_000, 50_000, 20_000), view: view({ listed: listed(100_000), own: own(100_000) }) },
			120_000,
		],
		[
			'counts a note once if the server may have received it',
			{ notes: notes(50_000), view: view({ listed: listed(50_000), own: own(0, 0, 50_000) }) },
			50_000,
		],
		[
			'counts a note once if the server may already list it under an id of the server',
			{ notes: notes(50_000), view: view({ listed: [{ nominal: rupiah(50_000), note_id: 'PAY/77', time: '' }], own: NAMED_LATER }) },
			50_000,
		],
		[
			'counts both a note and a listed note of another kiosk',
			{
				notes: notes(50_000),
				view: view({ listed: [{ nominal: rupiah(50_000), note_id: OTHER_KIOSKS_NOTE, time: '' }], own: NAMED_LATER }),
			},
			100_000,
		],
		['counts a card sale that the server does not list', { cards: cards(100_000), view: view({ own: own(0, 100_000) }) }, 100_000],
		[
			'counts a card sale once if the server lists it',
			{ cards: cards(100_000), view: view({ listed: listed(100_000), own: own(0, 100_000) }) },
			100_000,
		],
		['does not count money given back', { notes: before(notes(50_000)), givenBack: rupiah(50_000) }, 0],
		[
			'does not count given-back money that the server still lists',
			{ notes: before(notes(50_000)), givenBack: rupiah(50_000), view: view({ listed: listed(50_000), own: own(50_000) }) },
			0,
		],
		[
			'subtracts money only once if it was given back and also reversed at the server',
			{ notes: before(notes(50_000, 20_000)), givenBack: rupiah(50_000), view: view({ listed: listed(20_000), own: own(70_000) }) },
			20_000,
		],
	])('%s', (_what, more, received) => {
		const found = balance(more);
		expect(found).toMatchObject({ received, due: TOTAL - received });
		expect(found.entries.reduce((sum, { nominal }) => sum + nominal, 0)).toBe(received);
	});

	test('if a list contains note ids, a note that it does not name counts in addition, unless a payment listed without an id may be this note', () => {
		const told = { ...own(0, 0, 55_000), nameless: rupiah(0) };
		const named = [{ nominal: rupiah(50_000), note_id: 'note 0', time: '' }, ...listed(50_000)];
		expect(balance({ notes: notes(50_000, 5_000), view: view({ listed: named, own: told }) })).toMatchObject({ received: 105_000 });
		const byHand = { ...told, nameless: rupiah(5_000) };
		const entered = view({ listed: [...named, ...listed(5_000)], own: byHand });
		expect(balance({ notes: notes(50_000, 5_000), view: entered })).toMatchObject({ received: 105_000 });
	});

	test('a payment listed with a note id is that note, regardless of the other payments listed', () => {
		const named = [{ nominal: rupiah(50_000), note_id: 'note 0', time: '' }, ...listed(50_000)];
		expect(balance({ notes: notes(50_000, 20_000), view: view({ listed: named, own: own(50_000) }) })).toMatchObject({ received: 120_000 });
		const twice = [named[0], named[0]].flatMap((one) => one ?? []);
		expect(balance({ notes: notes(50_000), view: view({ listed: twice, own: own(50_000) }) })).toMatchObject({ received: 50_000 });
	});
});

describe('"paid" is valid for one total only', () => {
	test('if the total of an invoice paid with notes grows, the difference is due', () => {
		expect(balance({ notes: notes(100_000, 50_000) }).state).toBe('paid');
		const grown = balance({
			notes: notes(100_000, 50_000),
			view: view({ total: rupiah(337_500), listed: listed(150_000), own: own(150_000) }),
		});
		expect(grown).toMatchObject({ state: 'partial', due: 187_500 });
	});

	test('if the total of an invoice paid by card grows, the difference is due', () => {
		const claim = { total: rupiah(TOTAL), elsewhere: rupiah(0) };
		const grown = balance({ cards: cards(TOTAL), claim, view: view({ total: rupiah(337_500), own: own(0, TOTAL) }) });
		expect(grown).toMatchObject({ state: 'partial', due: 187_500, received: TOTAL });
	});

	test('the server’s is_paid makes the invoice paid, and a later withdrawal of is_paid is a dispute', () => {
		expect(balance({ view: view({ is_paid: true }) })).toMatchObject({ state: 'paid', due: 0, received: TOTAL });
		const claim = { total: rupiah(TOTAL), elsewhere: rupiah(TOTAL) };
		expect(balance({ claim })).toMatchObject({ state: 'dispute' });
	});

	test.each([
		['no longer lists the payment', listed()],
		['still lists the payment', listed(150_000)],
	])('an invoice whose payment the server reverses is disputed and not paid: the server %s', (_how, list) => {
		const claim = { total: rupiah(TOTAL), elsewhere: rupiah(0) };
		const reversed = balance({ notes: notes(100_000, 50_000), claim, view: view({ listed: list, own: own(150_000) }) });
		expect(reversed.state).toBe('dispute');
	});

	test('an invoice is in dispute if the server’s "paid" includes money that was given back, unless that money was change', () => {
		const taken = before(notes(50_000));
		const said = balance({ notes: taken, givenBack: rupiah(50_000), view: view({ is_paid: true, own: own(50_000) }) });
		expect(said.state).toBe('dispute');
		const change = balance({
			notes: before(notes(100_000, 100_000)),
			givenBack: rupiah(50_000),
			view: view({ is_paid: true, own: own(200_000) }),
		});
		expect(change).toMatchObject({ state: 'paid', received: TOTAL });
	});

	test('if the list of a paid invoice is incomplete, change given back does not count as a payment elsewhere', () => {
		const taken = before(notes(100_000, 20_000, 10_000, 5_000));
		const total = rupiah(87_500);
		const said = view({ total, is_paid: true, listed: listed(100_000), own: own(135_000) });
		const shrunk = { total, notes: taken, view: said };
		expect(balance(shrunk)).toMatchObject({ state: 'paid', excess: 47_500 });
		expect(balance({ ...shrunk, givenBack: rupiah(47_500) })).toMatchObject({ state: 'paid', received: total, twice: 0 });
	});

	test('if the server confirmed notes for the whole total and says "unpaid", the invoice is in dispute, even if change was given back', () => {
		const confirmed = { notes: notes(100_000, 50_000), view: view({ listed: listed(100_000, 50_000), own: own(150_000) }) };
		expect(balance(confirmed)).toMatchObject({ state: 'dispute', why: expect.stringContaining('confirmed Rp 150000') });
		expect(balance({ ...confirmed, view: view({ listed: listed(100_000, 50_000), own: own(100_000, 0, 150_000) }) }).state).toBe('paid');
		const change = { notes: before(notes(100_000, 100_000)), givenBack: rupiah(50_000) };
		expect(balance({ ...change, view: view({ listed: listed(100_000, 100_000), own: own(200_000) }) }).state).toBe('dispute');
		expect(
			balance({ ...change, givenBack: rupiah(60_000), view: view({ listed: listed(100_000, 100_000), own: own(200_000) }) }),
		).toMatchObject({
			state: 'partial',
			due: 10_000,
		});
	});

	test('an invoice is in dispute if the server lists less money than it has confirmed', () => {
		expect(balance({ notes: notes(50_000, 20_000), view: view({ listed: listed(50_000), own: own(70_000) }) }).state).toBe('dispute');
	});

	test('an invoice of 0 rupiah without payments is open', () => {
		expect(balance({ view: view({ total: rupiah(0) }) }).state).toBe('open');
	});
});

test('money given back for a card that was not charged does not hide another reason for the dispute', () => {
	const claim = { total: rupiah(TOTAL), elsewhere: rupiah(TOTAL) };
	const { state, why } = balance({ short: rupiah(50_000), claim });
	expect(state).toBe('dispute');
	expect(why).toBe(
		'Rp 50000 more was given back than this kiosk received; the back office said that Rp 150000 was paid and no longer lists it',
	);
});

describe('paid twice', () => {
	test.each([
		['a card after a virtual account', { cards: cards(TOTAL), view: view({ is_paid: true }) }, TOTAL],
		['cash in the kiosk while a code is paid on a phone', { notes: notes(100_000), view: view({ is_paid: true }) }, 100_000],
		[
			'a card sale that may or may not be part of is_paid',
			{ cards: cards(100_000), view: view({ is_paid: true, listed: listed(60_000), own: own(0, 100_000) }) },
			100_000,
		],
		['two card sales', { cards: cards(TOTAL, TOTAL) }, TOTAL],
		['two payments at the cashier', { view: view({ is_paid: true, listed: listed(TOTAL, 50_000) }) }, 50_000],
		['a card beside cash', { cards: cards(TOTAL), notes: notes(50_000) }, 50_000],
		['cash beside a payment at the cashier', { notes: notes(100_000, 50_000), view: view({ listed: listed(TOTAL) }) }, TOTAL],
		[
			'a payment at the cashier after the change of a large note was given back',
			{ notes: before(notes(200_000)), givenBack: rupiah(50_000), view: view({ is_paid: true, listed: listed(TOTAL) }) },
			TOTAL,
		],
	])('%s', (_how, more, twice) => expect(balance(more)).toMatchObject({ state: 'paid_twice', twice }));

	test.each([
		['too much cash', { notes: notes(100_000, 100_000) }, 50_000],
		['the last note after a part that was paid at the cashier', { notes: notes(100_000), view: view({ listed: listed(60_000) }) }, 10_000],
		[
			'the rest of the change after a part of it was given back',
			{ notes: before(notes(100_000)), givenBack: rupiah(20_000), view: view({ listed: listed(100_000) }) },
			30_000,
		],
		['change that another kiosk owes', { view: view({ is_paid: true, listed: listed(100_000, 60_000) }) }, 10_000],
		['a card that the server has booked', { cards: cards(TOTAL), view: view({ is_paid: true, own: own(0, TOTAL) }) }, 0],
		[
			'a card for the rest after a part that was paid at the cashier',
			{ cards: cards(100_000), view: view({ is_paid: true, listed: listed(50_000), own: own(0, 100_000) }) },
			0,
		],
		[
			'a card for the rest after a larger part that was paid at the cashier',
			{ cards: cards(50_000), view: view({ is_paid: true, listed: listed(100_000), own: own(0, 50_000) }) },
			0,
		],
		[
			'a card for the rest beside a listed note whose confirmation was lost',
			{
				notes: notes(20_000),
				cards: cards(80_000),
				view: view({ is_paid: true, listed: listed(50_000, 20_000), own: own(0, 80_000, 100_000) }),
			},
			0,
		],
		['notes that the server has booked', { notes: notes(100_000, 50_000), view: view({ is_paid: true, own: own(150_000) }) }, 0],
	])('is not reported for %s', (_how, more, excess) => expect(balance(more)).toMatchObject({ state: 'paid', excess, twice: 0 }));

	describe('if two kiosks each took a part, only the kiosk that took the last note owes the change', () => {
		const part = (note_id: string | null, time: string) => ({ nominal: rupiah(100_000), note_id, time });
		const taken = { notes: notes(100_000) };
		const seen = (...list: ReturnType<typeof part>[]) =>
			balance({ ...taken, view: view({ is_paid: true, listed: list, own: own(100_000) }) });

		test('if a payment elsewhere is later than our last note, staff decide, because the other kiosk may owe the change', () => {
			const ours = part('note 0', '2026-11-21T14:31:08+07:00');
			const later = part('other', '2026-11-21T07:40:00Z');
			for (const said of [seen(ours, later), seen(later, ours)])
				expect(said).toMatchObject({ state: 'paid_twice', excess: 50_000, twice: 50_000 });
		});

		test.each([
			['the other payment came first', part('note 0', '2026-11-21T14:31:08'), part('other', '2026-11-21T14:30:00')],
			['the list does not name our note', part(null, '2026-11-21T14:31:08'), part(null, '2026-11-21T14:40:00')],
			['the list has no times', part('note 0', ''), part('other', '')],
			['the list has days only', part('note 0', '2026-11-21'), part('other', '2026-11-22')],
			['the times cannot be read', part('note 0', '01-12-2026 14:31'), part('other', '02-11-2026 14:40')],
		])('we owe the change if %s', (_why, ours, other) => expect(seen(ours, other)).toMatchObject({ state: 'paid', excess: 50_000 }));

		test('one of our notes that staff later entered by hand in the back office does not count as a payment elsewhere', () => {
			const list = [
				{ ...part('other', '2026-11-21T14:00:00'), nominal: rupiah(20_000) },
				part('note 1', '2026-11-21T14:31:08'),
				{ ...part(null, '2026-11-21T17:00:00'), nominal: rupiah(50_000) },
			];
			const told = { ...own(100_000), told: rupiah(150_000), nameless: rupiah(50_000) };
			const said = view({ total: rupiah(150_000), is_paid: true, listed: list, own: told });
			expect(balance({ notes: notes(50_000, 100_000), view: said })).toMatchObject({ state: 'paid', received: 170_000, excess: 20_000 });
		});

		test('if staff entered one note by hand, a second listed payment of the same value counts as paid elsewhere', () => {
			const list = [
				part('note 1', '2026-11-21T14:31:08'),
				{ ...part(null, '2026-11-21T14:40:00'), nominal: rupiah(50_000) },
				{ ...part(null, '2026-11-21T17:00:00'), nominal: rupiah(50_000) },
			];
			const told = { ...own(100_000), told: rupiah(150_000), nameless: rupiah(50_000) };
			const said = view({ listed: list, is_paid: true, own: told });
			expect(balance({ notes: notes(50_000, 100_000), view: said })).toMatchObject({ state: 'paid_twice', twice: 50_000 });
		});

		test('a later note of our own does not count as a payment elsewhere', () => {
			const list = [part('other', '2026-11-21T14:30:00'), part('note 0', '2026-11-21T14:31:08'), part('note 1', '2026-11-21T14:40:00')];
			const said = view({ total: rupiah(290_000), is_paid: true, listed: list, own: own(200_000) });
			expect(balance({ notes: notes(100_000, 100_000), view: said })).toMatchObject({ state: 'paid', excess: 10_000 });
		});
	});

	describe('a payment listed before our card sale was reported is not that sale', () => {
		const before = view({ listed: listed(50_000), own: { ...NOTHING, nameless: rupiah(0) } });
		/** Our sale was approved and reported; the next list contains these payments. */
		const after = (more: Partial<InvoiceView>) => {
			const seen = view({ own: { ...own(0, TOTAL), nameless: rupiah(TOTAL) }, ...more });
			const elsewhereKept = keptElsewhere(before, seen.listed, { notes: [], givenBack: rupiah(0) });
			return balance({ cards: cards(TOTAL), view: { ...seen, elsewhereKept } });
		};

		test.each([
			['a list without our sale', { listed: listed(50_000) }],
			['a list without our sale, and is_paid', { listed: listed(50_000), is_paid: true }],
			['a list with our sale, and is_paid', { listed: listed(50_000, TOTAL), is_paid: true }],
		])('%s: the invoice is paid twice', (_list, more) => {
			const expected = { state: 'paid_twice', received: TOTAL + 50_000, elsewhere: 50_000, elsewhereListed: 50_000, twice: 50_000 };
			expect(after(more)).toMatchObject(expected);
		});

		test('if the list no longer contains that payment, the invoice is paid once', () =>
			expect(after({ listed: listed(TOTAL), is_paid: true })).toMatchObject({ state: 'paid', elsewhere: 0 }));
	});

	test('is not reported if the server says is_paid after a deposit and our notes, and its last list is older than our notes', () => {
		const more = { listed: listed(50_000), is_paid: true, own: own(100_000), ownAtList: NOTHING };
		expect(balance({ notes: notes(100_000), view: view(more) })).toMatchObject({ state: 'paid', received: TOTAL, twice: 0 });
	});

	test('staff must check cash that the server’s is_paid may or may not include', () => {
		const said = balance({ notes: notes(100_000), view: view({ is_paid: true, own: own(100_000) }) });
		expect(said).toMatchObject({ state: 'paid_twice', twice: 100_000 });
		const seen = balance({ notes: notes(100_000), view: view({ is_paid: true, listed: listed(100_000, 50_000), own: own(100_000) }) });
		expect(seen).toMatchObject({ state: 'paid', received: TOTAL });
	});
});

test('for any facts, the entries add up to the received amount, a paid invoice is covered or reported as paid by the server, and a give-back never looks like a payment elsewhere', () => {
	const amount = fc.integer({ min: 0, max: 20 }).map((thousands) => rupiah(thousands * 10_000));
	const amounts = fc.array(amount, { maxLength: 4 });
	fc.assert(
		fc.property(
			fc.record({
				notes: amounts,
				cards: amounts,
				list: amounts,
				confirmed: amount,
				told: amount,
				total: amount,
				back: amount,
				paid: fc.boolean(),
			}),
			(of) => {
				const given = {
					view: view({ total: of.total, is_paid: of.paid, listed: listed(...of.list), own: own(of.confirmed, 0, of.confirmed + of.told) }),
					claim: null,
					total: of.total,
					notes: of.notes.map((nominal, at) => note(nominal, at, at % 2 === 0)),
					cards: cards(...of.cards),
					givenBack: of.back,
				};
				const found = balanceOf(given);
				expect(found.elsewhere).toBe(balanceOf({ ...given, givenBack: rupiah(0) }).elsewhere);
				if (of.back === 0) expect(found.entries.reduce((sum, { nominal }) => sum + nominal, 0)).toBe(found.received);
				if (found.state === 'paid') expect(of.paid || found.received >= of.total).toBe(true);
				if (found.state !== 'paid' && found.state !== 'paid_twice' && found.state !== 'dispute') expect(of.paid).toBe(false);
			},
		),
	);
});
