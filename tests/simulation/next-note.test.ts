/** If STACKED for a note in doubt arrives late, it must not credit the next customer's note. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import { checkBooks } from './invariants.ts';
import { creditedFor } from './journeys.ts';
import { closeCash, lookUp, openCash } from './sim-desk.ts';
import { SimKiosk } from './sim-kiosk.ts';

const STACKED = Uint8Array.of(0x10);
const INHIBIT = 0x5e;

let world: SimKiosk;
let first: Invoice;
let next: Invoice;
beforeEach(async () => {
	world = new SimKiosk(1);
	world.boot();
	await world.run(4_000);
	[first, next] = [137_000, 137_000].map((total) => world.office.books.addInvoice('081299990000', total, world.clock.wall())) as [
		Invoice,
		Invoice,
	];
});
afterEach(() => world.end());

async function opens(invoice: Invoice): Promise<void> {
	const detail = await lookUp(world, invoice);
	if (detail === null || world.kiosk === null) return expect.fail('the look-up failed');
	await openCash(world, detail);
	await world.run(1_000);
}

/** Inserts a note whose STACKED is lost. */
async function feedsSilently(nominal: number): Promise<void> {
	world.acceptor.nextMishaps.add('lost_stacked');
	expect(world.feed({ nominal }, world.opener?.invoice ?? null)).toBe(true);
	await world.run(3_000);
	expect(world.acceptor.stacked.at(-1)).toMatchObject({ nominal });
}

/** @returns the acceptor state on the screen */
const shown = () => world.screen.heard.findLast((text) => text.type === 'machine_ready')?.state;
const noteStates = () => world.rows('SELECT nominal, state FROM notes ORDER BY nominal').map(({ nominal, state }) => `${nominal} ${state}`);

/**
 * Checks that the acceptor is busy and takes no note, and waits until it is ready.
 * @returns the wait, ms
 */
async function waits(): Promise<number> {
	const from = world.clock.now();
	expect([shown(), world.feed({ nominal: 20_000 }, world.opener?.invoice ?? null)]).toEqual(['busy', false]);
	for (; shown() !== 'ready' && world.clock.now() < from + 60_000; await world.run(100)) expect(['busy', 'inhibited']).toContain(shown());
	return world.clock.now() - from;
}

async function pays(nominal: number, invoice: Invoice): Promise<void> {
	const before = creditedFor(world, invoice);
	expect(world.feed({ nominal }, world.opener?.invoice ?? null)).toBe(true);
	await world.run(5_000);
	expect(creditedFor(world, invoice)).toBe(before + nominal);
}

function balances(): void {
	checkBooks(world);
	expect(world.violations).toEqual([]);
}

test('a late STACKED for a note in doubt credits the first customer, and then the next customer can pay', async () => {
	await opens(first);
	await feedsSilently(50_000);
	await world.run(13_000);
	expect(shown()).toBe('note_in_doubt');
	await opens(next);
	expect([shown(), world.feed({ nominal: 20_000 }, world.opener?.invoice ?? null)]).toEqual(['busy', false]);
	world.acceptorLine.say(STACKED);
	await world.run(1_000);
	expect([creditedFor(world, first), creditedFor(world, next), shown()]).toEqual([50_000, 0, 'ready']);
	await pays(20_000, next);
	balances();
});

test('if no STACKED arrives, the same customer can pay in a new cash session after the wait for STACKED', async () => {
	await opens(first);
	await feedsSilently(50_000);
	await world.run(13_000);
	await closeCash(world, first.id);
	await opens(first);
	const waited = await waits();
	expect(waited).toBeGreaterThan(16_000);
	expect(waited).toBeLessThan(21_000);
	await pays(20_000, first);
	expect(noteStates()).toEqual(['20000 credited', '50000 in_doubt']);
	balances();
});

test('after two restarts of the kiosk a late STACKED credits nothing, and the acceptor opens when the wait for STACKED has ended', async () => {
	await opens(first);
	await feedsSilently(50_000);
	for (let deaths = 0; deaths < 2; deaths += 1) {
		world.die('killed');
		await world.run(1_000);
		world.boot();
		await world.run(4_000);
	}
	await opens(next);
	expect([shown(), world.feed({ nominal: 20_000 }, world.opener?.invoice ?? null)]).toEqual(['busy', false]);
	world.acceptorLine.say(STACKED);
	await world.run(1_000);
	expect(noteStates()).toEqual(['50000 in_doubt']);
	expect(await waits()).toBeLessThan(10_000);
	await pays(20_000, next);
	expect(noteStates()).toEqual(['20000 credited', '50000 in_doubt']);
	balances();
});

test('if the clock is set back at a restart, the acceptor stays busy for the whole wait for a late STACKED', async () => {
	await opens(first);
	await feedsSilently(50_000);
	world.die('killed');
	world.boot();
	await world.run(4_000);
	world.die('killed');
	world.clock.wallOffset = -3_600_000;
	world.boot();
	await world.run(4_000);
	await opens(next);
	expect(await waits()).toBeGreaterThan(14_000);
	await pays(20_000, next);
	balances();
});

test('after staff settle a note in doubt and the kiosk restarts, the acceptor stays busy until the wait for a late STACKED has ended', async () => {
	await opens(first);
	await feedsSilently(50_000);
	await world.run(13_000);
	const [note] = world.journal?.cashbox.find('') ?? [];
	world.kiosk?.cash.settleNote(note ?? expect.fail('no note is in doubt'), {
		outcome: 'returned',
		nominal: null,
		by: 'Sari',
		why: 'looked',
	});
	await world.run(1_000);
	expect(shown()).toBe('busy');
	world.die('killed');
	world.boot();
	await world.run(4_000);
	await opens(next);
	expect(await waits()).toBeGreaterThan(8_000);
	await pays(20_000, next);
	expect(creditedFor(world, next)).toBe(20_000);
});

test('if the acceptor misses INHIBIT, the next note is returned, and no customer is credited', async () => {
	await opens(first);
	await feedsSilently(50_000);
	world.around = (kind, act, bytes) => (kind === 'to_acceptor' && bytes?.[0] === INHIBIT ? undefined : act());
	await world.run(13_000);
	await opens(next);
	expect(world.feed({ nominal: 20_000 }, world.opener?.invoice ?? null)).toBe(true);
	await world.run(1_000);
	world.acceptorLine.say(STACKED);
	await world.run(3_000);
	expect(world.acceptor.returned).toMatchObject([{ nominal: 20_000 }]);
	expect(world.screen.heard).toContainEqual({ type: 'kiosk_note_returned', nominal: null, reason: 'rejected_by_machine' });
	expect([creditedFor(world, first), creditedFor(world, next)]).toEqual([0, 0]);
	balances();
});
