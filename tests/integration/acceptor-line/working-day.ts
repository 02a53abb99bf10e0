import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Random, randomFrom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { HOST, type PaperNote } from './acceptor.ts';
import { type Incident, noteByNote, WAITS } from './incident.ts';
import type { Transport } from './line.ts';

/**
 * New customers come during this time. Afterwards the test waits for the outcomes of the last
 * notes.
 */
const BUSY_MS = 25_000;
/** Bytes that a healthy unit may send between two notes. They concern no note. */
const CHATTER = [HOST.enable, HOST.enable, 0x2a, 0x2f, 0x71] as const;
/** Noise of a bad line; these bytes often make the daemon reject a note. */
const NOISE = [0x00, 0x2e, 0x3f, 0x55, 0xff] as const;
const TYPES = [0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47] as const;

/** @returns the bytes between two notes */
const between = (random: Random): number[] => [...random.bytes(CHATTER, 4), ...(random.chance(1 / 12) ? random.bytes(NOISE, 2) : [])];

/** Plays what becomes of a note after ACCEPT. */
type Ending = (at: Incident, random: Random) => Promise<void> | void;

const ENDINGS: readonly [Ending, ...Ending[]] = [
	(at) => at.acceptor.stack(),
	(at) => at.acceptor.stack([0x10, 0x10]),
	(at, random) => at.acceptor.stack([...between(random), 0x10, ...between(random)]),
	(at) => at.acceptor.giveBack(),
	(at) => at.acceptor.giveBack([0x11, 0x11]),
	(at) => at.acceptor.stack([0x22, 0x10, 0x2f]),
	async (at, random) => {
		at.acceptor.say(0x20, 0x24);
		await pause(random.int(0, 499));
		at.acceptor.stack([0x10, 0x2f]);
	},
	async (at, random) => {
		await pause(random.int(0, 1_499));
		at.acceptor.stack();
	},
	(at) => {
		at.acceptor.stack([]);
		at.acceptor.restart();
	},
	(at) => {
		at.acceptor.giveBack([]);
		at.acceptor.restart();
	},
	(at, random) => at.crash(() => at.acceptor.stack(random.chance(1 / 2) ? [0x10] : [])),
	async (at) => {
		await at.crash();
		at.acceptor.giveBack();
	},
	async (at) => {
		await at.line.unplug();
		await at.line.plug();
		await at.heard();
		at.acceptor.stack();
	},
];

/** Plays a customer who inserts notes until the kiosk takes no more, and then leaves. */
async function customer(at: Incident, random: Random): Promise<void> {
	await at.open(at.newInvoice(random.pick([60_000, 137_500, 5_000_000])));
	const { daemon } = at.kiosk;
	for (let notes = random.int(0, 3); notes >= 0; notes -= 1) {
		if (!(await takesNotes(at))) break;
		at.acceptor.say(...between(random));
		await feed(at, random);
		// After a crash the kiosk shows the home screen.
		if (at.kiosk.daemon !== daemon) return;
	}
	at.acceptor.say(...between(random));
	await at.close();
}

/**
 * Waits until the kiosk takes notes.
 * @returns false if it takes no more notes, because the invoice is covered or a note is in doubt
 */
const takesNotes = (at: Incident): Promise<boolean> =>
	until(async () => {
		const cash = await at.cash();
		if (cash.includes('running payment is in doubt')) return false;
		if (cash === WAITS) await at.kiosk.afterDoubt();
		if (at.screen.of('payment_notification').some((paid) => paid.id === at.invoice.id)) return false;
		expect({ cash, enabled: at.acceptor.enabled }).toEqual({ cash: 'takes notes', enabled: true });
		return true;
	});

async function feed(at: Incident, random: Random): Promise<void> {
	const { acceptor } = at;
	const ending = random.pick(ENDINGS);
	const over = Promise.withResolvers<void>();
	acceptor.afterAccept = () => void Promise.resolve(ending(at, random)).then(over.resolve, over.reject);
	acceptor.afterReject = () => {
		acceptor.giveBack();
		over.resolve();
	};
	const type = random.pick(TYPES);
	const note: PaperNote = acceptor.offer(type, []);
	// ESCROW and type are repeated only within one write. After a pause the note may be gone, and a
	// unit never reports a note that is gone.
	if (random.chance(1 / 3)) await acceptor.sayApart(random.int(0, 59), ...between(random), 0x81, type);
	else
		acceptor.say(
			...random.pick([
				[0x81, type],
				[0x81, type, type],
				[0x81, type, 0x81, type],
			]),
		);
	await over.promise;
	await until(() => expect(note.place).not.toBe('escrow'));
}

/**
 * Checks that every stacked note is in the journal exactly once, as credited or in doubt, and that
 * each note in the journal has an invoice and an outcome.
 */
async function accounted(at: Incident): Promise<void> {
	await until(async () => {
		expect((await at.kiosk.health()).outbox.count).toBe(0);
		expect(at.ledger().filter((row) => row.state === 'intended')).toEqual([]);
	});
	const ledger = at.ledger();
	expect(noteByNote(at.acceptor, ledger, at.kiosk)).toEqual([]);
	expect(at.acceptor.violations).toEqual([]);
	expect(ledger.filter((row) => row.payment_id === null)).toEqual([]);
	const inCashbox = new Set(at.acceptor.notes.filter((note) => note.place === 'cashbox').map((note) => note.noteId));
	const doubtful = ledger.filter((row) => row.state === 'in_doubt' && inCashbox.has(row.note_id));
	const sum = (nominals: readonly (number | null)[]): number => nominals.reduce<number>((total, nominal) => total + (nominal ?? 0), 0);
	expect(sum(at.booked()) + sum(doubtful.map((row) => row.nominal))).toBe(sum(at.acceptor.cashbox));
	expect(at.acceptor.cashbox.length).toBeGreaterThan(3);
}

const SEEDS: Readonly<Record<Transport, number>> = { tcp: 101, pty: 202 };

/**
 * Plays customers, noise, repeats, restarts, kills and unplugged cables for 25 s, including the
 * waits after notes in doubt, and then checks the books. The kiosk does not accept notes of Rp
 * 1.000.
 */
export async function workingDay(at: Incident): Promise<void> {
	const random = randomFrom(SEEDS[at.transport]);
	const end = performance.now() + BUSY_MS;
	while (performance.now() < end) await customer(at, random);
	await accounted(at);
}
