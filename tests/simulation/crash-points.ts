import type { Invoice } from '../simulators/back-office/invoice.ts';
import { checkBooks } from './invariants.ts';
import { creditedFor, Interrupted, type Journey, TOTAL } from './journeys.ts';
import { heal, runUntilSettled } from './sim-faults.ts';
import { SimKiosk, type StepKind } from './sim-kiosk.ts';

const SEED = 5;
const REBOOT_MS = { process: 2_000, power: 6_000 };

/**
 * Single bytes that repeat on the acceptor's line: the poll, and ENABLE and INHIBIT, which both the
 * kiosk and the acceptor send.
 */
const IDLE_BYTES = new Set([0x0c, 0x3e, 0x5e]);

/**
 * When and how a run crashes. `of` states whether the process dies or the power fails. With `power,
 * money kept`, a note that was being stacked is in the cashbox and an open sale is charged; with
 * `power, money back`, the note is returned and the card is not charged.
 */
export interface CrashPoint {
	/** The step at which the run crashes: steps of every kind are counted together, from 1. */
	step: number;
	when: 'before' | 'after';
	of: 'process' | 'power, money kept' | 'power, money back';
	/** Whether the customer continues after the restart. */
	comesBack: boolean;
}

export interface CrashRun {
	/** Kind of the step at which the kiosk crashed; null if the run had too few steps. */
	at: StepKind | null;
	/** Whether a note was being stacked or a sale was open at the crash. */
	moving: boolean;
	problems: string[];
	lines: readonly string[];
}

/**
 * Plays one payment, crashes the kiosk at one step, lets the kiosk recover and checks the books.
 */
export async function dieAt(journey: Journey, point: CrashPoint): Promise<CrashRun> {
	const world = new SimKiosk(SEED);
	let at: StepKind | null = null;
	let moving = false;
	try {
		world.boot();
		await world.run(4_000);
		const invoice = world.office.books.addInvoice('081299990000', TOTAL, world.clock.wall());
		journey.prepare?.(world);
		let steps = 0;
		world.around = (kind, act, bytes) => {
			if (at !== null || isIdle(world, kind, bytes)) return act();
			steps += 1;
			if (steps !== point.step) return act();
			at = kind;
			moving = world.acceptor.note?.place === 'stacking' || world.terminal.waiting !== null;
			if (point.when === 'after') act();
			world.note(`dies ${point.when} ${kind}`);
			die(world, point.of);
		};
		await quietly(journey.pay(world, invoice));
		while (world.kiosk === null) await world.run(1_000);
		if (at !== null && point.comesBack && journey.again) await quietly(journey.again(world, invoice));
		heal(world);
		await runUntilSettled(world);
		checkBooks(world);
		const problems = [...world.violations.map(({ what }) => what), ...(at === null ? journey.missing(world, invoice) : [])];
		return { at, moving, problems: [...problems, ...broken(world, invoice)], lines: world.lines };
	} finally {
		world.end();
	}
}

function die(world: SimKiosk, of: CrashPoint['of']): void {
	world.die(of);
	const power = of !== 'process';
	if (power) {
		world.acceptor.switchOff(world.acceptor.note?.place === 'stacking' && of === 'power, money kept' ? 'stacked' : 'returned');
		world.terminal.switchOff(of === 'power, money kept');
	}
	world.clock.after(power ? REBOOT_MS.power : REBOOT_MS.process, () => {
		if (power) {
			world.acceptor.switchOn();
			world.terminal.switchOn();
		}
		world.boot();
	});
}

/**
 * @returns whether a step is one of `IDLE_BYTES` while no note is in the acceptor. Such steps are
 * not counted, so that few crash points are alike.
 */
const isIdle = (world: SimKiosk, kind: StepKind, bytes: Uint8Array | undefined): boolean =>
	kind.endsWith('acceptor') && world.acceptor.note === null && bytes?.length === 1 && IDLE_BYTES.has(bytes[0] ?? 0);

async function quietly(going: Promise<void>): Promise<void> {
	try {
		await going;
	} catch (error) {
		if (!(error instanceof Interrupted)) throw error;
	}
}

/**
 * Checks what must hold after one crash, in addition to the invariants of every world.
 * @returns the violations
 */
function broken(world: SimKiosk, invoice: Invoice): string[] {
	const inDoubt = world.rows(`SELECT 1 FROM notes WHERE state = 'in_doubt'`).length;
	const covered = creditedFor(world, invoice) >= invoice.total;
	const charges = world.terminal.bank.transactions.length;
	const problems: string[] = [];
	if (inDoubt > 1) problems.push(`one crash left ${inDoubt} notes in doubt`);
	if (covered && !invoice.is_paid) problems.push('the total is credited, but the server says not paid');
	if (charges > 1) problems.push(`the card was charged ${charges} times`);
	if (charges === 1 && creditedFor(world, invoice) > 0) problems.push('both a card charge and cash were taken');
	if (world.printer.printed.filter((words) => words.startsWith('original')).length > 1) problems.push('two original receipts were printed');
	return problems;
}
