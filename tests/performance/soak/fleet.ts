import { checkBooks } from '../../simulation/invariants.ts';
import { visit, WISHES } from '../../simulation/sim-customer.ts';
import { FAULTS, heal, runUntilSettled } from '../../simulation/sim-faults.ts';
import { SimKiosk } from '../../simulation/sim-kiosk.ts';
import { staffVisit } from '../../simulation/sim-staff.ts';
import { randomFrom } from '../../support/random.ts';

/**
 * Chance of a fault in a visit. It is lower than in the simulation, because most real customers
 * meet no fault.
 */
const FAULT_A_VISIT = 0.15;

/** The day of one virtual kiosk: customers, an occasional fault, staff at the end. */
export interface Day {
	seed: number;
	journeys: number;
	simulatedMs: number;
	/** Messages about violated invariants. */
	problems: string[];
	/** Hash of the trace. */
	digest: string;
}

/**
 * Simulates one day.
 * @param seed determines the whole day
 * @param journeys number of customers, one after the other
 */
export async function simulateDay(seed: number, journeys: number): Promise<Day> {
	const world = new SimKiosk(seed);
	const random = randomFrom(seed ^ 0xc057);
	const faults = randomFrom(seed ^ 0xfa17);
	try {
		world.boot();
		await world.run(3_000);
		for (let left = journeys; left > 0; left -= 1) {
			if (faults.chance(FAULT_A_VISIT)) planFault(world, seed ^ left);
			const invoice = world.office.books.addInvoice('081299990000', 1_000 * random.int(20, 300), world.clock.wall());
			await visit(world, random, random.pick(WISHES), invoice);
			await world.run(random.int(2_000, 60_000));
		}
		heal(world);
		await runUntilSettled(world);
		checkBooks(world);
		await staffVisit(world, random);
		await runUntilSettled(world);
		checkBooks(world);
		const problems = world.violations.map(({ at, what }) => `${at.toFixed(0)} ms: ${what}`);
		return { seed, journeys, simulatedMs: world.clock.now(), problems, digest: world.digest() };
	} finally {
		world.end();
	}
}

function planFault(world: SimKiosk, seed: number): void {
	const random = randomFrom(seed);
	world.clock.after(random.int(500, 60_000), () => {
		if (world.healed) return;
		const name = random.pick(Object.keys(FAULTS));
		world.note(`fault: ${name}`);
		FAULTS[name]?.(world, random);
	});
}

/**
 * Simulates one day of each of `kiosks` parallel kiosks with separate files. The seeds are
 * consecutive numbers that begin with `from`.
 */
export const liveTogether = (kiosks: number, from: number, journeys: number): Promise<Day[]> =>
	Promise.all(Array.from({ length: kiosks }, (_, kiosk) => simulateDay(from + kiosk, journeys)));
