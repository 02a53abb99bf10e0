/** Honest staff settle everything at the screen. Then the staff invariants are checked. */
import type { StaffDecision } from '@kiosk/contract/staff-cases';
import { toSettle } from '../../daemon/src/health/money-checks.ts';
import type { HealthDeps } from '../../daemon/src/health/report.ts';
import { type PaymentKey, paymentKey } from '../../daemon/src/journal/records.ts';
import type { Random } from '../support/random.ts';
import { during, keyOf } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import { PIN } from './sim-pin-truth.ts';
import { honest, logsInAgain, type StaffPeople } from './sim-staff-people.ts';

/** A run opens fewer cases than this. */
const MOST_DECISIONS = 80;
/** The report of a note and the look-up that follows take less than this, ms. */
const REPORTED_MS = 5_000;
/**
 * Health may report these parts even after the last staff visit, because only a technician or the
 * bank can settle their cases.
 */
const FOR_OTHERS = new Set(['dispute', 'parked notes', 'card money']);

/** Staff decide each open case whose truth they can know, and count and save the cashbox twice. */
export async function settleAtScreen(world: SimKiosk, staff: StaffPeople, random: Random): Promise<void> {
	logsInAgain(world);
	const done = await during(world, settleAll(world, staff, random));
	if (done === null) world.violated('S9: the last staff visit does not end');
	checkStaff(world);
}

async function settleAll(world: SimKiosk, staff: StaffPeople, random: Random): Promise<true> {
	const [desk] = staff.desks;
	const { body } = await staff.ask(desk, 'GET', '/kiosk/staff');
	await new Promise<void>((resolve) => void world.clock.after((body as { wait_ms?: number } | null)?.wait_ms ?? 0, resolve));
	if (!(await staff.types(desk, PIN))) world.violated('S1: the right PIN does not open the page after its delay');
	for (const name of ['Sari', 'Budi']) await staff.names(desk, 'add', name);
	let isLastLook = false;
	for (let left = MOST_DECISIONS; left > 0; left -= 1) {
		const found = (await staff.looks(desk))?.cases ?? [];
		const wishes = found.flatMap((one): StaffDecision[] => {
			const decision = honest(world, random, one);
			return decision === null ? [] : [{ kind: one.kind, id: one.id, amount: one.amount, ...decision, by: 'Sari', second: 'Budi' }];
		});
		const [wish] = wishes;
		if (wish === undefined && isLastLook) break;
		isLastLook = wish === undefined;
		if (wish === undefined) {
			// A decision starts a report and a look-up, which may open or close another case.
			await new Promise<void>((resolve) => void world.clock.after(REPORTED_MS, resolve));
			continue;
		}
		const isDone = await staff.decides(desk, wish);
		if (!isDone) {
			// The look-up before a give-back may have shown that nothing is due back. A later
			// statement may open the case again.
			const now = (await staff.looks(desk))?.cases ?? [];
			if (now.some(({ kind, id, amount }) => kind === wish.kind && id === wish.id && amount === wish.amount))
				world.violated(`S9: after all repairs staff cannot decide ${JSON.stringify(wish)}`);
		}
	}
	for (let times = 0; times < 2; times += 1) {
		await staff.box(desk);
		await staff.counts(desk, 'Sari', staff.inHand(false));
		if (!(await staff.saves(desk, 'Sari'))) world.violated('S9: after all repairs staff cannot save a count');
	}
	return true;
}

function checkStaff(world: SimKiosk): void {
	const { kiosk, journal, staff } = world;
	if (!kiosk || !journal) return;
	for (const { part, text } of toSettle({ journal, cash: kiosk.cash } as unknown as HealthDeps))
		if (!FOR_OTHERS.has(part)) world.violated(`S10: health still says ${part}: ${text}`);
	checkEveryNoteCounted(world);
	checkMoneyOfInvoices(world);
	// If an answer was lost, staff find the decision in the journal and then hand over the money.
	for (const act of staff.acts)
		if (
			!act.claimed &&
			act.record.kind === 'money_given_back' &&
			staff.written.has(act.record.payment_id) &&
			act.record.why.startsWith('decided')
		)
			staff.handsOver(act.record.payment_id, act.record.amount);
	for (const [key, amount] of staff.written)
		if (staff.handed.get(key) !== amount)
			world.violated(`S2: the journal has ${amount} given for ${key}, but people gave ${staff.handed.get(key)}`);
	for (const { record } of staff.acts) if (record.by.trim() === '') world.violated(`S6: ${record.kind} has no name`);
}

const lost = (world: SimKiosk): number =>
	[...world.unexplained.keys()].filter((note_id) => world.rows('SELECT 1 FROM notes WHERE note_id = ?', note_id).length === 0).length;

/**
 * S3: counted notes, notes found later and notes in the box equal all notes ever stacked. Notes
 * whose records were lost with a process may be missing.
 */
function checkEveryNoteCounted(world: SimKiosk): void {
	const { staff } = world;
	const stacked = world.truth.stacked.reduce((sum, { nominal }) => sum + nominal, 0);
	const inBox = Number(world.journal?.cashbox.period(null)?.expected ?? 0);
	const counted = staff.counted + staff.foundLate + inBox;
	if (counted > stacked || (counted < stacked && lost(world) === 0))
		world.violated(
			`S3: counts expected ${staff.counted}, ${staff.foundLate} was found later and ${inBox} is in the box, but ${stacked} was stacked`,
		);
}

const isDisputed = (world: SimKiosk, key: PaymentKey): boolean =>
	world.journal?.money.attention().some(({ payment, state }) => state === 'dispute' && paymentKey(payment) === key) ?? false;

/**
 * S2: the journal claims no more money for an invoice than the kiosk holds, except for a shortage
 * that staff see. Money that the journal lacks for invoices must be in notes without an invoice.
 */
function checkMoneyOfInvoices(world: SimKiosk): void {
	const { truth } = world;
	let without = 0;
	for (const invoice of world.office.everyInvoice()) {
		const real = truth.cash(invoice) + truth.card(invoice) - truth.givenBack(invoice);
		const key = keyOf(world, invoice);
		const held = Number(world.journal?.money.ownMoney(key) ?? 0);
		// Later payments do not reduce a shortage.
		const short = Number(world.journal?.money.balanceOf(key).short ?? 0);
		if (held > real + short)
			world.violated(`S2: the kiosk says that it holds ${held} for invoice ${invoice.noinvoice} and lacks ${short}, but it holds ${real}`);
		if (short > 0 && !isDisputed(world, key))
			world.violated(`S2: ${short} more was given back for invoice ${invoice.noinvoice} than received, and staff are not told`);
		without += Math.max(0, real - held);
	}
	const [row] = world.rows(`SELECT coalesce(sum(nominal), 0) AS sum FROM notes WHERE state = 'credited' AND payment_id IS NULL`);
	if (
		without > Number(row?.sum) &&
		lost(world) === 0 &&
		world.rows(`SELECT 1 FROM card_sales WHERE state IN ('unknown') OR payment_id IS NULL`).length === 0
	)
		world.violated(`S2: the journal lacks ${without} of the invoices, but notes without an invoice are ${String(row?.sum)}`);
}
