/** Makes back office, people and pages misbehave, by everyday mistakes or by attacks. */
import { type Invoice, type ReceivedPayment, receivedFor } from '../simulators/back-office/invoice.ts';
import type { Random } from '../support/random.ts';
import { visit } from './sim-customer.ts';
import {
	CASH_PAGE,
	closeCash,
	drawn,
	during,
	giveBack,
	keyOf,
	logIn,
	logOut,
	lookUp,
	openCash,
	printReceipt,
	startCard,
} from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import type { SimOutlet } from './sim-outlet.ts';
import { newestSale, settleSales, voidNewest } from './sim-staff.ts';

const REFUSALS = [404, 409, 422] as const;
/**
 * Wait for a void that is not answered, ms: longer than the kiosk waits for the terminal's answer.
 */
const UNANSWERED_MS = 150_000;

/** The customer uses a phone to pay the whole amount due. */
export function payElsewhere(world: SimKiosk, invoice: Invoice, method: 'qris' | 'va'): void {
	const due = invoice.total - receivedFor(invoice);
	// After a reversal, the kept list may still cover the total, so nothing is due.
	if (due > 0 && world.office.outletOf(invoice).books.pay(invoice, method)) world.truth.paidElsewhere(invoice, due);
}

/**
 * The customer pays all or a part at the counter, and the cashier enters the payment into the
 * server's list.
 * @returns the entry in the list
 */
export function payAtCounter(world: SimKiosk, invoice: Invoice, amount: number): ReceivedPayment {
	const { books } = world.office.outletOf(invoice);
	const payment = { nominal: amount, tanggal: world.clock.wall().toISOString() };
	world.truth.paidElsewhere(invoice, amount);
	invoice.list_pembayaran.push(payment);
	if (receivedFor(invoice) >= invoice.total) books.pay(invoice, 'cash');
	else books.touch(invoice);
	return payment;
}

/**
 * Changes the total. Afterwards the invoice is paid if its list covers the new total, or if it was
 * paid and has not grown.
 */
export function changeTotal(world: SimKiosk, invoice: Invoice, total: number): void {
	const { books } = world.office.outletOf(invoice);
	// The server may count a payment that its list lacks, so a paid invoice that does not grow stays
	// paid.
	const staysPaid = invoice.is_paid && total <= invoice.total;
	invoice.total = total;
	world.truth.changedAt.set(invoice, world.clock.now());
	if (receivedFor(invoice) < total && !staysPaid) invoice.is_paid = false;
	else books.pay(invoice, 'cash');
	books.touch(invoice);
}

/** The cashier withdraws a payment made at the counter, for example of another invoice. */
export function withdrawAtCounter(world: SimKiosk, invoice: Invoice, payment: ReceivedPayment): void {
	if (invoice.is_paid || !invoice.list_pembayaran.includes(payment)) return;
	invoice.list_pembayaran = invoice.list_pembayaran.filter((entry) => entry !== payment);
	// A reversal, after which the server may keep its list, has already removed the payment.
	world.truth.paidElsewhere(invoice, -Math.min(payment.nominal, world.truth.elsewhere(invoice)));
	world.truth.changedAt.set(invoice, world.clock.now());
	world.office.outletOf(invoice).books.touch(invoice);
}

/**
 * The cashier reverses the payment.
 * @param list whether the server keeps the payments in its list or empties the list
 */
export function reverse(world: SimKiosk, invoice: Invoice, list: 'kept' | 'emptied'): void {
	invoice.is_paid = false;
	if (list === 'emptied') invoice.list_pembayaran = [];
	world.truth.reversed(invoice);
	world.truth.changedAt.set(invoice, world.clock.now());
	world.office.outletOf(invoice).books.touch(invoice);
}

/**
 * Staff void the newest card sale, which the server keeps in its list. Then the invoice grows, and
 * the customer pays the difference at the counter.
 * @param how.renumbered whether the invoice gets another number, too
 * @param how.answered whether the terminal answers the void; if not, staff settle the sale as the
 * terminal's slips show
 */
export async function restIsPaidAfterVoid(world: SimKiosk, how: { renumbered: boolean; answered: boolean }): Promise<void> {
	const sale = newestSale(world);
	const invoice = sale?.payment && world.invoiceOf(sale.payment);
	if (!invoice || !world.office.books.invoices.includes(invoice)) return;
	await lookUp(world, invoice);
	if (!how.answered) world.terminal.setMode('silent_after_ack');
	await voidNewest(world);
	world.terminal.setMode('normal');
	await world.run(how.answered ? 30_000 : UNANSWERED_MS);
	if (!how.answered) await settleSales(world);
	// The oracle finds notes and double payments by invoice number, so an invoice keeps its number if
	// it has received any money other than card sales.
	if (how.renumbered && world.truth.cash(invoice) + world.truth.elsewhere(invoice) === 0) invoice.noinvoice = `${invoice.noinvoice}-R`;
	changeTotal(world, invoice, receivedFor(invoice) + 50_000);
	await lookUp(world, invoice);
	await world.run(15_000);
	payAtCounter(world, invoice, 50_000);
	await lookUp(world, invoice);
	printReceipt(world, invoice);
	await world.run(15_000);
	await lookUp(world, invoice);
}

/**
 * A page asks for a card sale of a paid invoice. Then the invoice grows, the customer looks the
 * invoice up, and the server repeats its old message "paid".
 */
export async function paidInvoiceGrows(world: SimKiosk): Promise<void> {
	const invoice = world.office.books.invoices.find(({ is_paid }) => is_paid);
	if (!invoice) return;
	const detail = await lookUp(world, invoice);
	if (detail?.is_paid) startCard(world, detail);
	await world.run(3_000);
	changeTotal(world, invoice, invoice.total + 50_000);
	await lookUp(world, invoice);
	world.office.sayPaidNow(invoice);
	await world.run(2_000);
	printReceipt(world, invoice);
	await world.run(15_000);
}

/**
 * While a note is on its way, the customer opens the cash page of another invoice and leaves it at
 * once. Then a passer-by inserts a note at the home screen.
 */
export async function openOtherPageAndLeave(world: SimKiosk, random: Random): Promise<void> {
	const [first, second] = [137_000, 138_000].map((total) => world.office.books.addInvoice('081255550001', total, world.clock.wall()));
	const other = second && (await lookUp(world, second));
	const detail = first && (await lookUp(world, first));
	if (!other || !detail) return;
	await openCash(world, detail);
	await world.run(1_000);
	world.feed({ nominal: 50_000 }, first);
	await world.run(random.int(0, 3_000));
	await Promise.all([openCash(world, other), closeCash(world, other.id)]);
	await world.run(3_000);
	world.feed({ nominal: 20_000 }, null);
	await world.run(20_000);
}

/**
 * A customer pays a part in cash. Then the server gives the invoice another number and loses the
 * payment. Checks I28: the kiosk does not ask for that part again.
 */
export async function losesMoneyWithNumber(world: SimKiosk, random: Random): Promise<void> {
	const { books } = world.office.at;
	const invoice = books.addInvoice('081255550002', 137_000, world.clock.wall());
	await visit(world, random, 'cash_then_leave', invoice);
	await world.run(30_000);
	const { noinvoice, list_pembayaran } = invoice;
	if (world.truth.cash(invoice) === 0) return;
	Object.assign(invoice, { noinvoice: `${noinvoice}-R`, list_pembayaran: [] });
	books.touch(invoice);
	await lookUp(world, invoice);
	const balance = world.kiosk?.invoices.balanceOf(keyOf(world, invoice));
	const rest = Math.max(0, invoice.total - world.truth.cash(invoice));
	if (balance && balance.state !== 'dispute' && balance.due > rest)
		world.violated(`I28: Rp ${balance.due} of ${invoice.noinvoice} is due, without its earlier cash`);
	Object.assign(invoice, { noinvoice, list_pembayaran });
	books.touch(invoice);
	await lookUp(world, invoice);
}

/** The server deletes the invoice and reuses its id. @returns the new invoice */
export function reuseId(world: SimKiosk, invoice: Invoice, total: number): Invoice {
	const outlet = world.office.outletOf(invoice);
	outlet.delete(invoice);
	const other = outlet.books.addInvoice('081255550000', total, world.clock.wall());
	other.id = invoice.id;
	// A server may reuse an id, but never together with its invoice number.
	other.noinvoice = `${invoice.noinvoice}-B`;
	return other;
}

/**
 * Staff log in at another outlet. If the outlet belongs to another server, staff change the
 * settings and restart the kiosk.
 */
export async function moveTo(world: SimKiosk, outlet: SimOutlet): Promise<void> {
	await untilItRuns(world);
	logOut(world);
	await world.run(200);
	if (outlet.server !== world.server) {
		const { kiosk } = world;
		world.server = outlet.server;
		// The process must end as soon as its journal closes; otherwise a page could still get an
		// answer from it.
		const die = () => world.die('stopped, the settings name another server');
		if (kiosk !== null) await during(world, kiosk.stop().then(die));
		else die();
		await world.run(2_000);
		world.boot();
		await world.run(2_000);
	}
	await untilItRuns(world);
	logIn(world, outlet);
	await world.run(500);
}

/** Waits, as staff do, until the kiosk has restarted. */
async function untilItRuns(world: SimKiosk): Promise<void> {
	for (let waited = 0; waited < 100_000 && world.kiosk === null; waited += 100) await world.run(100);
}

/**
 * For a while a second browser reports its page every five seconds. In half of the cases the first
 * browser hangs meanwhile.
 */
function secondScreen(world: SimKiosk, random: Random): void {
	const route = random.pick(['/', CASH_PAGE]);
	const visit = route === '/' ? null : (world.screen.visit ?? 1);
	if (random.chance(0.5)) world.screen.drawing = false;
	const beat = (left: number): void => {
		if (left === 0) world.screen.drawing = true;
		if (left === 0 || world.healed) return;
		if (world.kiosk !== null) drawn(world, { session: 'another browser', route, visit });
		world.clock.after(5_000, () => beat(left - 1));
	};
	beat(random.int(2, 30));
}

function someInvoice(world: SimKiosk, random: Random): Invoice | null {
	const { invoices } = world.office.books;
	const concerned = invoices.filter((invoice) => world.truth.statements(invoice).length > 0);
	if (invoices.length === 0) return null;
	return random.pick(concerned.length > 0 && random.chance(0.85) ? concerned : invoices);
}

/**
 * The terminal declines a card sale, then charges the card and sends the approval while the
 * customer already pays the invoice in cash. An approval that cannot reach the kiosk is left out,
 * because only the bank would know of the charge.
 */
export async function payCashAfterDecline(world: SimKiosk, random: Random, invoice: Invoice): Promise<void> {
	await visit(world, random, 'card_declined_once', invoice);
	world.clock.after(random.int(1_000, 40_000), () => {
		// The terminal has got no request of this sale if its line was lost.
		if (world.cardFor !== invoice || !world.edcLine.isHeard || world.terminal.mode !== 'normal' || world.healed) return;
		// The approval would count for an earlier sale of this amount that got no answer. Only the
		// slip's time shows to staff that it belongs to the declined sale; simulated staff compare no
		// times.
		if (world.rows(`SELECT 1 FROM card_sales WHERE amount = ${invoice.total} AND response IS NULL`).length > 0) return;
		world.approvedAfterAllAt = world.clock.now();
		world.terminal.approveAfterAll();
	});
	await visit(world, random, 'cash_exact', invoice);
	await world.run(random.int(2_000, 30_000));
}

type Act = (world: SimKiosk, random: Random) => void;
const withInvoice =
	(act: (world: SimKiosk, random: Random, invoice: Invoice) => void): Act =>
	(world, random) => {
		const invoice = someInvoice(world, random);
		if (invoice !== null) act(world, random, invoice);
	};

/** The cashier enters a part payment at the counter and withdraws it within a minute. */
export const payAndWithdraw = withInvoice((world, random, invoice) => {
	const due = invoice.total - receivedFor(invoice);
	if (invoice.is_paid || due <= 1_000) return;
	const payment = payAtCounter(world, invoice, Math.min(due - 1_000, random.pick([20_000, 50_000, 100_000])));
	world.clock.after(random.int(1_000, 60_000), () => {
		if (!world.healed) withdrawAtCounter(world, invoice, payment);
	});
});

/** Misbehaviour that happens at random moments, in addition to faults. */
export const ADVERSITIES: Readonly<Record<string, Act>> = {
	grows: withInvoice((world, random, invoice) => changeTotal(world, invoice, invoice.total + random.pick([500, 50_000, 200_000]))),
	shrinks: withInvoice((world, random, invoice) =>
		changeTotal(world, invoice, Math.max(1_000, invoice.total - random.pick([500, 50_000]))),
	),
	paid_on_a_phone: withInvoice((world, random, invoice) => payElsewhere(world, invoice, random.pick(['qris', 'va']))),
	paid_at_the_counter: withInvoice((world, random, invoice) => {
		if (invoice.is_paid) return;
		const due = Math.max(0, invoice.total - receivedFor(invoice));
		const amount = random.chance(0.5) ? due : Math.min(due, random.pick([20_000, 50_000, 100_000]));
		if (amount > 0) payAtCounter(world, invoice, amount);
	}),
	reversed: withInvoice((world, random, invoice) => {
		if (invoice.is_paid) reverse(world, invoice, random.pick(['kept', 'emptied']));
	}),
	deleted: withInvoice((world, random, invoice) => {
		if (random.chance(0.3)) world.office.outletOf(invoice).delete(invoice);
		else reuseId(world, invoice, random.pick([50_000, 137_000, 500_000]));
	}),
	refuses_a_note: (world, random) => {
		world.office.at.refuseNext = random.pick(REFUSALS);
	},
	forgets: (world, random) => world.office.at.forget(random.int(1, 3)),
	odd_answers: (world, random) => {
		world.office.odd = random.pick([0.2, 0.6, 1]);
		world.clock.after(random.int(5_000, 60_000), () => {
			world.office.odd = 0;
		});
	},
	/** The server announces a payment up to 5 s before it books the payment. */
	paid_before_its_cause: withInvoice((world, random, invoice) => {
		const due = invoice.total - receivedFor(invoice);
		if (invoice.is_paid || due <= 0) return;
		world.truth.paidElsewhere(invoice, due);
		world.office.sayPaidNow(invoice);
		world.clock.after(random.int(500, 5_000), () => void world.office.outletOf(invoice).books.pay(invoice, 'qris'));
	}),
	/**
	 * The server repeats its message "paid". This message may be outdated: the invoice may have
	 * grown, or its payment may have been reversed.
	 */
	said_again: withInvoice((world, _random, invoice) => {
		if (invoice.is_paid || world.truth.statements(invoice).some(({ paid }) => paid)) world.office.sayPaidNow(invoice);
	}),
	second_screen: secondScreen,
	page_goes_home: (world) => {
		world.screen.route = '/';
		world.screen.visit = null;
		world.browser.report();
	},
	page_says_less: (world, random) => {
		world.screen.says = random.pick([1_000, 20_000, 50_000]);
	},
	page_prints: withInvoice((world, _random, invoice) => printReceipt(world, invoice)),
	/**
	 * Staff give back the money that the kiosk holds for an invoice. Sometimes a second person tries
	 * to give the same money back.
	 */
	gives_back: (world, random) => {
		const given = world.office.everyInvoice().find((invoice) => giveBack(world, invoice) > 0);
		if (given !== undefined && random.chance(0.3)) giveBack(world, given);
	},
	logs_in_elsewhere: (world, random) => {
		const { outlets, at } = world.office;
		const others = outlets.filter((outlet) => outlet !== at && outlet.server === world.server);
		if (world.kiosk === null || others.length === 0) return;
		logOut(world);
		// Without a token, the process has died during the log-out.
		if (world.token !== null) logIn(world, random.pick(others));
	},
};

/**
 * Chooses for each server how it books and reports payments.
 * @param listsCards whether the servers list card sales
 */
export function chooseManners(world: SimKiosk, random: Random, listsCards: boolean): void {
	for (const { books } of world.office.outlets) {
		books.manners.echoesNoteId = random.chance(0.5);
		books.manners.lumps = random.chance(0.2);
		books.manners.listsAfterMs = random.chance(0.2) ? random.int(1_000, 60_000) : 0;
		books.manners.listsOthers = random.chance(0.5);
		books.manners.listsCards = listsCards;
	}
	if (random.chance(0.05)) world.office.at.withoutNotes = random.pick([404, 405]);
}
