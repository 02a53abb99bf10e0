import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import type { PaymentKey } from './records.ts';
import { listedParts, type RecordedView, type Returned, removedPart } from './returned-listed.ts';

const [A, B] = ['A', 'B'] as PaymentKey[] as [PaymentKey, PaymentKey];

/**
 * @returns a statement that lists these entries; `cards` and `notes`: the kiosk's money that the
 * server had confirmed, rupiah; `told`: all money of the kiosk that the server may know
 */
const said = (
	seq: number,
	nominals: readonly number[],
	{ cards = 0, notes = 0, key = A, kept = 0, told = null as number | null } = {},
): RecordedView => {
	const own = { notes_confirmed: rupiah(notes), cards_confirmed: rupiah(cards), told: rupiah(told ?? cards + notes) };
	const listed = nominals.map((nominal) => ({ nominal: rupiah(nominal), note_id: null, time: '' }));
	return { seq, key, view: { total: rupiah(200_000), is_paid: false, listed, own, elsewhereKept: rupiah(kept) } };
};
/**
 * @returns a statement that says "paid" after the void; `told` still includes the sale, because the
 * server may have received its report
 */
const saidPaid = (seq: number, nominals: readonly number[]): RecordedView => {
	const { key, view } = said(seq, nominals);
	return { seq, key, view: { ...view, is_paid: true, own: { ...view.own, told: rupiah(100_000) } } };
};
/** @returns a statement that says "paid"; `notes`: the kiosk's confirmed notes, rupiah */
function saidPaidWith(seq: number, nominals: readonly number[], notes: number): RecordedView {
	const { key, view } = said(seq, nominals, { notes });
	return { seq, key, view: { ...view, is_paid: true } };
}
/** @returns a statement from a message that says "paid"; messages contain no list */
function toldPaid(seq: number): RecordedView {
	const { key, view } = saidPaid(seq, []);
	return { seq, key, view: { ...view, ownAtList: said(seq, []).view.own } };
}
const CARDS = { cards: 100_000 };
const VOID: Returned = { kind: 'sale', amount: rupiah(100_000), key: A, begun_at: 5 };

test.each<[string, RecordedView[], number]>([
	['counts as listed while its entry stays', [said(1, [100_000], CARDS), said(9, [100_000])], 100_000],
	['counts as listed when another payment comes in beside its entry', [said(1, [100_000], CARDS), said(9, [100_000, 30_000])], 100_000],
	['does not count as listed after its entry was removed', [said(1, [100_000], CARDS), said(7, []), said(9, [100_000])], 0],
	['does not count as listed if the server lists no card sales', [said(1, [], CARDS), said(9, [100_000])], 0],
	['does not count as listed if the entry was paid elsewhere', [said(1, [100_000], { ...CARDS, kept: 100_000 }), said(9, [100_000])], 0],
	[
		'counts as listed when a larger payment beside it was cancelled',
		[said(1, [100_000, 120_000], { ...CARDS, kept: 120_000 }), said(9, [100_000])],
		100_000,
	],
	['does not count as listed if no answer came between report and void', [said(9, [100_000])], 0],
	[
		'counts as listed if the first answer comes after the void and is a "paid" that lists it',
		[saidPaid(7, [100_000]), said(9, [100_000])],
		100_000,
	],
	[
		'counts as listed if a message "paid" came before an answer "paid" that lists it',
		[toldPaid(6), saidPaid(7, [100_000]), said(9, [100_000])],
		100_000,
	],
	[
		'counts as listed if the only answer before the void was a message "paid"',
		[toldPaid(1), saidPaid(7, [100_000]), said(9, [100_000])],
		100_000,
	],
	[
		'does not count as listed if the first answer is a "paid" that lists a payment of another amount',
		[saidPaid(7, [70_000]), said(9, [70_000])],
		0,
	],
	[
		'does not count as listed after an answer "paid" listed it and the next list lacked it',
		[saidPaid(7, [100_000]), said(8, []), said(9, [100_000])],
		0,
	],
	[
		'counts as listed when the invoice got another number before the void',
		[said(1, [100_000], CARDS), said(3, [100_000], { key: B }), said(9, [100_000], { key: B })],
		100_000,
	],
	[
		'counts as listed when the invoice got another number after the void',
		[said(1, [100_000], CARDS), said(9, [100_000], { key: B })],
		100_000,
	],
	[
		'does not count as listed after the list under another number lost its entry',
		[said(1, [100_000], CARDS), said(3, [], { key: B }), said(9, [100_000], { key: B })],
		0,
	],
	[
		'counts as listed when the list shows it and a note as one sum',
		[said(1, [50_000, 100_000], { ...CARDS, notes: 50_000 }), said(9, [150_000], { notes: 50_000 })],
		100_000,
	],
	[
		'counts as listed if the only list before the void is under another number and contains its entry',
		[said(3, [100_000], { key: B }), said(9, [100_000], { key: B })],
		100_000,
	],
])('a voided sale %s', (_, views, listed) => {
	expect(listedParts(views, [VOID])).toEqual([listed]);
});

test('when one of two equal entries vanishes, only one of the two voided sales counts as removed', () => {
	const views = [said(1, [100_000, 100_000], { cards: 200_000 }), said(9, [100_000])];
	expect(listedParts(views, [VOID, VOID])).toEqual([0, 100_000]);
});

test('money given back counts as listed under another number until the list of that number becomes smaller', () => {
	const given: Returned = { kind: 'given', amount: rupiah(20_000), key: A, begun_at: 5 };
	const views = [said(1, [50_000], { notes: 50_000 }), said(3, [50_000], { key: B })];
	expect(listedParts(views, [given])).toEqual([20_000]);
	expect(listedParts([...views, said(9, [30_000], { key: B })], [given])).toEqual([0]);
});

test('when the entry of a note vanishes from the list, a voided sale still counts as listed in full', () => {
	const both = { cards: 100_000, notes: 50_000 };
	const views = [said(1, [50_000, 100_000], both), said(9, [100_000], { notes: 50_000 })];
	expect(listedParts(views, [VOID])).toEqual([100_000]);
});

test('if new notes are added to the listed sum of the notes, a voided sale of the same amount as the earlier sum still counts as listed', () => {
	const before = said(1, [50_000, 50_000], { cards: 50_000, notes: 50_000 });
	const views = [before, said(9, [70_000, 50_000], { notes: 70_000 })];
	expect(listedParts(views, [{ ...VOID, amount: rupiah(50_000) }])).toEqual([50_000]);
});

/** Two notes of 50,000 and a sale of 50,000, each in an entry of its own. */
const THREE = said(1, [50_000, 50_000, 50_000], { cards: 50_000, notes: 100_000 });
const AFTER_VOID = said(6, [50_000, 50_000, 50_000], { notes: 100_000 });

test.each<[string, RecordedView, number]>([
	['with the new note, the voided sale counts as listed', said(9, [120_000, 50_000], { notes: 120_000 }), 50_000],
	['without the new note, the voided sale counts as listed', said(9, [100_000, 50_000, 20_000], { notes: 120_000 }), 50_000],
	['with a new note of the sale’s value, the voided sale counts as removed', said(9, [150_000], { notes: 150_000 }), 0],
	['with a new note larger than the sale, the voided sale counts as removed', said(9, [200_000], { notes: 200_000 }), 0],
])('the list now shows all notes as one sum: %s', (_, now, left) => {
	expect(listedParts([THREE, AFTER_VOID, now], [{ ...VOID, amount: rupiah(50_000) }])).toEqual([left]);
});

test.each<[string, number[], number]>([
	['a sum of notes in parts beside the voided sale, the sale counts as listed', [50_000, 50_000, 100_000], 100_000],
	['a sum of notes in parts without the voided sale, the sale counts as removed', [50_000, 50_000], 0],
	['payments that are not the parts of the sum of notes, the voided sale counts as removed', [60_000, 50_000, 100_000], 0],
])('if the list now shows %s', (_, now, left) => {
	const before = said(1, [100_000, 100_000], { cards: 100_000, notes: 100_000 });
	expect(listedParts([before, said(9, now, { notes: 100_000 })], [VOID])).toEqual([left]);
});

test.each([
	['by the new notes still contains the money given back', 70_000, 50_000],
	['by more than the new notes is another payment', 90_000, 0],
])('under another number, a sum that has grown %s', (_, sum, left) => {
	const views = [said(1, [50_000], { notes: 50_000 }), said(9, [sum], { notes: 20_000, key: B })];
	expect(listedParts(views, [{ kind: 'given', amount: rupiah(50_000), key: A, begun_at: 5 }])).toEqual([left]);
});

const LISTED = said(4, [50_000], { notes: 50_000 });

test.each<[string, RecordedView[], number]>([
	['does not count as removed while it is listed', [said(6, [50_000], { notes: 50_000 })], 0],
	['counts as removed when its entry is gone', [LISTED, said(6, [], { notes: 50_000 })], 50_000],
	[
		'counts as removed when its entry is gone and another payment comes in',
		[LISTED, said(6, [], { notes: 50_000 }), said(7, [50_000], { notes: 50_000 })],
		50_000,
	],
	[
		'counts as removed when a listed sum has become smaller by its amount',
		[said(4, [150_000], { notes: 150_000 }), said(6, [100_000], { notes: 150_000 })],
		50_000,
	],
	['counts as removed when only a payment elsewhere is listed', [LISTED, said(6, [30_000], { notes: 50_000, kept: 30_000 })], 50_000],
	[
		'does not count as removed when it was listed only after the give-back',
		[said(6, [], { notes: 50_000 }), said(7, [50_000], { notes: 50_000 })],
		0,
	],
	['does not count as removed when more is missing than was given back', [said(6, [], { notes: 150_000 })], 0],
	[
		'does not count as removed when a shown note with a late confirmation is also missing',
		[said(4, [150_000], { told: 150_000 }), said(6, [], { notes: 50_000, told: 150_000 })],
		0,
	],
	[
		'does not count as removed while a list that lost more is being repaired',
		[
			said(4, [50_000, 20_000], { notes: 70_000 }),
			said(6, [], { notes: 70_000 }),
			said(7, [50_000], { notes: 70_000 }),
			said(8, [50_000, 20_000], { notes: 70_000 }),
		],
		0,
	],
	[
		'counts as removed when its entry is gone after a list that lost more was repaired',
		[
			said(4, [50_000, 20_000], { notes: 70_000 }),
			said(6, [], { notes: 70_000 }),
			said(7, [50_000, 20_000], { notes: 70_000 }),
			said(8, [20_000], { notes: 70_000 }),
		],
		50_000,
	],
	[
		'counts as removed when all notes were removed and the kept note was entered again',
		[said(4, [50_000, 20_000], { notes: 70_000 }), said(6, [], { notes: 70_000 }), said(7, [20_000], { notes: 70_000 })],
		50_000,
	],
	[
		'counts as removed when the list lost one part of it before the give-back and the other part after it',
		[said(3, [50_000, 20_000], { notes: 70_000 }), said(4, [30_000], { notes: 70_000 }), said(6, [20_000], { notes: 70_000 })],
		50_000,
	],
	[
		'counts as removed even if the only earlier list with all notes came in an answer "paid"',
		[said(3, [20_000], { notes: 70_000 }), saidPaidWith(4, [50_000, 20_000], 70_000), said(6, [20_000], { notes: 70_000 })],
		50_000,
	],
	[
		'does not count as removed when the list lacked it only before the give-back',
		[said(4, [], { notes: 50_000 }), said(6, [50_000], { notes: 50_000 })],
		0,
	],
])('money given back %s', (_, views, removed) => {
	expect(removedPart(views, [{ seq: 5, amount: rupiah(50_000) }])).toBe(removed);
});
