import { referenceOf } from '@kiosk/contract/reference';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { startPrinter } from '../../simulators/printer/start.ts';
import { startCardFor, tapCard, terminalReady } from '../../support/card.ts';
import { type Kiosk, type KioskOptions, printerSection, type Screen, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const NOTE = 'payment_edc_bca_notification';
/** Short time limits, for tests in which the terminal does not answer. */
const QUICK = 'ack_ms = 500\nanswer_ms = 1500\n';

let kiosk: Kiosk;
let screen: Screen;
let invoice: Record<string, unknown>;
/** The simulator's log. It has a line for each request that the terminal receives. */
let terminalLog: string[];
afterEach(() => kiosk?.stop());

/** Starts a kiosk with a connected card terminal, a screen and a looked-up invoice. */
async function start(options: KioskOptions = {}): Promise<void> {
	terminalLog = [];
	kiosk = await startKiosk({ ...options, edc: { lines: QUICK, ...options.edc, log: (line) => terminalLog.push(line) } });
	screen = await kiosk.screen();
	await ready();
	invoice = await kiosk.lookUp(BUDI);
}

const edcState = (state: string) => until(() => expect(screen.of('kiosk_edc').at(-1)).toMatchObject({ state }));
const ready = () => terminalReady(screen);
const say = (message: unknown) => screen.send({ message });
const begin = (more: object = {}) => startCardFor(screen, invoice, more);
const approve = () => {
	const json_success_payment = screen.of(NOTE).at(-1)?.data;
	say({
		type: NOTE,
		event: 'transaction_approve',
		data: { no_invoice: invoice.noinvoice, access_token: kiosk.token(), json_success_payment },
	});
};
const phases = () => screen.of('kiosk_edc_sale').map((sale) => sale.reason ?? sale.phase);
const phase = (wanted: string) => until(() => expect(phases().at(-1)).toBe(wanted));
const responses = () => screen.of(NOTE).map((text) => text.data);
const tap = (respCode = '00', more: object = {}) => tapCard(kiosk, respCode, more);
const approvals = () => kiosk.backOffice.books.approvals;
/** Sale requests that the terminal has received. */
const saleRequests = () => terminalLog.filter((line) => line.startsWith('request 01'));
const captured = () => kiosk.edc.terminal.bank.captured;
const unknown = async () => (await kiosk.health()).card.unknown;

/** Connects a new screen, as after a reload or a restart of the daemon. */
async function reload(): Promise<void> {
	screen.close();
	screen = await kiosk.screen();
}

test('a customer who waits at the card page gets one slip about an unknown sale, even after a restart', {
	tags: 'deep',
}, async () => {
	const printer = await startPrinter({ port: 0, printMs: 10 });
	onTestFinished(() => printer.stop());
	await start({ settings: printerSection(printer.uri) });
	const papers = () => printer.queue.receipts.map((paper) => escposText(paper.data));
	const drawCardPage = () => kiosk.post('/kiosk/rendered', { screen: '/edc-bca-payment', visit: BUDI, id: invoice.id });
	begin();
	await phase('acked');
	await drawCardPage();
	await kiosk.crash();
	await reload();
	await phase('unknown');
	expect(papers()).toEqual([]);
	// While the customer stays, the page reports every few seconds that it draws.
	for (let times = 0; times < 3; times += 1) await drawCardPage();
	await until(() => expect(papers()).toHaveLength(1));
	const reference = referenceOf(String((await unknown())[0]?.attempt_id));
	const paper = papers()[0]?.replaceAll('\n', ' ');
	expect(paper).toMatch(new RegExp(`BELUM PASTI.*INV/2026/11/0042.*Referensi +${reference}.*Sedang diperiksa petugas +Rp 137\\.500`));
	expect((await kiosk.ctl('edc', 'unknown')).out).toContain(reference);
	await kiosk.crash();
	await reload();
	await drawCardPage();
	await kiosk.ctl('edc', 'settle', reference, '--outcome', 'not-charged', '--by', 'Sari', '--why', 'no slip at the terminal');
	expect(await unknown()).toEqual([]);
	expect(papers()).toHaveLength(1);
});

describe('approved sales', () => {
	test('an approved sale is reported once to screen and back office, and its invoice takes no cash', async () => {
		await start();
		begin();
		await phase('acked');
		await tap();
		await phase('approved');
		expect(phases()).toEqual(['sent', 'acked', 'approved']);
		expect(responses()).toMatchObject([{ respCode: '00', amount: 137_500, masked_pan: '************3367', retry: false }]);
		approve();
		await until(() => expect(approvals()).toMatchObject([{ no_invoice: 'INV/2026/11/0042', repeats: 0 }]));
		expect(approvals()[0]?.success).toEqual(responses()[0]);
		await until(() => expect(kiosk.edc.terminal.acknowledged).toBe(1));
		await until(async () => expect((await kiosk.health()).card.approvals_waiting).toBe(0));
		const cash = await kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI });
		expect(cash.body).toMatchObject({ machine_ready: false, is_paid: true });
		begin();
		await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: invoice.id, is_paid: true }));
		expect(captured()).toBe(137_500);
	});

	test('an approved sale is reported once after an outage, even without the screen', { tags: 'deep' }, async () => {
		await start();
		await kiosk.backOffice.setNetwork({ up: false });
		begin();
		await tap();
		await phase('approved');
		screen.close();
		await until(() => expect(kiosk.daemon.events('card.approval_waiting').length).toBeGreaterThan(0));
		expect((await kiosk.health()).card.approvals_waiting).toBe(1);
		await kiosk.crash();
		await kiosk.backOffice.setNetwork({ up: true });
		await until(() => expect(approvals()).toMatchObject([{ no_invoice: 'INV/2026/11/0042', repeats: 0 }]));
		await until(async () => expect((await kiosk.health()).card.approvals_waiting).toBe(0));
		await kiosk.crash();
		await until(() => expect(kiosk.daemon.events('socket.connected')).toHaveLength(1));
		await reload();
		await until(() => expect(screen.of('kiosk_edc_sale')).toMatchObject([{ phase: 'approved', id: invoice.id }]));
		await until(() => expect(screen.of('payment_notification')).toMatchObject([{ id: invoice.id, is_paid: true }]));
		expect(approvals()).toHaveLength(1);
		expect(approvals()[0]?.repeats).toBe(0);
	});

	test('an approved sale counts as reported only when the back office has confirmed the message', { tags: 'deep' }, async () => {
		await start();
		await kiosk.backOffice.setNetwork({ mode: 'silent' });
		begin();
		await tap();
		await phase('approved');
		approve();
		expect((await kiosk.health()).card.approvals_waiting).toBe(1);
		await kiosk.backOffice.setNetwork({ up: false, mode: 'normal' });
		await kiosk.backOffice.setNetwork({ up: true });
		await until(() => expect(approvals()).toHaveLength(1));
		await until(async () => expect((await kiosk.health()).card.approvals_waiting).toBe(0));
	});
});

describe('without an approval', () => {
	test('the message about a decline says whether the sale may be retried, and the next attempt is a new sale', async () => {
		await start();
		for (const [code, retry] of [
			['55', true],
			['51', true],
			['P3', false],
		] as const) {
			begin();
			await tap(code);
			await until(() => expect(responses().at(-1)).toMatchObject({ respCode: code, retry }));
			await phase('declined');
			await ready();
		}
		begin();
		await tap();
		await phase('approved');
		expect(captured()).toBe(137_500);
	});

	test('a sale with a wrong amount or for an unknown invoice sends no request to the terminal', { tags: 'deep' }, async () => {
		await start({ edc: { lines: `${QUICK}probe = "none"\n` } });
		begin({ amount: 1_000 });
		await phase('bad_amount');
		begin({ amount: 'seratus' });
		await until(() => expect(phases()).toEqual(['bad_amount', 'bad_amount']));
		begin({ id: 99_999 });
		await phase('no_invoice');
		expect(kiosk.edc.trace).toEqual([]);
	});

	test('if no terminal is configured, the kiosk starts, and screen and health show that there is no terminal', async () => {
		kiosk = await startKiosk();
		screen = await kiosk.screen();
		expect(screen.of('kiosk_edc')).toMatchObject([{ state: 'not_configured' }]);
		expect((await kiosk.health()).parts).toContainEqual(expect.objectContaining({ part: 'card', state: 'off' }));
	});
});

describe('unknown sales', () => {
	for (const mode of ['silent_after_ack', 'silent', 'wrong_type'] as const)
		test(`an unknown sale after ${mode} is listed, never sent again, and blocks other payments until staff settle it`, {
			tags: 'deep',
		}, async () => {
			await start({ edc: { lines: QUICK } });
			kiosk.edc.terminal.setMode(mode);
			kiosk.edc.terminal.next.push({ respCode: '00' });
			begin();
			await phase('unknown');
			expect(await unknown()).toMatchObject([{ amount: 137_500, noinvoice: 'INV/2026/11/0042' }]);
			await edcState('unresolved');
			expect(responses()).toEqual([]);
			kiosk.edc.terminal.setMode('normal');
			const requests = saleRequests();
			begin();
			await until(() => expect(phases().filter((one) => one === 'unknown')).toHaveLength(2));
			expect(kiosk.edc.terminal.bank.transactions.length).toBeLessThanOrEqual(1);
			// Cash stays blocked while the sale is unknown.
			expect(await kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI })).toMatchObject({ status: 409 });
			const attempt = referenceOf(String((await unknown())[0]?.attempt_id));
			const outcome = captured() > 0 ? 'charged' : 'not-charged';
			expect((await kiosk.ctl('edc', 'unknown')).out).toContain(attempt);
			expect(await kiosk.ctl('edc', 'settle', attempt, '--outcome', outcome, '--by', 'Sari', '--why', 'slip')).toMatchObject({ code: 0 });
			await phase(outcome === 'charged' ? 'approved' : 'declined');
			await ready();
			await until(() => expect(approvals()).toHaveLength(outcome === 'charged' ? 1 : 0));
			expect(phases().filter((one) => one === 'sent')).toHaveLength(1);
			expect(saleRequests()).toEqual(requests);
		});

	test('a sale that the terminal approves with another amount is unknown, listed with that amount and not paid', async () => {
		await start();
		kiosk.edc.terminal.setMode('wrong_amount');
		begin();
		await tap();
		await phase('unknown');
		expect(await unknown()).toMatchObject([{ amount: 137_500, why: expect.stringContaining('approved Rp 138500') }]);
		expect(responses()).toEqual([]);
		expect(approvals()).toEqual([]);
	});

	test('an unknown sale becomes approved when its approval comes after the time limit', { tags: 'deep' }, async () => {
		await start();
		kiosk.edc.terminal.setMode('late', { ms: 2_500 });
		begin();
		await tap();
		await phase('unknown');
		await phase('approved');
		expect(await unknown()).toEqual([]);
		await until(() => expect(approvals()).toHaveLength(1));
	});

	test('a sale is listed as unknown if the cable was cut and the terminal never reported the charge', { tags: 'deep' }, async () => {
		await start({ edc: { lines: 'ack_ms = 500\nanswer_ms = 1000\n' } });
		begin();
		await phase('acked');
		kiosk.edc.cable.cut = true;
		await phase('unknown');
		await tap();
		expect(captured()).toBe(137_500);
		kiosk.edc.cable.cut = false;
		expect(await unknown()).toHaveLength(1);
	});

	for (const money of [true, false])
		test(`a sale is unknown after a power cut at the terminal (captured: ${money})`, {
			tags: money ? [] : 'deep',
		}, async () => {
			await start();
			begin();
			await phase('acked');
			kiosk.edc.terminal.switchOff(money);
			await phase('unknown');
			kiosk.edc.terminal.switchOn();
			expect(await unknown()).toMatchObject([{ amount: 137_500 }]);
			expect(captured()).toBe(money ? 137_500 : 0);
		});
});

describe('repeated answers', () => {
	test('an answer that arrives twice counts as one payment', { tags: 'deep' }, async () => {
		await start();
		kiosk.edc.terminal.setMode('double');
		begin();
		await tap();
		await phase('approved');
		await until(() => expect(approvals()).toHaveLength(1));
		expect(responses()).toHaveLength(1);
		expect(await unknown()).toEqual([]);
	});

	test('an answer that the terminal first sent before a restart does not pay the next sale', {
		tags: 'deep',
	}, async () => {
		await start();
		begin();
		await tap();
		await phase('approved');
		kiosk.edc.terminal.setMode('stale');
		await kiosk.crash();
		await reload();
		await ready();
		invoice = kiosk.backOffice.books.addInvoice(BUDI, 137_500, new Date()) as unknown as Record<string, unknown>;
		await kiosk.lookUp(BUDI);
		begin();
		await tap('51');
		await phase('unknown');
		expect(responses()).toEqual([]);
		expect(captured()).toBe(137_500);
	});
});

describe('a killed daemon', () => {
	test('after kill -9 during a sale, the sale is unknown, blocks cards and is not shown as declined', async () => {
		await start();
		begin();
		await phase('acked');
		await kiosk.crash(() => tap());
		await reload();
		await edcState('unresolved');
		expect(await unknown()).toMatchObject([{ amount: 137_500, why: expect.stringContaining('stopped') }]);
		begin();
		await phase('unknown');
		// A later attempt may be refused, but such a refusal names no sale.
		expect(screen.of('kiosk_edc_sale').filter((sale) => sale.phase === 'declined' && sale.attempt_id !== '')).toEqual([]);
		expect(captured()).toBe(137_500);
		expect(saleRequests()).toHaveLength(1);
	});

	test('after kill -9 before the terminal has answered the request, the sale is unknown, blocks cards and is never sent again', {
		tags: 'deep',
	}, async () => {
		await start({ edc: { lines: QUICK, timing: { ackMs: 1_000, customerMs: 50 } } });
		begin();
		await until(() => expect(saleRequests()).toHaveLength(1));
		await kiosk.crash();
		await reload();
		begin();
		await phase('unknown');
		await edcState('unresolved');
		// The customer pays the sale that the terminal still shows.
		await tap();
		await kiosk.lookUp(BUDI);
		begin();
		await until(() => expect(phases().filter((one) => one === 'unknown')).toHaveLength(2));
		expect(phases()).not.toContain('sent');
		expect(saleRequests()).toHaveLength(1);
		expect(captured()).toBe(137_500);
	});

	test('kill -9 between approval and report loses nothing: the sale is reported once and shown as paid', async () => {
		await start();
		begin();
		await tap();
		await until(() => expect(kiosk.daemon.events('card.approved')).toHaveLength(1));
		await kiosk.crash();
		await until(() => expect(approvals()).toMatchObject([{ repeats: 0 }]));
		await reload();
		await until(() => expect(screen.of('payment_notification')).toMatchObject([{ id: invoice.id, is_paid: true }]));
	});
});

test('of the messages that a page sends, only transaction messages reach the back office', async () => {
	await start();
	const before = kiosk.backOffice.live.received.length;
	say('ping');
	screen.send({ message: 'transaction', amount: 137_500 });
	say({ type: 'something_new', value: 1 });
	say({ type: 'kiosk_edc_sale', phase: 'approved' });
	screen.send({ message: 'transaction', amount: 1_000 });
	await until(() => expect(kiosk.backOffice.live.received.slice(before)).toHaveLength(2));
	expect(kiosk.backOffice.live.received.slice(before)).toEqual([
		{ message: 'transaction', amount: 137_500 },
		{ message: 'transaction', amount: 1_000 },
	]);
});
