import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import { closeCash, lookUp, openCash, startCard } from './sim-desk.ts';
import { SimKiosk } from './sim-kiosk.ts';
import type { SimOutlet } from './sim-outlet.ts';

// Each test gets a new kiosk, whose back office and pages may misbehave.

const HP = '081299990000';

export let world: SimKiosk;

/** Starts a kiosk before each test of a file. */
export function aroundHostileWorld(): void {
	beforeEach(async () => {
		world = new SimKiosk(1);
		world.adverse = true;
		world.boot();
		await world.run(4_000);
	});
	afterEach(() => world.end());
}

/** Plays each case and expects that it violates no invariant. */
export const playEach = (cases: Record<string, () => Promise<void>>): void =>
	test.each(Object.entries(cases))('%s', async (_name, play) => {
		await play();
		sound();
	});

export const outlet = (at: number): SimOutlet => world.office.outlets[at] ?? expect.fail(`there is no outlet ${at}`);
export const newInvoice = (total: number, of = world.office.at): Invoice => of.books.addInvoice(HP, total, world.clock.wall());
export const sound = () => expect(world.violations.map(({ what }) => what)).toEqual([]);

/** Looks the invoice up and opens its cash page. */
export async function opens(invoice: Invoice): Promise<{ ready: boolean; is_paid: boolean } | null> {
	const detail = await lookUp(world, invoice);
	if (detail === null) return null;
	const opened = await openCash(world, detail);
	await world.run(500);
	return opened;
}

export async function feeds(invoice: Invoice | null, ...nominals: number[]): Promise<void> {
	for (const nominal of nominals) {
		world.feed({ nominal }, invoice);
		await world.run(4_000);
	}
}

/** Plays a whole cash visit. */
export async function pays(invoice: Invoice, ...nominals: number[]): Promise<void> {
	await opens(invoice);
	await feeds(invoice, ...nominals);
	await world.run(6_000);
	await closeCash(world, invoice.id);
	await world.run(1_000);
}

export async function goesToTheTerminal(invoice: Invoice): Promise<void> {
	const detail = (await lookUp(world, invoice)) ?? expect.fail('the look-up failed');
	startCard(world, detail);
	await world.run(2_000);
}

export async function taps(): Promise<void> {
	world.terminal.tap({ respCode: '00' });
	await world.run(3_000);
}

/** Runs the world until the condition holds; fails after the limit. */
export async function runUntil(holds: () => boolean, limitMs = 5_000): Promise<void> {
	for (let waited = 0; waited < limitMs && !holds(); waited += 20) await world.run(20);
	expect(holds()).toBe(true);
}

/**
 * Inserts a note for the invoice and waits until the acceptor begins to push it into the cashbox.
 */
export async function noteMoves(invoice: Invoice): Promise<void> {
	world.feed({ nominal: 50_000 }, invoice);
	await runUntil(() => world.acceptor.note?.place === 'stacking');
}

/** Runs `act` without a network. */
export async function offline(act: () => Promise<unknown>): Promise<void> {
	world.office.network = 'down';
	await act();
	world.office.network = 'good';
}
