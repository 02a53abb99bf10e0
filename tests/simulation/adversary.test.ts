/** Faults and attacks by back office, pages and people: one journey for each known money bug. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Invoice } from '../simulators/back-office/invoice.ts';
import { checkBooks } from './invariants.ts';
import { changeTotal, moveTo, payAtCounter, payElsewhere, reuseId, reverse } from './sim-adversary.ts';
import { CASH_PAGE, closeCash, drawn, giveBack, leavePage, logIn, logOut, lookUp, openCash, printReceipt, startCard } from './sim-desk.ts';
import { SimKiosk } from './sim-kiosk.ts';
import { checkDoublesListed } from './sim-oracle.ts';
import type { SimOutlet } from './sim-outlet.ts';
import { enterByHand } from './sim-parked.ts';

const HP = '081299990000';

let world: SimKiosk;
beforeEach(async () => {
	world = new SimKiosk(1);
	world.adverse = true;
	world.boot();
	await world.run(4_000);
});
afterEach(() => world.end());

const outlet = (at: number): SimOutlet => world.office.outlets[at] ?? expect.fail(`there is no outlet ${at}`);
const newInvoice = (total: number, of = world.office.at): Invoice => of.books.addInvoice(HP, total, world.clock.wall());
const sound = () => expect(world.violations.map(({ what }) => what)).toEqual([]);

/** Looks the invoice up and opens its cash page. */
async function opens(invoice: Invoice): Promise<{ ready: boolean; is_paid: boolean } | null> {
	const detail = await lookUp(world, invoice);
	if (detail === null) return null;
	const opened = await openCash(world, detail);
	await world.run(500);
	return opened;
}

async function feeds(invoice: Invoice | null, ...nominals: number[]): Promise<void> {
	for (const nominal of nominals) {
		world.feed({ nominal }, invoice);
		await world.run(4_000);
	}
}

/** Plays a whole cash visit. */
async function pays(invoice: Invoice, ...nominals: number[]): Promise<void> {
	await opens(invoice);
	await feeds(invoice, ...nominals);
	await world.run(6_000);
	await closeCash(world, invoice.id);
	await world.run(1_000);
}

async function goesToTheTerminal(invoice: Invoice): Promise<void> {
	const detail = (await lookUp(world, invoice)) ?? expect.fail('the look-up failed');
	startCard(world, detail);
	await world.run(2_000);
}

async function taps(): Promise<void> {
	world.terminal.tap({ respCode: '00' });
	await world.run(3_000);
}

async function until(holds: () => boolean, limitMs = 5_000): Promise<void> {
	for (let waited = 0; waited < limitMs && !holds(); waited += 20) await world.run(20);
	expect(holds()).toBe(true);
}

const restart = async (): Promise<void> => {
	world.die('killed');
	world.boot();
	await world.run(4_000);
};

/** On a kiosk with the fault in its name, each case fails. */
const cases: Record<string, () => Promise<void>> = {
	'A1 an invoice with the same id at another outlet starts without credit': async () => {
		const trial = newInvoice(150_000);
		await pays(trial, 100_000, 50_000);
		await moveTo(world, outlet(1));
		const other = newInvoice(500_000);
		expect(other.id).toBe(trial.id);
		await opens(other);
	},
	'A1 an invoice with the same id in development starts without credit': async () => {
		await moveTo(world, outlet(2));
		await pays(newInvoice(150_000), 100_000, 50_000);
		await moveTo(world, outlet(0));
		await opens(newInvoice(500_000));
	},
	'A1 a card payment at another outlet pays no invoice with the same id here': async () => {
		const trial = newInvoice(150_000);
		await goesToTheTerminal(trial);
		await taps();
		await moveTo(world, outlet(1));
		await opens(newInvoice(500_000));
	},
	'A1 waiting notes go to the outlet where they were inserted': async () => {
		const first = newInvoice(500_000);
		newInvoice(500_000, outlet(1));
		await opens(first);
		world.office.network = 'down';
		await feeds(first, 100_000, 50_000);
		await closeCash(world, first.id);
		await moveTo(world, outlet(1));
		world.office.network = 'good';
		await world.run(120_000);
	},
	'A1 waiting notes do not go to another server': async () => {
		const first = newInvoice(500_000);
		newInvoice(500_000, outlet(3));
		await opens(first);
		world.office.network = 'down';
		await feeds(first, 100_000);
		await closeCash(world, first.id);
		await moveTo(world, outlet(3));
		world.office.network = 'good';
		await world.run(120_000);
	},
	'A1 a waiting approval does not go to another outlet': async () => {
		const first = newInvoice(137_000);
		newInvoice(137_000, outlet(1));
		await goesToTheTerminal(first);
		world.office.network = 'down';
		await taps();
		await moveTo(world, outlet(1));
		world.office.network = 'good';
		await world.run(120_000);
	},
	'A1 a reused id at the same server starts without credit': async () => {
		const first = newInvoice(150_000);
		await pays(first, 100_000);
		await opens(reuseId(world, first, 300_000));
	},
	'A1 a screen that connects at another outlet gets no payments of the previous outlet': async () => {
		const first = newInvoice(137_000);
		await goesToTheTerminal(first);
		await taps();
		await moveTo(world, outlet(1));
		newInvoice(500_000);
		world.reloadScreen(true);
	},
	'A1 staff settle a card sale of another outlet as charged: an invoice with the same id here is not shown as paid': async () => {
		const first = newInvoice(137_000);
		await goesToTheTerminal(first);
		world.edcLine.plug(false);
		await world.run(1_000);
		await moveTo(world, outlet(1));
		const other = newInvoice(500_000);
		expect(other.id).toBe(first.id);
		await opens(other);
		world.screen.heard = [];
		const sale = world.journal?.cards.unknown()[0] ?? expect.fail('no sale is unknown');
		const settled = world.kiosk?.card.carryOut({ action: 'settle', sale, outcome: 'charged', by: 'Sari', why: 'the slip says so' });
		expect(await settled).toMatchObject({ code: 'done' });
		expect(world.screen.heard.filter((text) => 'id' in text)).toEqual([]);
	},
	'A1 a note that is stacked after a log-in of another outlet is not shown for that outlet’s invoice with the same id': async () => {
		const first = newInvoice(137_000);
		await opens(first);
		world.feed({ nominal: 50_000 }, first);
		await until(() => world.acceptor.note?.place === 'stacking');
		logOut(world);
		logIn(world, outlet(1));
		expect(newInvoice(500_000).id).toBe(first.id);
		world.openScreen();
		await world.run(5_000);
		expect(world.rows(`SELECT 1 FROM notes WHERE state = 'credited'`)).toHaveLength(1);
		expect(world.screen.heard.filter((text) => 'id' in text)).toEqual([]);
	},
	'A2 a paid invoice grows: the difference is due': async () => {
		const invoice = newInvoice(137_000);
		await pays(invoice, 100_000, 50_000);
		changeTotal(world, invoice, 337_000);
		await opens(invoice);
	},
	'A2 an invoice paid by card grows: the difference is due': async () => {
		const invoice = newInvoice(137_000);
		await goesToTheTerminal(invoice);
		await taps();
		await world.run(10_000);
		changeTotal(world, invoice, 337_000);
		await opens(invoice);
	},
	'A2 a payment is reversed and its list emptied: no LUNAS': async () => {
		const invoice = newInvoice(137_000);
		await pays(invoice, 100_000, 50_000);
		reverse(world, invoice, 'emptied');
		await opens(invoice);
	},
	'A2 a payment is reversed and its list kept: no LUNAS': async () => {
		const invoice = newInvoice(137_000);
		await pays(invoice, 100_000, 50_000);
		reverse(world, invoice, 'kept');
		await opens(invoice);
	},
	'A2 a payment by phone is reversed: no LUNAS': async () => {
		const invoice = newInvoice(137_000);
		await opens(invoice);
		payElsewhere(world, invoice, 'qris');
		await world.run(2_000);
		await closeCash(world, invoice.id);
		reverse(world, invoice, 'emptied');
		await opens(invoice);
	},
	'A2 the total rises during a session: the new total is due': async () => {
		const invoice = newInvoice(137_000);
		await opens(invoice);
		await feeds(invoice, 100_000);
		changeTotal(world, invoice, 337_000);
		await world.run(11_000);
		await feeds(invoice, 50_000);
		await world.run(15_000);
	},
	'A2 an invoice grows, and the disk fails before the look-up answer arrives: the new total is due': async () => {
		const invoice = newInvoice(137_000);
		await opens(invoice);
		await feeds(invoice, 100_000);
		changeTotal(world, invoice, 337_000);
		world.disk.fate = (_write, { kind }) => (kind === 'note_uploaded' ? 'sync_failed_but_kept' : 'well');
		await feeds(invoice, 50_000);
		world.disk.fate = () => 'well';
		await world.run(20_000);
		await closeCash(world, invoice.id);
	},
	'A3 an invoice paid by phone while the terminal waits for a card is listed as paid twice': async () => {
		const invoice = newInvoice(137_000);
		await goesToTheTerminal(invoice);
		payElsewhere(world, invoice, 'va');
		world.office.sayPaidNow(invoice);
		await world.run(2_000);
		await taps();
		await lookUp(world, invoice);
		checkDoublesListed(world);
	},
	'A3 an invoice paid by phone while the terminal waits and the disk is full is listed as paid twice once the disk has space': async () => {
		const invoice = newInvoice(137_000);
		const other = newInvoice(50_000);
		await goesToTheTerminal(invoice);
		world.disk.full = true;
		payElsewhere(world, invoice, 'va');
		world.office.sayPaidNow(invoice);
		await world.run(5_000);
		await lookUp(world, other);
		world.disk.full = false;
		await world.run(6_000);
		await taps();
		checkDoublesListed(world);
	},
	'A3 no card sale begins for an invoice that the server reports paid': async () => {
		const invoice = newInvoice(137_000);
		const detail = (await lookUp(world, invoice)) ?? expect.fail('it cannot be looked up');
		payElsewhere(world, invoice, 'va');
		world.office.sayPaidNow(invoice);
		await world.run(2_000);
		startCard(world, detail);
		await world.run(2_000);
	},
	'A3 an invoice paid in cash and by phone is listed as paid twice after the next look-up': async () => {
		world.office.at.books.manners.listsOthers = true;
		world.office.at.books.manners.echoesNoteId = true;
		const invoice = newInvoice(137_000);
		await opens(invoice);
		world.office.network = 'down';
		await feeds(invoice, 100_000, 50_000);
		payElsewhere(world, invoice, 'qris');
		world.office.network = 'good';
		await world.run(120_000);
		await closeCash(world, invoice.id);
		await lookUp(world, invoice);
		checkDoublesListed(world);
	},
	'A3 a deposit at the counter and the rest in cash is not a double payment': async () => {
		const invoice = newInvoice(185_000);
		payAtCounter(world, invoice, 50_000);
		await opens(invoice);
		await feeds(invoice, 100_000, 20_000, 20_000);
		await world.run(6_000);
		await closeCash(world, invoice.id);
		expect(world.lines.filter((line) => line.includes('invoice.paid_twice'))).toEqual([]);
	},
	'A4 refunded money does not count as received': async () => {
		const invoice = newInvoice(150_000);
		await pays(invoice, 50_000);
		expect(giveBack(world, invoice)).toBe(50_000);
		await opens(invoice);
	},
	'A4 repeated refund requests refund once': async () => {
		const invoice = newInvoice(150_000);
		await pays(invoice, 50_000);
		giveBack(world, invoice);
		expect(giveBack(world, invoice)).toBe(0);
		await pays(invoice, 100_000);
		expect(world.truth.received(invoice)).toBe(100_000);
	},
	'A5 payments made elsewhere survive a restart during a session': async () => {
		const invoice = newInvoice(300_000);
		payAtCounter(world, invoice, 50_000);
		await opens(invoice);
		await feeds(invoice, 100_000);
		await restart();
		await openCash(world, invoice);
	},
	'A5 notes that the server lists as one sum are counted once': async () => {
		world.office.at.books.manners.lumps = true;
		const invoice = newInvoice(500_000);
		await pays(invoice, 100_000, 50_000);
		await opens(invoice);
	},
	'A5 a waiting note and an equal payment at the counter both count': async () => {
		const invoice = newInvoice(300_000);
		await opens(invoice);
		world.office.network = 'down';
		await feeds(invoice, 50_000);
		await closeCash(world, invoice.id);
		payAtCounter(world, invoice, 50_000);
		// The next retry is not due yet, so the look-up is sent first.
		world.office.network = 'good';
		await opens(invoice);
	},
	'A5 a look-up that the disk refuses to store does not count': async () => {
		const invoice = newInvoice(300_000);
		await opens(invoice);
		await feeds(invoice, 100_000);
		const next = world.disk.writes + 1;
		world.disk.fate = (write) => (write === next ? 'sync_failed' : 'well');
		await lookUp(world, invoice);
		await world.run(6_000);
		await opens(invoice);
	},
	'A6 a permanently refused note does not block other notes': async () => {
		world.office.at.refuseNext = 409;
		const invoice = newInvoice(500_000);
		await pays(invoice, 20_000, 50_000, 100_000);
		await world.run(1_800_000);
		expect(world.office.books.notes.map(({ nominal }) => nominal).sort()).toEqual([100_000, 50_000].sort());
	},
	'A6 a server without the note call closes cash for new payments': async () => {
		world.office.at.withoutNotes = 404;
		await pays(newInvoice(500_000), 20_000, 50_000);
		await world.run(600_000);
		await pays(newInvoice(500_000), 50_000);
	},
	'A6 a note entered by hand counts as received and opens no dispute': async () => {
		const { at } = world.office;
		at.books.manners.echoesNoteId = true;
		at.refuseNext = 409;
		const invoice = newInvoice(500_000);
		await pays(invoice, 20_000, 50_000);
		await world.run(600_000);
		for (const note of world.journal?.parked() ?? []) await enterByHand(world, invoice, note);
		expect(await opens(invoice)).not.toBeNull();
	},
	'A6 cash opens again after staff enter two refused notes by hand': async () => {
		const { at } = world.office;
		await pays(newInvoice(10_000), 10_000);
		const invoices = [newInvoice(50_000), newInvoice(20_000)];
		for (const invoice of invoices) {
			at.refuseNext = 404;
			await pays(invoice, invoice.total);
		}
		await world.run(600_000);
		for (const note of world.journal?.parked() ?? []) {
			const invoice = invoices.find(({ noinvoice }) => noinvoice === note.noinvoice);
			if (invoice) await enterByHand(world, invoice, note);
		}
		expect(await opens(newInvoice(70_000))).not.toBeNull();
	},
	'I18 health reports money that waits for an outlet that is not logged in': async () => {
		const invoice = newInvoice(500_000);
		await opens(invoice);
		world.office.network = 'down';
		await feeds(invoice, 100_000);
		await closeCash(world, invoice.id);
		await moveTo(world, outlet(1));
		world.office.network = 'good';
		await world.run(8_000_000);
		checkBooks(world);
	},
	'B1 a note inserted at the home screen is returned': async () => {
		const invoice = newInvoice(137_000);
		await opens(invoice);
		await feeds(invoice, 50_000);
		world.closeScreen();
		await world.run(8_000);
		world.reloadScreen(true);
		await world.run(60_000);
		await feeds(null, 20_000);
	},
	'B1 the page returns home without closing the acceptor: notes are returned': async () => {
		const invoice = newInvoice(137_000);
		await opens(invoice);
		world.screen.route = '/';
		world.screen.visit = null;
		world.reportDrawn();
		await world.run(6_000);
		await feeds(null, 20_000);
	},
	'B1 the heartbeat of another browser does not keep a cash session open': async () => {
		const invoice = newInvoice(137_000);
		await opens(invoice);
		world.screen.drawing = false;
		for (let beat = 0; beat < 12; beat += 1) {
			drawn(world, { session: 'another browser', route: CASH_PAGE, visit: invoice.id });
			await world.run(5_000);
		}
		await feeds(invoice, 50_000);
	},
	'B2 a page cannot open the acceptor for an invoice that was not looked up': async () => {
		const invoice = newInvoice(137_000);
		await openCash(world, invoice);
		await world.run(1_000);
		await feeds(invoice, 50_000);
	},
	'B2 a page cannot open the acceptor while no outlet is logged in': async () => {
		const invoice = newInvoice(137_000);
		await lookUp(world, invoice);
		logOut(world);
		await openCash(world, invoice);
		await world.run(1_000);
		await feeds(invoice, 50_000);
	},
	'B2 two pages ask while a note moves: the acceptor opens only for the page that is told ready': async () => {
		const [first, second, third] = [newInvoice(137_000), newInvoice(138_000), newInvoice(139_000)];
		for (const invoice of [second, third, first]) await lookUp(world, invoice);
		await opens(first);
		world.feed({ nominal: 50_000 }, first);
		await until(() => world.acceptor.note?.place === 'stacking');
		const asks = [second, third].map((invoice) => openCash(world, invoice));
		const [one, other] = await Promise.all(asks);
		await world.run(1_000);
		if (one?.ready && other?.ready) world.violated('B2: two pages are told that the acceptor is open for them');
	},
	'B2 a page leaves before the acceptor opens: the acceptor stays closed': async () => {
		const [first, second] = [newInvoice(137_000), newInvoice(138_000)];
		for (const invoice of [second, first]) await lookUp(world, invoice);
		await opens(first);
		world.feed({ nominal: 50_000 }, first);
		await until(() => world.acceptor.note?.place === 'stacking');
		const asks = openCash(world, second);
		const leaves = closeCash(world, second.id);
		await Promise.all([asks, leaves]);
		leavePage(world);
		await world.run(2_000);
		await feeds(null, 20_000);
	},
	'B3 a page gets no LUNAS receipt of an unpaid invoice': async () => {
		const invoice = newInvoice(137_000);
		await lookUp(world, invoice);
		printReceipt(world, invoice);
		await world.run(10_000);
	},
};

describe('an untrusted back office and an untrusted page', () => {
	test.each(Object.entries(cases))('%s', async (_name, play) => {
		await play();
		sound();
	});
});

test('a screen that stays disconnected ends its session, and the next customer is served', async () => {
	const invoice = newInvoice(137_000);
	await opens(invoice);
	await feeds(invoice, 50_000);
	world.closeScreen();
	await world.run(20_000);
	expect(world.kiosk?.cash.isOpen()).toBe(false);
	sound();
});

test('a waiting note is sent when the live socket reconnects, before its next retry', async () => {
	const invoice = newInvoice(137_000);
	await opens(invoice);
	world.office.network = 'down';
	await feeds(invoice, 50_000);
	await world.run(600_000);
	world.screen.heard = [];
	world.office.network = 'good';
	await until(() => world.screen.heard.some((text) => text.type === 'connection' && text.is_connected), 60_000);
	await world.run(2_000);
	expect(world.rows('SELECT 1 FROM notes WHERE uploaded_seq IS NOT NULL')).toHaveLength(1);
	sound();
});
