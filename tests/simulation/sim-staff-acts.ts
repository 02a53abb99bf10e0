/**
 * Plays random actions of staff at the screen: at any moment, twice, on two pages, with wrong
 * values.
 */
import { DECISIONS, type StaffCase, type StaffDecision } from '@kiosk/contract/staff-cases';
import type { Random } from '../support/random.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { PIN } from './sim-pin-truth.ts';
import { TWO_NAMES_ABOVE } from './sim-settings.ts';
import { NOMINALS } from './sim-staff-calls.ts';
import { type Desk, honest, PEOPLE, type StaffPeople } from './sim-staff-people.ts';

type Act = (staff: StaffPeople, random: Random, desk: Desk) => Promise<void>;

/**
 * @returns a decision about a shown case. Most decisions are true; a few lack a required name. null
 * if the screen offers no decision.
 */
function wishOf(world: SimKiosk, random: Random, one: StaffCase): StaffDecision | null {
	const choices: readonly StaffDecision['decision'][] = DECISIONS[one.kind];
	if (choices.length === 0) return null;
	// The wrong value is never the value of another note without an outcome, because the simulation's
	// books would then settle that note.
	const doubts = world.rows(`SELECT nominal FROM notes WHERE state IN ('intended', 'in_doubt')`).map(({ nominal }) => Number(nominal));
	const wrong = NOMINALS.filter((value) => !doubts.includes(value));
	const lie = { decision: random.pick(choices), nominal: one.amount === null ? random.pick(wrong) : null };
	const { decision, nominal } = random.chance(0.2) ? lie : (honest(world, random, one) ?? lie);
	const by = random.pick(random.chance(0.8) ? PEOPLE.slice(0, 2) : PEOPLE);
	const isLarge = (one.amount ?? nominal ?? 0) > TWO_NAMES_ABOVE;
	const other = random.pick(PEOPLE.slice(0, 2).filter((name) => name !== by));
	const second = isLarge ? random.pick([other, other, other, by, null]) : random.chance(0.1) ? other : null;
	const wish = { kind: one.kind, id: one.id, decision, amount: one.amount, nominal: decision === 'in_box' ? nominal : null, by, second };
	return wish as StaffDecision;
}

async function withWish(staff: StaffPeople, random: Random, desk: Desk, act: (wish: StaffDecision) => Promise<unknown>): Promise<void> {
	if (!(await staff.enters(desk))) return;
	// Sometimes staff decide from an outdated list.
	if (desk.cases === null || random.chance(0.6)) await staff.looks(desk);
	const cases = desk.cases?.cases ?? [];
	await pause(staff.world, random.int(0, 8_000));
	if (cases.length === 0) return;
	const wish = wishOf(staff.world, random, random.pick(cases));
	if (wish !== null) await act(wish);
}

const pause = (world: SimKiosk, ms: number): Promise<void> => new Promise((resolve) => void world.clock.after(ms, resolve));

const otherOf = (staff: StaffPeople, desk: Desk): Desk => (desk === staff.desks[0] ? staff.desks[1] : staff.desks[0]);

const randomCount = (random: Random) => NOMINALS.map((nominal) => ({ nominal, count: random.chance(0.5) ? 0 : random.int(0, 5) }));

/** Staff count the box one to three times, look at the result, and usually save it. */
async function countsTheBox(staff: StaffPeople, random: Random, desk: Desk): Promise<void> {
	if (!(await staff.enters(desk))) return;
	const by = random.pick(PEOPLE.slice(0, 3));
	await staff.box(desk);
	for (let times = random.int(1, 3); times > 0; times -= 1) {
		await pause(staff.world, random.int(0, 10_000));
		await staff.counts(desk, by, random.chance(0.5) ? staff.inHand(random.chance(0.2)) : randomCount(random));
	}
	await pause(staff.world, random.int(0, 10_000));
	await staff.box(random.chance(0.5) ? desk : otherOf(staff, desk));
	if (random.chance(0.2)) return;
	const saving = [staff.saves(desk, by)];
	if (random.chance(0.4)) saving.push(staff.saves(random.chance(0.5) ? desk : otherOf(staff, desk), by));
	await Promise.all(saving);
}

const ACTS: Readonly<Record<string, Act>> = {
	tries_pins: async (staff, random, desk) => {
		for (let left = random.int(1, 5); left > 0; left -= 1) {
			await staff.types(desk, String(random.int(100_000, 999_999)));
			await pause(staff.world, random.int(100, 40_000));
		}
	},
	tries_two_pins_at_once: async (staff, random) => {
		await Promise.all(staff.desks.map((desk) => staff.types(desk, random.chance(0.3) ? PIN : '000000')));
	},
	adds_a_name: async (staff, random, desk) => {
		if (await staff.enters(desk)) await staff.names(desk, 'add', random.pick(PEOPLE));
	},
	retires_a_name: async (staff, random, desk) => {
		if (await staff.enters(desk)) await staff.names(desk, 'retire', random.pick(PEOPLE));
	},
	decides: (staff, random, desk) => withWish(staff, random, desk, (wish) => staff.decides(desk, wish)),
	decides_many: async (staff, random, desk) => {
		for (let left = random.int(2, 5); left > 0; left -= 1) await withWish(staff, random, desk, (wish) => staff.decides(desk, wish));
	},
	taps_twice: (staff, random, desk) =>
		withWish(staff, random, desk, (wish) => Promise.all([staff.decides(desk, wish), staff.decides(desk, wish)])),
	decides_again_later: (staff, random, desk) =>
		withWish(staff, random, desk, async (wish) => {
			await staff.decides(desk, wish);
			await pause(staff.world, random.int(0, 20_000));
			await staff.decides(desk, wish);
		}),
	decides_on_both_pages: async (staff, random, desk) => {
		const other = otherOf(staff, desk);
		if (!(await staff.enters(other))) return;
		await staff.looks(other);
		await withWish(staff, random, desk, (wish) => {
			const otherWish = { ...wish, ...(random.chance(0.5) && wishOf(staff.world, random, wish as unknown as StaffCase)) };
			return Promise.all([staff.decides(desk, wish), staff.decides(other, otherWish)]);
		});
	},
	decides_oddly: (staff, random, desk) =>
		withWish(staff, random, desk, (wish) => {
			const amount = wish.amount ?? 0;
			const odd = random.pick<object>([
				{ amount: -amount },
				{ amount: amount + 1_000 },
				{ amount: amount / 2 + 0.5 },
				{ nominal: 12_345 },
				{ decision: random.pick(['given', 'in_box', 'charged', 'rest_elsewhere']) },
				{ kind: random.pick(['change', 'note', 'sale', 'partial', 'twice', 'dispute', 'slip']) },
				{ by: '' },
				{ by: 'Orang Asing' },
				{ second: 'Orang Asing' },
			]);
			return staff.decides(desk, { ...wish, ...odd });
		}),
	counts_the_box: countsTheBox,
	counts_oddly: async (staff, random, desk) => {
		if (!(await staff.enters(desk))) return;
		const [nominal = 1_000] = NOMINALS;
		const odd = random.pick([
			[{ nominal, count: -1 }],
			[{ nominal: 75_000, count: 1 }],
			[
				{ nominal, count: 1 },
				{ nominal, count: 1 },
			],
			[{ nominal, count: 10_001 }],
		]);
		await staff.counts(desk, random.pick([...PEOPLE, 'Orang Asing']), odd);
		if (random.chance(0.3)) await staff.saves(desk, random.pick(PEOPLE));
	},
	takes_the_box: async (staff, random, desk) => {
		const { acceptor } = staff.world;
		if (acceptor.cashboxOut) return;
		acceptor.removeCashbox();
		staff.world.clock.after(random.int(2_000, 60_000), () => acceptor.cashboxOut && acceptor.returnCashbox());
		await pause(staff.world, random.int(0, 30_000));
		await countsTheBox(staff, random, desk);
	},
	logs_out: async (staff, random, desk) => {
		if (random.chance(0.5) && (await staff.enters(desk))) await staff.logsOut(desk, random.int(2_000, 40_000));
	},
	leaves: async (staff, _random, desk) => void (await staff.ask(desk, 'POST', '/kiosk/staff/leave')),
};
const WEIGHTS: readonly string[] = [...Object.keys(ACTS), 'decides', 'decides_many', 'decides_many', 'taps_twice', 'counts_the_box'];

/** Lets staff begin an action at this moment. */
export function actOfStaff(staff: StaffPeople, random: Random): void {
	const { world } = staff;
	if (world.healed || world.kiosk === null) return;
	const name = random.pick(WEIGHTS);
	const desk = random.pick(staff.desks);
	world.note(`staff at the ${desk.name}: ${name}`);
	ACTS[name]?.(staff, random, desk).catch((error: unknown) =>
		world.violated(`S9: ${name}: ${error instanceof Error ? error.stack : String(error)}`),
	);
}
