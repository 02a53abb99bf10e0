import type { Invoice as LookedUpInvoice } from '@kiosk/contract/back-office';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import { payElsewhere } from './sim-adversary.ts';
import { isToldPaid, largestWithin } from './sim-customer.ts';
import { closeCash, lookUp, openCash, printReceipt, startCard } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';

/** Time that the customer waits for each step of the kiosk, ms. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 50;

/** Thrown when the process that served the customer died. */
export class Interrupted extends Error {}

/** One payment by a customer, with the result that is expected if nothing disturbs the payment. */
export interface Journey {
	/** Prepares the world before the customer arrives. */
	prepare?: (world: SimKiosk) => void;
	/** Throws `Interrupted` if the kiosk dies during the payment. */
	pay: (world: SimKiosk, invoice: Invoice) => Promise<void>;
	/** What the customer does after the interruption. Missing if the customer does not return. */
	again?: (world: SimKiosk, invoice: Invoice) => Promise<void>;
	/** @returns the results that are missing, compared with an undisturbed journey */
	missing: (world: SimKiosk, invoice: Invoice) => string[];
}

/**
 * Runs the world until the condition holds.
 * @returns whether the condition held within the time limit
 */
async function runUntil(world: SimKiosk, holds: () => boolean, patienceMs = PATIENCE_MS): Promise<boolean> {
	const { starts } = world;
	for (const end = world.clock.now() + patienceMs; world.clock.now() < end; ) {
		if (world.kiosk === null || world.starts !== starts) throw new Interrupted();
		if (holds()) return true;
		await world.run(LOOK_MS);
	}
	return false;
}

const running = (world: SimKiosk) => {
	if (world.kiosk === null) throw new Interrupted();
	return world.kiosk;
};

async function look(world: SimKiosk, invoice: Invoice): Promise<LookedUpInvoice | null> {
	const { starts } = world;
	const detail = await lookUp(world, invoice);
	if (world.kiosk === null || world.starts !== starts) throw new Interrupted();
	return detail;
}

/**
 * Opens the acceptor for the invoice.
 * @returns whether the acceptor takes notes now or soon; false if the kiosk refuses or the invoice
 * is paid
 */
async function openMachine(world: SimKiosk, invoice: Invoice): Promise<boolean> {
	const { starts } = world;
	running(world);
	const opened = await openCash(world, invoice);
	if (world.kiosk === null || world.starts !== starts) throw new Interrupted();
	return opened !== null && !opened.is_paid;
}

const takesNotes = (world: SimKiosk): boolean =>
	world.acceptor.note === null && world.screen.heard.findLast((text) => text.type === 'machine_ready')?.is_ready === true;

async function feed(world: SimKiosk, nominal: number, fast: boolean): Promise<boolean> {
	// A hasty customer inserts the next note before the screen shows "Ready".
	if (!(await runUntil(world, () => (fast ? world.acceptor.note === null : takesNotes(world))))) return false;
	world.feed({ nominal }, world.opener?.invoice ?? null);
	await runUntil(world, () => world.acceptor.note === null);
	return true;
}

async function close(world: SimKiosk, invoice: Invoice): Promise<void> {
	const { starts } = world;
	running(world);
	await closeCash(world, invoice.id);
	if (world.kiosk === null || world.starts !== starts) throw new Interrupted();
}

const cash =
	(nominals: readonly number[], fast = false): Journey['pay'] =>
	async (world, invoice) => {
		await look(world, invoice);
		if (!(await openMachine(world, invoice))) return;
		for (const [at, nominal] of nominals.entries()) if (!(await feed(world, nominal, fast && at > 0))) break;
		const enough = nominals.reduce((sum, nominal) => sum + nominal, 0) >= invoice.total;
		if (enough) await runUntil(world, () => isToldPaid(world, invoice));
		await close(world, invoice);
	};

/** Inserts up to six more notes, never more than the amount due. */
const cashAgain: Journey['pay'] = async (world, invoice) => {
	if ((await look(world, invoice))?.is_paid) return;
	if (!(await openMachine(world, invoice))) return;
	for (let tries = 0; tries < 6; tries += 1) {
		const nominal = largestWithin(invoice.total - creditedFor(world, invoice));
		if (nominal === null || !(await feed(world, nominal, false))) break;
		await runUntil(world, () => takesNotes(world) || isToldPaid(world, invoice), 8_000);
	}
	await close(world, invoice);
};

const card =
	(respCode: string | null): Journey['pay'] =>
	async (world, invoice) => {
		const detail = await look(world, invoice);
		if (detail === null || detail.is_paid) return;
		running(world);
		await runUntil(world, () => world.screen.heard.findLast((text) => text.type === 'kiosk_edc')?.state === 'ready');
		const from = world.screen.heard.length;
		startCard(world, detail);
		const ended = () => world.screen.heard.slice(from).some((text) => text.type === 'payment_edc_bca_notification');
		if (!(await runUntil(world, () => world.terminal.waiting !== null || ended()))) return;
		if (respCode !== null) world.terminal.tap({ respCode });
		else world.terminal.switchOff(true);
		await runUntil(world, ended, 200_000);
	};

const paysThere =
	(method: 'qris' | 'va'): Journey['pay'] =>
	async (world, invoice) => {
		await look(world, invoice);
		// The acceptor is opened first to test that an open acceptor does not prevent a payment by QRIS
		// or VA.
		if (!(await openMachine(world, invoice))) return;
		payElsewhere(world, invoice, method);
		await runUntil(world, () => isToldPaid(world, invoice), 5_000);
		await close(world, invoice);
	};

const cashThenPrint: Journey['pay'] = async (world, invoice) => {
	await cash(EXACT)(world, invoice);
	world.printer.paper = false;
	const ended = () => world.screen.heard.some((text) => text.type === 'kiosk_print' && text.state !== 'printing');
	printReceipt(world, invoice);
	await runUntil(world, ended, 70_000);
	world.printer.paper = true;
	world.screen.heard = [];
	printReceipt(world, invoice);
	await runUntil(world, ended);
};

/** A returning customer asks for the receipt of a paid invoice. */
const printAgain: Journey['pay'] = async (world, invoice) => {
	world.printer.paper = true;
	if ((await look(world, invoice))?.is_paid) {
		printReceipt(world, invoice);
		await runUntil(world, () => world.screen.heard.some((text) => text.type === 'kiosk_print' && text.state !== 'printing'));
	}
};

/** @returns the amount that the journal has credited for this invoice, rupiah */
export const creditedFor = (world: SimKiosk, { noinvoice }: Pick<Invoice, 'noinvoice'>): number =>
	Number(world.rows(`SELECT coalesce(sum(nominal), 0) AS sum FROM notes WHERE noinvoice = ? AND state = 'credited'`, noinvoice)[0]?.sum);

const booked = (amount: number, paid: boolean) => (world: SimKiosk, invoice: Invoice) => [
	...(creditedFor(world, invoice) === amount ? [] : [`${creditedFor(world, invoice)} is credited instead of ${amount}`]),
	...(invoice.is_paid === paid ? [] : [`the server says ${invoice.is_paid ? 'paid' : 'not paid'}`]),
];

const sold = (state: string, paid: boolean) => (world: SimKiosk, invoice: Invoice) => {
	const states = world.rows('SELECT state FROM card_sales').map((sale) => sale.state);
	return [
		...(states.length === 1 && states[0] === state ? [] : [`the sales are ${states.join()} instead of ${state}`]),
		...(invoice.is_paid === paid ? [] : [`the server says ${invoice.is_paid ? 'paid' : 'not paid'}`]),
	];
};

/** Notes for the exact `TOTAL`. */
const EXACT = [100_000, 20_000, 10_000, 5_000, 2_000];
const OVER = [100_000, 50_000];

/** Total of each journey's invoice, rupiah. */
export const TOTAL = 137_000;
export const JOURNEYS: Readonly<Record<string, Journey>> = {
	'cash, exact': { pay: cash(EXACT), again: cashAgain, missing: booked(TOTAL, true) },
	'cash, more than the total': { pay: cash(OVER), again: cashAgain, missing: booked(150_000, true) },
	'cash, less, then abandoned': { pay: cash([50_000]), missing: booked(50_000, false) },
	'cash, two notes fast': { pay: cash(OVER, true), again: cashAgain, missing: booked(150_000, true) },
	'cash, offline': {
		pay: async (world, invoice) => {
			await look(world, invoice);
			world.office.network = 'down';
			await cash(OVER)(world, invoice);
		},
		missing: booked(150_000, true),
	},
	'card, approved': { pay: card('00'), again: card('00'), missing: sold('approved', true) },
	'card, approved, its answer in pieces': {
		prepare: (world) => world.terminal.setMode('split'),
		pay: card('00'),
		again: cashAgain,
		missing: sold('approved', true),
	},
	'card, declined': { pay: card('51'), missing: sold('declined', false) },
	'card, declined, then cash': {
		pay: async (world, invoice) => {
			await card('51')(world, invoice);
			await cash(OVER)(world, invoice);
		},
		again: cashAgain,
		missing: (world, invoice) => [...sold('declined', true)(world, invoice), ...booked(150_000, true)(world, invoice)],
	},
	'card, charged without an answer': { pay: card(null), again: cashAgain, missing: sold('unknown', false) },
	'QRIS, paid on the phone': { pay: paysThere('qris'), missing: booked(0, true) },
	'virtual account, paid on the phone': { pay: paysThere('va'), missing: booked(0, true) },
	'print failed': { pay: cashThenPrint, again: printAgain, missing: booked(TOTAL, true) },
};
