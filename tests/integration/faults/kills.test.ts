// @module-tag deep
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Invoice } from '../../simulators/back-office/invoice.ts';
import { type Edc, startEdc } from '../../simulators/edc/start.ts';
import { type Cable, plugCable } from '../../support/cable.ts';
import { spawnDaemon } from '../../support/daemon.ts';
import { stateBeside } from '../../support/journal-file.ts';
import { type Kiosk, NOTES, type Screen, startKiosk } from '../../support/kiosk.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { until } from '../../support/until.ts';

/** Minimum number of customers. Each visit ends with a kill; the seed determines the sequence. */
const CUSTOMERS = 14;
/**
 * The test continues until customers have paid with this many notes and cards, but ends after
 * `MOST_CUSTOMERS` customers.
 */
const PAID = { notes: 3, cards: 2 };
const MOST_CUSTOMERS = 42;
const SEED = Number(process.env.KIOSK_KILL_SEED ?? 20_261_121);
/**
 * Longest time before a kill, for the first `CUSTOMERS` customers. It is longer than an echo test
 * and a payment, so that the kill can hit any step.
 */
const LONGEST_MS = 4_000;
const NOMINALS = [5_000, 10_000, 20_000, 50_000, 100_000] as const;

let cables: Cable[];
let edc: Edc;
let kiosk: Kiosk;
beforeEach(async () => {
	const [cash, card] = await Promise.all([plugCable(), plugCable()]);
	cables = [cash, card];
	edc = await startEdc({ serial: { path: card.device }, timing: { ackMs: 60, customerMs: 100 } });
	kiosk = await startKiosk({
		acceptor: { serialPath: cash.device, timing: { startMs: 20, resetMs: 50, recogniseMs: 60, stackMs: 150, returnMs: 40 } },
		acceptorSection: () => `[acceptor]\nport = "${cash.host}"\n${NOTES}`,
		settings: `[edc]\nport = "${card.host}"\nack_ms = 1000\nanswer_ms = 3000\n`,
		environment: stateBeside,
		movableClock: true,
	});
});
afterEach(async () => {
	await kiosk.stop();
	await edc.stop();
	await Promise.all(cables.map((cable) => cable.stop()));
});

/** @returns the settings and folders of this kiosk */
function own() {
	const whole = readFileSync(join(kiosk.directory, 'kiosk.toml'), 'utf8');
	return {
		settings: whole.slice(whole.indexOf('[back_office]')),
		directory: kiosk.directory,
		environment: { STATE_DIRECTORY: join(kiosk.directory, 'state') },
	};
}

function rows(sql: string): Record<string, unknown>[] {
	const db = new DatabaseSync(join(kiosk.directory, 'journal', 'journal.sqlite'), { readOnly: true });
	try {
		return db.prepare(sql).all();
	} finally {
		db.close();
	}
}

/**
 * Repeats `act` until `over` returns true. Ignores failures of `act`, because the daemon may be
 * down.
 */
async function meanwhile(over: () => boolean, act: () => Promise<unknown> | unknown): Promise<void> {
	while (!over()) {
		await Promise.resolve()
			.then(act)
			.catch(() => {});
		await pause(20);
	}
}

/** Plays a customer until `over` returns true. */
type Customer = (invoice: Invoice, over: () => boolean, random: Random) => Promise<void>;

const paysCash: Customer = async (invoice, over, random) => {
	const { id, odoo_id, noinvoice, total, hp } = invoice;
	await kiosk.call('/payment/api/v1/open-machine/', { id, odoo_id, noinvoice, total, hp });
	await meanwhile(over, () => kiosk.acceptor.device.insert({ nominal: random.pick(NOMINALS) }));
};

const paysByCard: Customer = async (invoice, over) => {
	const screen: Screen = await kiosk.screen();
	const { id, odoo_id, noinvoice, total } = invoice;
	screen.send({
		message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data: { amount: total, id, odoo_id, noinvoice } },
	});
	const respCode = total % 5_000 === 0 ? '51' : '00';
	await meanwhile(over, () => edc.terminal.tap({ respCode }));
};

/**
 * Plays a customer and kills the daemon meanwhile. Each customer has a different amount, so that
 * each charge identifies its invoice. The longest time before the kill doubles after every
 * `CUSTOMERS` customers, because a payment takes longer on a slow computer.
 */
async function customerAndKill(number: number, random: Random): Promise<void> {
	const longestMs = LONGEST_MS * 2 ** Math.floor((number - 1) / CUSTOMERS);
	const invoice = kiosk.backOffice.books.addInvoice('0899', 100_000 + number * 1_000, new Date());
	await kiosk.lookUp(invoice.noinvoice);
	// Skips the wait after a note in doubt of the previous customer.
	await kiosk.afterDoubt();
	let over = false;
	// Alternates the methods, so that cards are charged even on a slow computer.
	const customer = number % 2 === 0 ? paysCash : paysByCard;
	const paying = customer(invoice, () => over, random).catch(() => {});
	if (random.chance(1 / 2)) {
		await pause(random.int(0, longestMs / 2 - 1));
		await kiosk.backOffice.setNetwork(random.pick([{ up: false }, { mode: 'lost_answer', path: 'payment-cash' }]));
	}
	await pause(random.int(0, longestMs - 1));
	await kiosk.crash();
	over = true;
	await paying;
	if (random.chance(1 / 2)) await kiosk.backOffice.setNetwork({ up: true, mode: 'normal', path: '' });
}

/**
 * Declines the sale that waits at the terminal, if any. Then staff settle every unknown sale
 * according to the charges of the bank.
 */
async function staffSettle(): Promise<void> {
	await until(() => {
		edc.terminal.tap({ respCode: '51' });
		expect(edc.terminal.waiting).toBeNull();
	});
	await until(async () =>
		expect((await kiosk.health()).card.unknown).toHaveLength(rows(`SELECT 1 FROM card_sales WHERE state = 'unknown'`).length),
	);
	for (const { attempt_id, amount } of (await kiosk.health()).card.unknown) {
		const outcome = charged().includes(amount) ? 'charged' : 'not-charged';
		const settled = await kiosk.ctl('edc', 'settle', attempt_id, '--outcome', outcome, '--by', 'Sari', '--why', 'the terminal’s slip');
		expect(settled.code, settled.out).toBe(0);
	}
}

const charged = (): number[] => edc.terminal.bank.transactions.map(({ amount }) => amount);
const sorted = (values: readonly unknown[]): number[] => values.map(Number).sort((a, b) => a - b);
/**
 * Checks that `whole` contains every value of `part`.
 * @returns the remaining values of `whole`
 */
function without(whole: readonly number[], part: readonly number[]): number[] {
	const left = [...whole];
	for (const value of part) {
		const at = left.indexOf(value);
		expect(at, `${value} of ${part} in ${whole}`).toBeGreaterThanOrEqual(0);
		left.splice(at, 1);
	}
	return left;
}

test(`after kill -9 at random moments of payments, with and without network (seed ${SEED}), the journal matches cashbox and bank`, async () => {
	const random = randomFrom(SEED);
	const paidEnough = () => kiosk.acceptor.device.stacked.length >= PAID.notes && charged().length >= PAID.cards;
	for (let number = 1; number <= CUSTOMERS || (!paidEnough() && number <= MOST_CUSTOMERS); number += 1) {
		await kiosk.backOffice.setNetwork({ up: true, mode: 'normal', path: '' });
		await customerAndKill(number, random);
		await staffSettle();
		// The journal contains exactly the charges of the bank.
		expect(sorted(rows(`SELECT amount FROM card_sales WHERE state = 'approved'`).map(({ amount }) => amount))).toEqual(sorted(charged()));
	}
	await kiosk.backOffice.setNetwork({ up: true, mode: 'normal', path: '' });
	await until(async () => {
		expect(kiosk.acceptor.device.note).toBeNull();
		const { outbox, card } = await kiosk.health();
		expect({ waiting: outbox.count, approvals: card.approvals_waiting }).toEqual({ waiting: 0, approvals: 0 });
	});
	const notes = rows('SELECT note_id, nominal, state FROM notes');
	const nominalsOf = (state: string) => sorted(notes.filter((note) => note.state === state).map(({ nominal }) => nominal));
	const stacked = kiosk.acceptor.device.stacked.map(({ nominal }) => nominal);
	expect(nominalsOf('intended')).toEqual([]);
	// Every credited note is in the cashbox; every other note in the cashbox is in doubt.
	without(nominalsOf('in_doubt'), without(stacked, nominalsOf('credited')));
	const { books } = kiosk.backOffice;
	expect(sorted(books.notes.map(({ nominal }) => nominal))).toEqual(nominalsOf('credited'));
	expect(new Set(books.notes.map(({ note_id }) => note_id)).size).toBe(books.notes.length);
	expect(sorted(books.approvals.map(({ success }) => (success as { amount: unknown }).amount))).toEqual(sorted(charged()));
	expect(new Set(charged()).size).toBe(charged().length);
	expect((await kiosk.health()).card.twice).toEqual([]);
	expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
	expect(paidEnough(), `${stacked.length} notes and ${charged().length} cards were paid`).toBe(true);
}, 600_000);

test('after power cuts during starts, even during the first, the kiosk starts again without loss', async () => {
	const random = randomFrom(SEED);
	const port = Number(new URL(kiosk.daemon.url).port);
	const options = {
		settings: '',
		directory: join(kiosk.directory, 'new'),
		port,
		environment: { STATE_DIRECTORY: join(kiosk.directory, 'new') },
	};
	mkdirSync(options.directory);
	await kiosk.daemon.kill();
	for (let cut = 0; cut < 6; cut += 1) {
		const starting = spawnDaemon(options);
		await pause(100 + random.int(0, 899));
		await starting.kill();
	}
	const fresh = spawnDaemon(options);
	await until(() => expect(fresh.events('daemon.started')).toHaveLength(1));
	expect(fresh.events('journal.unhealthy')).toEqual([]);
	await fresh.stop();
	await kiosk.crash();

	const invoice = kiosk.backOffice.books.addInvoice('0899', 500_000, new Date());
	await kiosk.openCash(invoice.noinvoice);
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 20_000 })).toMatchObject({ taken: true }));
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(1));
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true }));
	await kiosk.crashWhileStacking(async () => {
		for (let cut = 0; cut < 3; cut += 1) {
			const starting = spawnDaemon({ ...own(), port });
			await pause(150 + random.int(0, 699));
			await starting.kill();
		}
	});
	const health = await kiosk.health();
	expect(health.in_doubt).toMatchObject([{ nominal: 50_000 }]);
	expect(rows(`SELECT count(*) AS n FROM records WHERE kind = 'cash_in_doubt'`)).toEqual([{ n: 1 }]);
	expect(kiosk.backOffice.books.notes).toMatchObject([{ nominal: 20_000, repeats: 0 }]);
	await kiosk.afterDoubt();
	await kiosk.openCash(invoice.noinvoice);
	expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
});
