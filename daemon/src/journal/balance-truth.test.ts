/**
 * Compares the balance with the payments really made at the kiosk and elsewhere. The server lists
 * correctly what it has booked.
 */

import { type Rupiah, rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceOf } from './balance.ts';
import type { MoneyFacts } from './money-facts.ts';

/**
 * State of a note or a card sale at the server. `booked`: the server has booked it, but the
 * confirmation did not reach the kiosk. `lost`: the kiosk sent the report, but it did not reach the
 * server.
 */
const known = fc.constantFrom('confirmed', 'booked', 'lost', 'waiting');
const amount = fc.constantFrom(10_000, 20_000, 50_000, 100_000).map(rupiah);
const owned = fc.array(fc.record({ nominal: amount, known }), { maxLength: 3 });
const World = fc.record({
	total: fc.constantFrom(50_000, 100_000, 130_000).map(rupiah),
	notes: owned,
	cards: owned,
	elsewhere: fc.array(amount, { maxLength: 2 }),
	list: fc.constantFrom('named', 'one by one', 'one sum'),
	back: fc.constantFrom(0, 10_000, 50_000),
	/** Whether the server has reversed the amount that was given back. */
	reversed: fc.boolean(),
});
type WorldOf = typeof World extends fc.Arbitrary<infer W> ? W : never;

const sum = (amounts: readonly number[]): Rupiah => rupiah(amounts.reduce((total, one) => total + one, 0));
const isBooked = ({ known: heard }: { known: string }): boolean => heard === 'confirmed' || heard === 'booked';

/**
 * @returns the kiosk's facts in this world, and the amount really received; null if the world
 * contradicts itself
 */
function played({ total, notes, cards, elsewhere, list, back, reversed }: WorldOf): { facts: MoneyFacts; truth: number } | null {
	const ours = [...notes, ...cards];
	const taken = sum(ours.map(({ nominal }) => nominal));
	if (back > taken) return null;
	const entry = (nominal: Rupiah, note_id: string | null = null) => ({ nominal, note_id, time: '' });
	const single = [
		...notes.flatMap((one, at) => (isBooked(one) ? [entry(one.nominal, list === 'named' ? `note ${at}` : null)] : [])),
		...[...cards.filter(isBooked).map(({ nominal }) => nominal), ...elsewhere].map((nominal) => entry(nominal)),
	];
	const left = sum(single.map(({ nominal }) => nominal)) - (reversed ? back : 0);
	if (left < 0 || (list === 'named' && reversed)) return null;
	const listed = list === 'one sum' || reversed ? (left > 0 ? [entry(rupiah(left))] : []) : single;
	const of = (some: typeof ours, which: string[]) =>
		sum(some.filter(({ known: heard }) => which.includes(heard)).map(({ nominal }) => nominal));
	const own = {
		notes_confirmed: of(notes, ['confirmed']),
		cards_confirmed: of(cards, ['confirmed']),
		told: of(ours, ['confirmed', 'booked', 'lost']),
	};
	const facts: MoneyFacts = {
		view: { total, is_paid: false, listed, own },
		claim: null,
		total,
		notes: notes.map(({ nominal }, at) => ({ note_id: `note ${at}`, nominal, time: '', beforeGiveBack: back > 0 })),
		cards: cards.map(({ nominal }) => entry(nominal)),
		givenBack: rupiah(back),
	};
	return { facts, truth: taken + sum(elsewhere) - back };
}

test('for any uploads and any form of the list, the balance counts at most the money really paid, or is a dispute', () => {
	fc.assert(
		fc.property(World, (world) => {
			const at = played(world);
			if (!at) return;
			const { state, received } = balanceOf(at.facts);
			if (state !== 'dispute') expect(received).toBeLessThanOrEqual(at.truth);
		}),
		{ numRuns: 5_000 },
	);
});

test.each([
	[
		'a booked but unconfirmed card sale counts once beside a note that the list names',
		{ confirmed: 0, list: [20_000, 50_000], back: 0 },
		'partial',
		70_000,
	],
	[
		'a card sale counts minus the Rp 10.000 that staff gave back and the server reversed',
		{ confirmed: 50_000, list: [20_000, 40_000], back: 10_000 },
		'partial',
		60_000,
	],
	['a list that contains less than the card sales is a dispute', { confirmed: 50_000, list: [20_000, 30_000], back: 0 }, 'dispute', 70_000],
])('%s', (_, { confirmed, list, back }, state, received) => {
	const total = rupiah(100_000);
	const own = { notes_confirmed: rupiah(20_000), cards_confirmed: rupiah(confirmed), told: rupiah(70_000) };
	const listed = list.map((nominal, at) => ({ nominal: rupiah(nominal), note_id: at === 0 ? 'ours' : null, time: '' }));
	const found = balanceOf({
		view: { total, is_paid: false, listed, own },
		claim: null,
		total,
		notes: [{ note_id: 'ours', nominal: rupiah(20_000), time: '', beforeGiveBack: false }],
		cards: [{ note_id: null, nominal: rupiah(50_000), time: '' }],
		givenBack: rupiah(back),
	});
	expect(found).toMatchObject({ state, received });
});
