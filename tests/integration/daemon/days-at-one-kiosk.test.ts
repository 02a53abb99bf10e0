// @module-tag deep
/**
 * Plays several days at one kiosk. After each step the reports must agree with acceptor, bank and
 * back office.
 */
import { beforeEach, expect, test } from 'vitest';
import { saleShown, startCard, tapCard, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import type { Kiosk, Screen } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { staffCall } from '../../support/staff-call.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BY = ['--by', 'Sari', '--why', 'seen', '--yes'];

let kiosk: Kiosk;
let screen: Screen;
beforeEach(async () => {
	numbers = [];
	kiosk = await kioskForTest({
		acceptor: { timing: { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 300, returnMs: 20 } },
		edc: {},
		movableClock: true,
	});
	screen = await kiosk.screen();
});

interface Period {
	expected: number;
	number: number;
	uploaded: { total: number };
	waiting: { total: number };
	without_invoice: { total: number };
	in_doubt: { note_id: string; nominal: number }[];
	unexplained: { note_id: string; nominal: number }[];
	notes: { nominal: number; count: number }[];
}

interface Exported {
	notes: { state: string; nominal: number }[];
	card_sales: { state: string; amount: number }[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);
const report = async (number?: number) =>
	(await staffCall(kiosk, 'GET', `/cash/report${number ? `/${number}` : ''}`)).body as unknown as Period;
const metrics = async (): Promise<(name: string) => number> => {
	const text = await (await fetch(`${kiosk.daemon.service}/metrics`)).text();
	return (name) =>
		Number(
			text
				.split('\n')
				.find((line) => line.startsWith(`${name} `))
				?.slice(name.length + 1),
		);
};

type Customer = ReturnType<typeof customer>;

/** Numbers of the invoices that this test has added. */
let numbers: string[] = [];

/** Adds an invoice. @returns its customer's phone number and the invoice */
function customer(total: number) {
	const hp = `0813${String(kiosk.backOffice.books.invoices.length).padStart(8, '0')}`;
	const invoice = kiosk.backOffice.books.addInvoice(hp, total, new Date());
	numbers.push(invoice.noinvoice);
	return { hp, invoice };
}

async function pay({ hp, invoice }: Customer, ...notes: number[]): Promise<void> {
	await kiosk.openCash(hp);
	for (const note of notes) await feedNote(kiosk, note);
	await leave(invoice);
}
const leave = ({ id }: { id: unknown }) => kiosk.post('/kiosk/cash/close', { id });

async function restart(wallMs: number): Promise<void> {
	await kiosk.crash(() => kiosk.shiftWall(wallMs));
	screen = await kiosk.screen();
}

/**
 * Waits until the reports agree with the devices, the server and each other, then verifies the
 * journal.
 */
async function agree(): Promise<void> {
	await until(async () => {
		const [health, metric] = [await kiosk.health(), await metrics()];
		const now = await report();
		const periods = [now];
		for (let number = 1; number < now.number; number += 1) periods.push(await report(number));
		const doubts = new Map(
			periods.flatMap(({ in_doubt, unexplained }) => [...in_doubt, ...unexplained].map((note) => [note.note_id, note])),
		);
		const box = sum(kiosk.acceptor.device.stacked.map(({ nominal }) => nominal ?? 0));
		const open = sum([...doubts.values()].map(({ nominal }) => nominal));
		expect(sum(periods.map(({ expected }) => expected)) + open, 'all periods and the cashbox').toBe(box);
		for (const { expected, notes, uploaded, waiting, without_invoice } of periods) {
			expect(uploaded.total + waiting.total + without_invoice.total).toBe(expected);
			expect(sum(notes.map(({ nominal, count }) => nominal * count))).toBe(expected);
		}
		expect(health.in_doubt.map(({ note_id }) => note_id).sort()).toEqual([...doubts.keys()].sort());
		expect(metric('kiosk_notes_in_doubt')).toBe(doubts.size);
		const { parked, partial } = health as unknown as { parked: unknown[]; partial: { noinvoice: string; received: number }[] };
		const parkedSum = /Rp (\d+),/.exec(health.parts.find(({ part }) => part === 'parked notes')?.text ?? '')?.[1] ?? 0;
		expect(health.outbox.total + Number(parkedSum), 'waiting and parked').toBe(sum(periods.map(({ waiting }) => waiting.total)));
		expect([metric('kiosk_outbox_rupiah'), metric('kiosk_outbox_notes')]).toEqual([health.outbox.total, health.outbox.count]);
		expect([metric('kiosk_notes_parked'), metric('kiosk_invoices_partial')]).toEqual([parked.length, partial.length]);
		const booked = sum(kiosk.backOffice.books.notes.map(({ nominal }) => nominal));
		expect(booked, 'the back office').toBe(sum(periods.map(({ uploaded }) => uploaded.total)));
		let notes = 0;
		let sales = 0;
		for (const noinvoice of numbers) {
			const { status, body } = await staffCall(kiosk, 'GET', `/journal/invoice/${encodeURIComponent(noinvoice)}`);
			const file = status === 200 ? (body as unknown as Exported) : { notes: [], card_sales: [] };
			notes += sum(file.notes.filter(({ state }) => state === 'credited').map(({ nominal }) => nominal));
			sales += sum(file.card_sales.filter(({ state }) => state === 'approved').map(({ amount }) => amount));
		}
		expect(notes, 'exported notes').toBe(sum(periods.map((period) => period.expected - period.without_invoice.total)));
		expect(sales + sum(health.card.unknown.map(({ amount }) => amount)), 'exported sales').toBe(kiosk.edc.terminal.bank.captured);
	}, 60_000);
	expect(await kiosk.ctl('journal', 'verify')).toMatchObject({ code: 0 });
}

test('the reports match acceptor, bank and back office after two nights, a clock set back a year, failed uploads and two box counts', {
	timeout: 600_000,
}, async () => {
	const today = new Date();
	// 23:58 in Jakarta.
	const night = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate(), 16, 58) - Date.now();
	await restart(night);
	const [half, whole, doubt, late, over] = [137_500, 100_000, 60_000, 60_000, 40_000].map(customer) as [
		Customer,
		Customer,
		Customer,
		Customer,
		Customer,
	];
	await pay(half, 50_000);
	await pay(whole, 100_000);
	await pay(over, 50_000);
	await kiosk.openCash(doubt.hp);
	await feedNote(kiosk, 20_000, 'accepted');
	await kiosk.crashWhileStacking();
	screen = await kiosk.screen();
	await agree();

	// Staff exchange the cashbox. The next notes come on the next day and go into the new box.
	kiosk.acceptor.device.removeCashbox();
	await until(() => expect(kiosk.daemon.events('acceptor.box_removed')).toHaveLength(1));
	kiosk.acceptor.device.returnCashbox();
	await until(() => expect(kiosk.daemon.events('acceptor.box_returned')).toHaveLength(1));
	kiosk.shiftWall(night + HOUR_MS);
	await kiosk.afterDoubt();
	await kiosk.backOffice.setNetwork({ up: false });
	kiosk.backOffice.books.revokeTokens();
	await kiosk.backOffice.setNetwork({ up: true });
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'payment-cash' });
	await agree();

	// A customer pays while the clock is set back a year. Then staff record that the note in doubt is
	// in the box, and count the box.
	await kiosk.login();
	screen = await kiosk.screen();
	kiosk.shiftWall(night - 365 * DAY_MS);
	await pay(late, 50_000);
	await restart(night + 8 * HOUR_MS);
	await agree();
	const [open] = (await kiosk.health()).in_doubt;
	expect(await kiosk.ctl('cash', 'settle', String(open?.note_id), '--outcome', 'in-box', ...BY)).toMatchObject({ code: 0 });
	await agree();
	const counted = await kiosk.ctl('cash', 'collected', '--by', 'Sari', '--counted', '220000', '--yes');
	expect(counted).toMatchObject({ code: 0, out: expect.stringContaining('exactly what is expected') });
	await agree();

	// Uploads work again. A card pays the remaining amount of the first invoice, and staff give
	// change.
	await kiosk.backOffice.setNetwork({ mode: 'normal' });
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0), 90_000);
	await agree();
	await terminalReady(screen);
	const found = await kiosk.lookUp(half.hp);
	startCard(screen, { amount: 87_500, id: found.id, odoo_id: found.odoo_id, noinvoice: found.noinvoice });
	await tapCard(kiosk);
	await saleShown(screen, 'approved');
	expect(await kiosk.ctl('cash', 'give-back', over.invoice.noinvoice, '--amount', '10000', ...BY)).toMatchObject({ code: 0 });
	await agree();
	expect((await kiosk.ctl('edc', 'settlement', ...BY)).out).toContain('it reports Rp 87.500, the journal has 1 sale(s), Rp 87.500');
	await restart(night + 30 * HOUR_MS);
	await agree();
	await pay(late, 10_000);
	expect(await kiosk.ctl('cash', 'collected', '--by', 'Sari', '--counted', '60000', '--yes')).toMatchObject({
		code: 0,
		out: expect.stringContaining('exactly what is expected'),
	});
	await agree();
	const health = await kiosk.health();
	expect([health.in_doubt, health.outbox.count, health.card.unknown, health.card.twice]).toEqual([[], 0, [], []]);
});

test('the reports match acceptor, bank and back office after a network outage, an expired token, another outlet’s log-in and a box count during a payment', {
	timeout: 600_000,
}, async () => {
	const { books } = kiosk.backOffice;
	const [first, byCard, mixed] = [100_000, 75_000, 60_000].map(customer) as [Customer, Customer, Customer];
	const network = (up: boolean) => kiosk.backOffice.setNetwork({ up });
	await kiosk.openCash(first.hp);
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'payment-cash', up: false });
	await feedNote(kiosk, 50_000);
	await leave(first.invoice);
	await network(true);
	await terminalReady(screen);
	const sold = await kiosk.lookUp(byCard.hp);
	await network(false);
	startCard(screen, { amount: 75_000, id: sold.id, odoo_id: sold.odoo_id, noinvoice: sold.noinvoice });
	await tapCard(kiosk);
	await saleShown(screen, 'approved');
	books.revokeTokens();
	await restart(HOUR_MS * 20);
	await agree();
	expect(books.approvals).toEqual([]);

	// Staff exchange and count the cashbox while a customer of another outlet pays.
	const outlet = kiosk.backOffice.account.username;
	await kiosk.backOffice.setNetwork({ mode: 'normal', up: true });
	kiosk.backOffice.account.username = 'another';
	await kiosk.call('/auth/login-outlet/', kiosk.backOffice.account);
	await kiosk.login();
	screen = await kiosk.screen();
	await kiosk.openCash(mixed.hp);
	await feedNote(kiosk, 20_000);
	await agree();
	kiosk.acceptor.device.removeCashbox();
	await until(() => expect(kiosk.daemon.events('acceptor.box_removed')).toHaveLength(1));
	kiosk.acceptor.device.returnCashbox();
	await until(() => expect(kiosk.daemon.events('acceptor.box_returned')).toHaveLength(1));
	await feedNote(kiosk, 10_000);
	const exactly = { code: 0, out: expect.stringContaining('exactly what is expected') };
	expect(await kiosk.ctl('cash', 'collected', '--by', 'Sari', '--counted', '70000', '--yes')).toMatchObject(exactly);
	await feedNote(kiosk, 10_000, 'accepted');
	await kiosk.crashWhileStacking(() => kiosk.shiftWall(HOUR_MS * 44));
	await agree();
	expect(books.notes.map(({ nominal }) => nominal)).not.toContain(50_000);

	// After the first outlet logs in again, its note and its sale reach the back office once each.
	kiosk.backOffice.account.username = outlet;
	await kiosk.login();
	await until(() => expect(books.approvals).toMatchObject([{ no_invoice: byCard.invoice.noinvoice, repeats: 0 }]), 60_000);
	await until(() => expect(books.notes.filter(({ noinvoice }) => noinvoice === first.invoice.noinvoice)).toHaveLength(1), 60_000);
	await agree();
	const [open] = (await kiosk.health()).in_doubt;
	expect(await kiosk.ctl('cash', 'settle', String(open?.note_id), '--outcome', 'in-box', ...BY)).toMatchObject({ code: 0 });
	await agree();
	expect(await kiosk.ctl('cash', 'collected', '--by', 'Sari', '--counted', '20000', '--yes')).toMatchObject(exactly);
	await agree();
	expect(books.notes.every(({ repeats }) => repeats === 0)).toBe(true);
});

test('if an invoice gets another number after its first note, only the remaining amount is due and staff see both numbers', async () => {
	const one = customer(137_500);
	const before = one.invoice.noinvoice;
	await pay(one, 50_000);
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(1));
	one.invoice.noinvoice = 'INV/2026/12/0001';
	numbers.push(one.invoice.noinvoice);
	await restart(DAY_MS);
	await pay(one, 50_000, 50_000);
	await until(() => expect(one.invoice.is_paid).toBe(true));
	await agree();
	const listed = await kiosk.ctl('cash', 'attention');
	expect(listed.out).toContain(`${before}  partial: Rp 50.000 of Rp 137.500`);
	expect(listed.out).toContain('INV/2026/12/0001. If it is the same invoice, its payments count under that number.');
	expect(await kiosk.ctl('cash', 'done', before, ...BY)).toMatchObject({ code: 0 });
	expect((await kiosk.ctl('cash', 'attention')).out).toContain('No invoice needs attention.');
});
