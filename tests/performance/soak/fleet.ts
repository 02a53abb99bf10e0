import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { checkBooks } from '../../simulation/invariants.ts';
import { visit, WISHES } from '../../simulation/sim-customer.ts';
import { FAULTS, heal } from '../../simulation/sim-faults.ts';
import { SimKiosk } from '../../simulation/sim-kiosk.ts';
import { staffVisit } from '../../simulation/sim-staff.ts';
import { randomFrom } from '../../support/random.ts';
import type { Reading } from './reading.ts';

/** Longer than all of the kiosk's limits, retries and pauses together. */
const LONGEST_REST_MS = 400_000;
const LOOK_MS = 10_000;
/** In the field most customers meet no fault; the simulation injects several for each. */
const FAULT_A_VISIT = 0.15;

/** The day of one virtual kiosk: customers, an occasional fault, staff at the end. */
export interface Day {
	seed: number;
	journeys: number;
	simulatedMs: number;
	/** Messages about violated invariants. */
	problems: string[];
	/** A hash of all events. */
	digest: string;
}

/**
 * Simulates one day.
 * @param seed determines the whole day
 * @param journeys number of customers, one after the other
 */
export async function liveADay(seed: number, journeys: number): Promise<Day> {
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
		await rest(world);
		checkBooks(world);
		await staffVisit(world, random);
		await rest(world);
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

/** Runs until no sale or note is open and no report is queued. */
async function rest(world: SimKiosk): Promise<void> {
	const open = `SELECT 1 FROM notes WHERE state = 'intended' OR (state = 'credited' AND uploaded_seq IS NULL AND payment_id IS NOT NULL)
		UNION ALL SELECT 1 FROM card_sales WHERE state = 'sent' OR (state = 'approved' AND relayed_seq IS NULL)
		UNION ALL SELECT 1 FROM prints WHERE state = 'requested'`;
	await world.run(2 * LOOK_MS);
	for (let waited = 0; waited < LONGEST_REST_MS && world.rows(open).length > 0; waited += LOOK_MS) await world.run(LOOK_MS);
}

/**
 * @returns the days of `kiosks` parallel kiosks, each with separate files and its own seed,
 * starting with `from`
 */
export const liveTogether = (kiosks: number, from: number, journeys: number): Promise<Day[]> =>
	Promise.all(Array.from({ length: kiosks }, (_, kiosk) => liveADay(from + kiosk, journeys)));

let prepared = 0;
const prepare = DatabaseSync.prototype.prepare;

/** Counts the statements that this process prepares from now on. */
export function countStatements(): void {
	DatabaseSync.prototype.prepare = function count(this: DatabaseSync, ...words: Parameters<typeof prepare>) {
		prepared += 1;
		return prepare.apply(this, words);
	};
}

/** @returns this process's resource usage; needs --expose-gc */
export function ownReading(): Reading {
	globalThis.gc?.();
	globalThis.gc?.();
	const { heapUsed, rss, external } = process.memoryUsage();
	return {
		heapBytes: heapUsed,
		externalBytes: external,
		rssBytes: rss,
		openFiles: readdirSync('/proc/self/fd').length,
		handles: process.getActiveResourcesInfo().length,
		prepared,
	};
}
