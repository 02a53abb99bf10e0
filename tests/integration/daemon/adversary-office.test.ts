import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LyingOffice, startLyingOffice, type Told, type ToldInvoice, toldInvoice } from '../../simulators/back-office/lying-office.ts';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { type Kiosk, type KioskOptions, printerSection, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const EDC = 'payment_edc_bca_notification';
const PRINT = '/kiosk/print';
const OPEN = '/payment/api/v1/open-machine/';

let kiosk: Kiosk;
let office: LyingOffice;
let printer: Printer;
let screen: Screen;
let customers = 0;

async function start(options: KioskOptions = {}): Promise<void> {
	office = await startLyingOffice();
	printer = await startPrinter({ port: 0, printMs: 50 });
	kiosk = await startKiosk({
		movableClock: true,
		edc: { lines: 'ack_ms = 2000\nanswer_ms = 10000\n' },
		url: office.url,
		socketUrl: office.socketUrl,
		// Each refused print counts.
		settings: `${printerSection(printer.uri)}per_minute = 600\n`,
		...options,
	});
	await newScreen();
}

async function newScreen(): Promise<void> {
	screen = await kiosk.screen();
	await until(() => expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state: 'ready' }));
}

async function stop(): Promise<void> {
	await kiosk?.stop();
	await office?.stop();
	await printer?.stop();
}

/** @returns the look-up number of a new invoice, and the invoice as the server reports it */
function customer(total: number, more: object = {}): { hp: string; invoice: ToldInvoice } {
	customers += 1;
	const hp = `0812${String(customers).padStart(8, '0')}`;
	const invoice = toldInvoice(customers, total, more);
	office.invoices.set(hp, invoice);
	return { hp, invoice };
}

const answered = (invoice: ToldInvoice) => ({ status: 200, body: { results: invoice, ahass_name: 'AHASS', logo: '' } });
const lookUps = () => office.asked.filter(({ path }) => path.endsWith('/get-invoice-info/')).length;
const stacked = () => kiosk.acceptor.device.stacked.length;

/** Inserts notes one after the other, each again when it is returned. */
async function pay(...nominals: number[]): Promise<void> {
	for (const nominal of nominals) {
		const before = stacked();
		const credited = kiosk.daemon.events('cash.note_credited').length;
		await until(() => {
			if (stacked() > before) return;
			kiosk.acceptor.device.insert({ nominal });
			throw new Error(`the note of ${nominal} is not taken yet`);
		});
		await until(() => expect(kiosk.daemon.events('cash.note_credited').length).toBeGreaterThan(credited));
	}
}

/** Waits until the back office has confirmed every note. */
const told = () => until(async () => expect((await kiosk.health()).outbox.count).toBe(0));

const paidTexts = ({ id }: ToldInvoice) => screen.of('payment_notification').filter((text) => String(text.id) === String(id));
const lookUp = (hp: string) => kiosk.call('/payment/api/v1/get-invoice-info/', { noinvoice: hp });
const open = (hp: string, invoice: ToldInvoice) => kiosk.call(OPEN, { ...invoice, hp });
const close = ({ id }: ToldInvoice) => kiosk.post('/kiosk/cash/close', { id });
const print = ({ id }: ToldInvoice) => kiosk.post(PRINT, { of: 'invoice', id });
const sell = ({ id, odoo_id, noinvoice }: ToldInvoice, amount: number) =>
	screen.send({ message: { type: EDC, event: 'start_transaction', data: { amount, id, odoo_id, noinvoice } } });
const phases = () => screen.of('kiosk_edc_sale').map((sale) => sale.reason ?? sale.phase);
const tap = () => until(() => expect(kiosk.edc.terminal.tap({ respCode: '00' })).toBe(true));
async function payByCard(invoice: ToldInvoice, amount: number): Promise<void> {
	const before = phases().filter((phase) => phase === 'approved').length;
	sell(invoice, amount);
	await tap();
	await until(() => expect(phases().filter((phase) => phase === 'approved').length).toBeGreaterThan(before));
}
const of = (event: string, { noinvoice }: ToldInvoice) => kiosk.daemon.events(event).filter(({ invoice }) => invoice === noinvoice);
const listed = (nominal: unknown, note_id?: string) => ({ nominal, tanggal: '2026-11-23T10:00:00+07:00', ...(note_id && { note_id }) });

/** A server may list a note a little later than it confirmed it. */
const LISTED_BY_NOW_MS = 21_000;

beforeAll(() => start());
afterAll(stop);
beforeEach(() => {
	office.onNote = () => ({ status: 200 });
	office.onLookUp = answered;
});

describe('a message of the back office about another total or invoice', () => {
	test('paid in cash, then the total grows: LUNAS is not printed, regardless of the payments listed', async () => {
		const { hp, invoice } = customer(150_000);
		await kiosk.openCash(hp);
		await pay(100_000);
		await told();
		office.onNote = () => ({ status: 200, body: { is_paid: true } });
		await pay(50_000);
		await until(() => expect(paidTexts(invoice)).toHaveLength(1));
		await told();
		await close(invoice);
		await kiosk.pass(LISTED_BY_NOW_MS);
		for (const list of [[], [listed(100_000), listed(50_000)], [listed('150000.00')]]) {
			Object.assign(invoice, { total: 337_500, is_paid: false, list_pembayaran: list });
			const seen = await lookUp(hp);
			if (list.length > 0) expect(seen.body.results).toMatchObject({ is_paid: false, total: 337_500 });
			else expect(seen).toMatchObject({ status: 409, body: { code: 'dispute' } });
			const opened = await open(hp, invoice);
			if (list.length > 0) expect(opened.body).toMatchObject({ is_paid: false });
			else expect(opened).toMatchObject({ status: 409, body: { code: 'dispute' } });
			expect(await print(invoice)).toMatchObject({ status: 409 });
			await close(invoice);
		}
		expect(paidTexts(invoice)).toHaveLength(1);
	});

	test('the total grows before the note that covers the old one, and uploads fail: the kiosk waits for the look-up', {
		tags: 'deep',
	}, async () => {
		const { hp, invoice } = customer(50_000);
		await kiosk.openCash(hp);
		office.onNote = () => 'cut';
		invoice.total = 137_500;
		await pay(50_000);
		await until(() => expect(of('invoice.total_changed', invoice)).toHaveLength(1));
		expect(of('cash.paid', invoice)).toEqual([]);
		expect((await open(hp, invoice)).body).toMatchObject({ is_paid: false });
		office.onNote = () => ({ status: 200 });
		await close(invoice);
		expect(paidTexts(invoice)).toEqual([]);
	});

	test('a message that overtakes the answer with a larger total counts for the smaller total', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(50_000);
		await kiosk.openCash(hp);
		await pay(20_000);
		await told();
		office.onLookUp = async (asked) => {
			office.say({ type: 'payment_notification', id: asked.id });
			await until(() => expect(paidTexts(invoice).length).toBeGreaterThan(0));
			office.onLookUp = answered;
			Object.assign(invoice, { total: 337_500, list_pembayaran: [listed(20_000), listed(30_000)] });
			return answered(invoice);
		};
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false, total: 337_500 });
		expect((await open(hp, invoice)).body).toMatchObject({ is_paid: false });
		expect(await print(invoice)).toMatchObject({ status: 409 });
		await close(invoice);
	});

	test('a message repeated after the total has grown pays nothing until a look-up confirms it', async () => {
		const { hp, invoice } = customer(50_000);
		await kiosk.openCash(hp);
		await pay(50_000);
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(of('cash.paid', invoice)).toHaveLength(1));
		await told();
		Object.assign(invoice, { total: 337_500, is_paid: false, list_pembayaran: [listed(50_000)] });
		await lookUp(hp);
		const before = lookUps();
		const said = paidTexts(invoice).length;
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false });
		expect(paidTexts(invoice)).toHaveLength(said);
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(50_000), listed(287_500)] });
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(paidTexts(invoice).length).toBeGreaterThan(said));
		expect(of('invoice.paid_twice', invoice)).toEqual([]);
	});

	test('paid elsewhere, then grown: a late message about the smaller total pays nothing', async () => {
		const { hp, invoice } = customer(150_000);
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(150_000)] });
		await lookUp(hp);
		Object.assign(invoice, { total: 337_500, is_paid: false });
		await lookUp(hp);
		const before = lookUps();
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		expect(await print(invoice)).toMatchObject({ status: 409 });
		expect(paidTexts(invoice)).toEqual([]);
	});

	test('an older look-up that answers last does not overwrite the newer one', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(50_000);
		await kiosk.openCash(hp);
		await pay(50_000);
		await told();
		const old = { ...invoice };
		const { promise, resolve } = Promise.withResolvers<Told>();
		office.onLookUp = () => promise;
		const before = lookUps();
		const first = lookUp(hp);
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		office.onLookUp = answered;
		Object.assign(invoice, { total: 337_500, list_pembayaran: [listed(50_000)] });
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false });
		resolve(answered(old));
		await first;
		expect((await open(hp, invoice)).body).toMatchObject({ is_paid: false });
		expect(await print(invoice)).toMatchObject({ status: 409 });
		await close(invoice);
	});

	test('a reused id: a message with the old invoice’s odoo_id pays the old invoice', async () => {
		const old = customer(50_000);
		await kiosk.openCash(old.hp);
		await pay(20_000);
		await told();
		await close(old.invoice);
		const next = customer(90_000, { id: old.invoice.id, noinvoice: 'INV/NEW/1', odoo_id: 'SONEW' });
		await lookUp(next.hp);
		Object.assign(old.invoice, { is_paid: true, list_pembayaran: [listed(20_000), listed(50_000)] });
		office.say({ type: 'payment_notification', id: old.invoice.id, odoo_id: old.invoice.odoo_id });
		await until(() => expect(of('invoice.paid_twice', old.invoice)).toHaveLength(1));
		expect(paidTexts(next.invoice)).toEqual([]);
		expect(await print(next.invoice)).toMatchObject({ status: 409 });
		expect((await open(next.hp, next.invoice)).body).toMatchObject({ is_paid: false, entries: [] });
		await close(next.invoice);
		// Without an odoo_id it may concern either invoice: the look-up decides.
		office.say({ type: 'payment_notification', id: old.invoice.id });
		const before = lookUps();
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		expect(await print(next.invoice)).toMatchObject({ status: 409 });
		expect(paidTexts(next.invoice)).toEqual([]);
	});
});

describe('payments by more than one method', () => {
	test('a double payment of another invoice is reported while the current customer pays by card', async () => {
		const b = customer(90_000);
		await kiosk.openCash(b.hp);
		await pay(20_000);
		await told();
		await close(b.invoice);
		const a = customer(70_000);
		await lookUp(a.hp);
		Object.assign(b.invoice, { is_paid: true, list_pembayaran: [listed(20_000), listed(90_000)] });
		const before = lookUps();
		office.say({ type: 'payment_notification', id: b.invoice.id });
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		await until(() => expect(of('invoice.paid_twice', b.invoice).at(-1)).toMatchObject({ received: 110_000, twice: 20_000 }));
		await payByCard(a.invoice, 70_000);
		expect(of('invoice.paid_twice', a.invoice)).toEqual([]);
	});

	test('card, then virtual account: the following message triggers a look-up', async () => {
		const { hp, invoice } = customer(80_000);
		await lookUp(hp);
		await payByCard(invoice, 80_000);
		await until(() => expect(office.approvals).toContainEqual(expect.objectContaining({ no_invoice: invoice.noinvoice })));
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(80_000)] });
		office.say({ type: 'payment_notification', id: invoice.id });
		const before = lookUps();
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		expect(of('invoice.paid_twice', invoice)).toEqual([]);
		invoice.list_pembayaran = [listed(80_000), listed(80_000)];
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: 80_000 }));
		await until(() => expect(screen.of('kiosk_paid_twice').at(-1)).toMatchObject({ id: invoice.id, twice: 80_000 }));
	});

	test('a virtual account paid while the terminal waits, then the card', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(60_000);
		await lookUp(hp);
		sell(invoice, 60_000);
		await until(() => expect(phases().at(-1)).toBe('acked'));
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(60_000)] });
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(paidTexts(invoice)).toHaveLength(1));
		await tap();
		await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: 60_000 }));
		const sent = phases().length;
		const taken = kiosk.edc.terminal.bank.captured;
		sell(invoice, 60_000);
		await until(() => expect(phases().length).toBeGreaterThan(sent));
		expect(kiosk.edc.terminal.bank.captured).toBe(taken);
	});

	test('half in cash, then the whole by virtual account or at the cashier', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(137_500);
		await kiosk.openCash(hp);
		await pay(50_000);
		await told();
		await close(invoice);
		invoice.list_pembayaran = [listed(50_000), listed(137_500)];
		invoice.is_paid = true;
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ received: 187_500, twice: 50_000 }));
	});
});

test('a note id in another spelling is the same note, and its money counts once', async () => {
	const { hp, invoice } = customer(100_000);
	await kiosk.openCash(hp);
	await pay(50_000);
	await told();
	const id = String(office.notes.at(-1)?.note_id);
	for (const spelled of [id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, ` ${id}`]) {
		invoice.list_pembayaran = [listed(50_000, spelled)];
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false });
		expect(await print(invoice)).toMatchObject({ status: 409 });
	}
	await close(invoice);
});

test('a list with more than the note’s value is a dispute, by double booking or another amount', async () => {
	const { hp, invoice } = customer(137_500);
	await kiosk.openCash(hp);
	await pay(50_000);
	await told();
	await close(invoice);
	await kiosk.pass(LISTED_BY_NOW_MS);
	const id = String(office.notes.at(-1)?.note_id);
	for (const list of [[listed(100_000, id)], [listed(50_000, id), listed(50_000, id)], [listed(20_000, id)], [listed(50_000, 'other')]]) {
		invoice.list_pembayaran = list;
		expect(await lookUp(hp)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	}
	invoice.list_pembayaran = [listed(50_000, id), listed(50_000, 'another-kiosk')];
	expect((await lookUp(hp)).status).toBe(200);
	expect((await open(hp, invoice)).body).toMatchObject({ is_paid: false, entries: [{ nominal: 50_000 }, { nominal: 50_000 }] });
	await close(invoice);
	for (const odd of [
		{ list_pembayaran: [listed(-50_000)] },
		{ list_pembayaran: [listed(1e15)] },
		{ total: 1e12, is_paid: true },
		{ total: '1e5' },
	]) {
		Object.assign(invoice, { total: 137_500, is_paid: false, list_pembayaran: [] }, odd);
		const before = of('invoice.paid_twice', invoice).length;
		await lookUp(hp);
		expect(await print(invoice)).toMatchObject({ status: 409 });
		expect(of('invoice.paid_twice', invoice)).toHaveLength(before);
	}
});

test('a message about a disputed invoice triggers a look-up first; a flood of them delays nothing and triggers few look-ups', async () => {
	const { hp, invoice } = customer(137_500);
	await kiosk.openCash(hp);
	await pay(50_000);
	await told();
	await close(invoice);
	// Its own list contradicts the first message; from then on only a look-up can confirm "paid".
	office.say({ type: 'payment_notification', id: invoice.id });
	await until(() => expect(of('invoice.dispute', invoice).length).toBeGreaterThan(0));
	const [said, asked] = [paidTexts(invoice).length, lookUps()];
	for (let n = 0; n < 20_000; n += 1) office.say({ type: 'payment_notification', id: invoice.id });
	const began = performance.now();
	await kiosk.health();
	expect(performance.now() - began).toBeLessThan(2_000);
	await until(() => expect(lookUps()).toBeGreaterThan(asked));
	expect(lookUps() - asked).toBeLessThan(10);
	expect(paidTexts(invoice)).toHaveLength(said);
	expect(await print(invoice)).toMatchObject({ status: 409 });
	// Drops the rest of the flood in the socket.
	await kiosk.crash();
	await newScreen();
});

describe('restarts', () => {
	test('a lost answer with the note booked counts once, before and after a restart', async () => {
		const { hp, invoice } = customer(137_500);
		await kiosk.openCash(hp);
		office.onNote = () => {
			invoice.list_pembayaran = [listed(50_000)];
			return 'cut';
		};
		await pay(50_000);
		const received = async () => {
			const { results } = (await lookUp(hp)).body as { results: { list_pembayaran: { nominal: number }[] } };
			return results.list_pembayaran.map(({ nominal }) => nominal);
		};
		await until(() => expect(invoice.list_pembayaran).toHaveLength(1));
		expect(await received()).toEqual([50_000]);
		await kiosk.crash();
		await newScreen();
		expect(await received()).toEqual([50_000]);
		office.onNote = () => ({ status: 200 });
		await told();
		expect(await received()).toEqual([50_000]);
		expect(new Set(office.notes.filter(({ noinvoice }) => noinvoice === invoice.noinvoice).map(({ note_id }) => note_id)).size).toBe(1);
	});

	test('payments made elsewhere stay, listed singly or summed with the kiosk’s note', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(137_500, { list_pembayaran: [listed(30_000), listed(20_000)] });
		await kiosk.openCash(hp);
		await pay(20_000);
		await kiosk.crash();
		await newScreen();
		const sum = async () => {
			const { entries } = (await open(hp, invoice)).body as { entries: { nominal: number }[] };
			return entries.reduce((total, { nominal }) => total + nominal, 0);
		};
		await told();
		invoice.list_pembayaran = [listed(30_000), listed(20_000), listed(20_000)];
		await lookUp(hp);
		expect(await sum()).toBe(70_000);
		invoice.list_pembayaran = [listed(70_000)];
		await lookUp(hp);
		expect(await sum()).toBe(70_000);
		await close(invoice);
	});

	test('killed after the tap, with the virtual account paid meanwhile: settled as charged it is paid twice', async () => {
		const { hp, invoice } = customer(61_000);
		await lookUp(hp);
		sell(invoice, 61_000);
		await until(() => expect(phases().at(-1)).toBe('acked'));
		await kiosk.crash(tap);
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(61_000)] });
		screen = await kiosk.screen();
		await until(async () => expect((await kiosk.health()).card.unknown).toHaveLength(1));
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(paidTexts(invoice).length).toBeGreaterThan(0));
		expect((await kiosk.health()).state).not.toBe('ok');
		const attempt = (await kiosk.health()).card.unknown[0]?.attempt_id.slice(0, 8) ?? '';
		const by = ['--by', 'Sari', '--why', 'the slip', '--yes'];
		expect(await kiosk.ctl('edc', 'settle', attempt, '--outcome', 'charged', ...by)).toMatchObject({ code: 0 });
		expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: 61_000 });
		await until(() => expect(screen.of('kiosk_paid_twice').at(-1)).toMatchObject({ id: invoice.id, twice: 61_000 }));
	});

	test('a log-in at the test server has its own books, and its notes its own token', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(137_500);
		await kiosk.openCash(hp);
		await pay(50_000);
		await told();
		await close(invoice);
		await kiosk.staff();
		office.onLogin = (username) => ({ token: `development-${username}`, development: true });
		await kiosk.post('/kiosk/logout', {});
		await kiosk.login();
		screen = await kiosk.screen();
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false, list_pembayaran: [] });
		expect((await open(hp, invoice)).body).toMatchObject({ entries: [] });
		await pay(20_000);
		await told();
		expect(office.notes.at(-1)).toMatchObject({ nominal: 20_000, authorization: expect.stringContaining('development-') });
		await close(invoice);
	});

	test('the token goes to no other server, not even for the live socket alone; waiting notes stay', async () => {
		const { hp } = customer(137_500);
		await kiosk.openCash(hp);
		office.onNote = () => 'cut';
		await pay(50_000);
		const other = await startLyingOffice();
		try {
			for (const [from, to] of [
				[office.socketUrl, other.socketUrl],
				[office.url, other.url],
			] as const) {
				await kiosk.crash(undefined, (settings) => settings.replace(from, to));
				await until(() => expect(kiosk.daemon.events('session.of_other_server')).toHaveLength(1));
				const { outbox, state } = await kiosk.health();
				expect(outbox).toMatchObject({ count: 1, total: 50_000 });
				expect(state).not.toBe('ok');
			}
			expect([other.sockets, other.asked.filter(({ authorization }) => authorization !== '')]).toEqual([[], []]);
		} finally {
			await other.stop();
		}
	});
});

test('a server without the notes call: the first refusal closes cash with a message, also after a restart, until the call exists', async () => {
	await stop();
	await start();
	office.onNote = () => ({ status: 405 });
	const first = customer(50_000);
	await kiosk.openCash(first.hp);
	await pay(10_000);
	await until(() => expect(kiosk.daemon.events('outbox.call_unknown')).toHaveLength(1));
	await close(first.invoice);
	const next = customer(50_000);
	const refused = { status: 409, body: { code: 'cash_not_told', message: expect.stringContaining('tunai') } };
	await lookUp(next.hp);
	expect(await open(next.hp, next.invoice)).toMatchObject(refused);
	await kiosk.crash();
	await newScreen();
	await until(() => expect(kiosk.daemon.events('outbox.call_unknown')).toHaveLength(1));
	await lookUp(next.hp);
	expect(await open(next.hp, next.invoice)).toMatchObject(refused);
	expect((await kiosk.health()).state).not.toBe('ok');
	office.onNote = () => ({ status: 200 });
	await told();
	expect((await open(next.hp, next.invoice)).status).toBe(200);
	await close(next.invoice);
});
